-- Schema 10: errors that verified tasks met and got rid of, so that one that comes again is known as such.
--
-- No projection: losing it loses no decision.  Everything in it is masked as texts of skills are, and goes with
-- what is scrubbed or purged; it is kept for 180 days.
CREATE TABLE sightings (
  project   TEXT NOT NULL,
  signature TEXT NOT NULL,
  task      TEXT NOT NULL,
  session   TEXT NOT NULL,           -- the client's id
  command   TEXT NOT NULL,
  remedy    TEXT NOT NULL,           -- what was done, or '' where only files were changed
  files     TEXT NOT NULL,           -- one a line
  at        TEXT NOT NULL,           -- when it was kept: an old transcript is news here
  PRIMARY KEY (project, signature, task)
) WITHOUT ROWID;
CREATE INDEX sightings_task ON sightings (task);
