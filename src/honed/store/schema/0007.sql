-- Schema 7: what a text's session had read from outside before it, and so of a transcript up to where it was read.
ALTER TABLE skills ADD COLUMN taint TEXT NOT NULL DEFAULT '';
ALTER TABLE sources ADD COLUMN taint TEXT NOT NULL DEFAULT '';
