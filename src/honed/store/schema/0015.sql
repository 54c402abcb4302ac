-- Schema 15: of talk, who says a text and whether it asks (skills.talk).  The index is made anew afterwards
-- (INDEX_VERSION changes with it).
ALTER TABLE skill_index ADD COLUMN talk TEXT NOT NULL DEFAULT '';
