-- Schema 16: of skills that proved themselves equally, and of those that changed in one moment, which come first is
-- a matter of their ids and never of when they were learned; so a limit cuts them alike whatever came first.
DROP INDEX skills_updated;
DROP INDEX skills_proofs;
CREATE INDEX skills_updated ON skills (project, updated_at, id);
CREATE INDEX skills_proofs ON skills (project, confirmed, verified_at, id);
