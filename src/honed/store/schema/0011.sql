-- Schema 11: what a sub-agent cost whose client writes a transcript of its own for it.

-- The session that it works for, as the spool names it; '' for a session of its own.
ALTER TABLE figures ADD COLUMN parent TEXT NOT NULL DEFAULT '';
