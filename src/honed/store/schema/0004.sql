-- Schema 4: how many texts of a skill wait beside the one in use.
ALTER TABLE skills ADD COLUMN waiting INTEGER NOT NULL DEFAULT 0;
