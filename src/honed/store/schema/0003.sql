-- Schema 3: what was given to sessions and what came of it; which skills an agent asked to stop.
--
-- Receipts and what belongs to them are no projections: losing them loses no decision.  They are folded from
-- the spool that hooks write and from transcripts, each thing once however often it is read (their keys), and
-- kept for 180 days.  They hold ids, numbers and honed's own words.
CREATE TABLE receipts (
  key     TEXT NOT NULL,             -- digest of the spool's line
  skill   TEXT NOT NULL,             -- '' for a text of no skill (titles, usual checks, a reminder)
  session TEXT NOT NULL,             -- as the spool names it
  client  TEXT NOT NULL,
  event   TEXT NOT NULL,
  at      TEXT NOT NULL,
  version INTEGER NOT NULL,
  grade   TEXT NOT NULL,             -- guidance | reference | data | '' where nobody said
  score   REAL,                      -- how probable it was that it fits; NULL for an exact match
  tokens  INTEGER NOT NULL,          -- this skill's share of the text
  held    INTEGER NOT NULL,          -- 1: chosen, and held back by the experiment
  PRIMARY KEY (key, skill)
) WITHOUT ROWID;
CREATE INDEX receipts_skill ON receipts (skill, session);
CREATE INDEX receipts_session ON receipts (session);
CREATE INDEX receipts_at ON receipts (at);

-- What a task of a session did with a skill that the session was given.
CREATE TABLE uses (
  session TEXT NOT NULL,             -- as the spool names it
  task    TEXT NOT NULL,
  skill   TEXT NOT NULL,
  applied INTEGER NOT NULL,
  outcome TEXT NOT NULL,             -- verified | failed | ''
  step    TEXT NOT NULL,             -- the run that decided
  at      TEXT NOT NULL,
  PRIMARY KEY (session, task, skill)
) WITHOUT ROWID;
CREATE INDEX uses_skill ON uses (skill, session);

-- How much of each spool file is folded.
CREATE TABLE spools (
  name TEXT PRIMARY KEY,
  size INTEGER NOT NULL
) WITHOUT ROWID;

-- Sessions that an experiment drew a lot for, before anything was known of how they end.
CREATE TABLE trials (
  session TEXT PRIMARY KEY,          -- as the spool names it
  client  TEXT NOT NULL,
  held    INTEGER NOT NULL,          -- 1: what was chosen was held back
  mixed   INTEGER NOT NULL,          -- 1: given and held back, so it is in neither arm
  at      TEXT NOT NULL
) WITHOUT ROWID;

-- What a session of an experiment cost, from its own transcript.
CREATE TABLE figures (
  session   TEXT PRIMARY KEY,        -- as the spool names it
  project   TEXT NOT NULL,
  transcript TEXT NOT NULL,          -- the client's session id, which tasks go by
  input     INTEGER,                 -- tokens that were read anew; NULL where the client writes no usage
  cached    INTEGER,                 -- tokens read from a cache
  output    INTEGER,
  calls     INTEGER NOT NULL,
  asked     INTEGER NOT NULL,        -- calls of honed's own recall among them
  seconds   INTEGER NOT NULL,        -- in which something happened
  at        TEXT NOT NULL
) WITHOUT ROWID;

-- Projects (ids, separated by a blank) in which agents are not given the skill until the owner looks.
ALTER TABLE skills ADD COLUMN muted TEXT NOT NULL DEFAULT '';
