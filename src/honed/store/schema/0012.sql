-- Schema 12: what a skill's trigger names, phrase by phrase, and the files that it changed; and which skills were
-- learned one after another in a session.  The index is made anew afterwards (INDEX_VERSION changes with it).
ALTER TABLE skill_index ADD COLUMN occasions TEXT NOT NULL DEFAULT '';
ALTER TABLE skill_index ADD COLUMN places TEXT NOT NULL DEFAULT '';
CREATE INDEX skills_session ON skills (session, learned_at, id) WHERE session <> '';
