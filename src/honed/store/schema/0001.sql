-- Schema 1.  Applied in one transaction; recorded in `migrations`.
-- The ledger: events are appended and never updated; payloads may be erased.  Rows lie in the order in
-- which they came, so that an append touches the last page of each table, however many there are.
CREATE TABLE replicas (
  n  INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE
);
CREATE TABLE events (
  n           INTEGER PRIMARY KEY,   -- local row number, joins the payload; not identity
  id          TEXT NOT NULL,
  kind        TEXT NOT NULL,
  subject     TEXT NOT NULL,
  at          TEXT NOT NULL,
  actor       TEXT NOT NULL,
  replica     INTEGER NOT NULL,      -- replicas.n
  seq         INTEGER NOT NULL,
  recorded_at TEXT NOT NULL,
  commitment  BLOB NOT NULL,
  hash        BLOB NOT NULL,         -- covers that of the entry before it
  UNIQUE (replica, seq)
);
-- Not UNIQUE: two replicas may both have recorded what happened once, and each chain keeps its own entry.
CREATE INDEX events_id ON events (id);
CREATE INDEX events_subject ON events (subject);

CREATE TABLE payloads (
  n    INTEGER PRIMARY KEY,          -- events.n
  salt BLOB NOT NULL,
  body TEXT NOT NULL
);

-- Projections: every row here is the fold of one subject's events.
CREATE TABLE projects (
  id   TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  seen TEXT NOT NULL
) WITHOUT ROWID;

-- Two replicas may both have seen an alias as their own project's, so a value may have several rows.
CREATE TABLE project_aliases (
  kind    TEXT NOT NULL,     -- path | git | remote | root
  value   TEXT NOT NULL,
  project TEXT NOT NULL,
  state   TEXT NOT NULL,     -- seen | linked | split
  at      TEXT NOT NULL,
  PRIMARY KEY (kind, value, project)
) WITHOUT ROWID;
CREATE INDEX project_aliases_project ON project_aliases (project);

CREATE TABLE tasks (
  id       TEXT PRIMARY KEY,
  project  TEXT NOT NULL,
  session  TEXT NOT NULL,
  client   TEXT NOT NULL,
  verdict  TEXT NOT NULL,    -- verified | failed | stale | tampered | none
  reason   TEXT NOT NULL,
  authority TEXT NOT NULL,   -- exit | summary | both | ''
  step     TEXT NOT NULL,
  check_command TEXT NOT NULL,
  seen_to  INTEGER NOT NULL, -- ordinal of the last step the verdict saw
  at       TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX tasks_session ON tasks (session);

CREATE TABLE skills (
  n           INTEGER PRIMARY KEY,   -- local row number, joins the index tables; not identity
  id          TEXT NOT NULL UNIQUE,
  project     TEXT NOT NULL,         -- '' for scope global
  slug        TEXT NOT NULL,
  kind        TEXT NOT NULL,
  scope       TEXT NOT NULL,
  state       TEXT NOT NULL,         -- candidate | proven | suspended | withdrawn | deleted
  pinned      INTEGER NOT NULL,
  archived    INTEGER NOT NULL,
  approved    TEXT NOT NULL,         -- content hash that was approved, or ''
  origin      TEXT NOT NULL,
  agent       TEXT NOT NULL,
  session     TEXT NOT NULL,         -- the one it was learned from
  client      TEXT NOT NULL,
  title       TEXT NOT NULL,
  trigger_text TEXT NOT NULL,
  text        INTEGER NOT NULL,      -- payloads.n of the body that holds the whole draft, or 0
  fingerprint TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  version     INTEGER NOT NULL,
  confirmed   INTEGER NOT NULL,      -- sessions with counting evidence for
  failed      INTEGER NOT NULL,      -- sessions with counting evidence against
  exit_proofs INTEGER NOT NULL,      -- confirmations known by exit status
  learned_at  TEXT NOT NULL,
  updated_at  TEXT NOT NULL,
  verified_at TEXT NOT NULL,         -- last counting confirmation, or ''
  fades_at    TEXT NOT NULL,
  archives_at TEXT NOT NULL,
  extra       TEXT NOT NULL          -- canonical JSON of unknown front-matter keys
);
-- Not UNIQUE: append chooses slugs that are, but two replicas may have chosen the same one.
CREATE INDEX skills_slug ON skills (slug, project);
CREATE INDEX skills_fingerprint ON skills (project, fingerprint);
CREATE INDEX skills_updated ON skills (project, updated_at);
-- What a session is told at its start: the owner's standing instructions, then what proved itself most.
CREATE INDEX skills_rules ON skills (project) WHERE kind = 'rule';
CREATE INDEX skills_proofs ON skills (project, confirmed, verified_at);

CREATE TABLE skill_evidence (
  event_id TEXT PRIMARY KEY,
  skill    TEXT NOT NULL,
  kind     TEXT NOT NULL,
  session  TEXT NOT NULL,
  task     TEXT NOT NULL,
  at       TEXT NOT NULL,
  counts   INTEGER NOT NULL,         -- 1 for, -1 against, 0 shown only
  authority TEXT NOT NULL,           -- exit | summary | both | ''
  why      TEXT NOT NULL             -- why it counts for nothing, or ''
) WITHOUT ROWID;
CREATE INDEX skill_evidence_skill ON skill_evidence (skill, at);

CREATE TABLE tombstones (
  fingerprint TEXT NOT NULL,         -- keyed: says nothing of the text without this home's key
  skill       TEXT NOT NULL,
  at          TEXT NOT NULL,
  PRIMARY KEY (fingerprint, skill)
) WITHOUT ROWID;
CREATE INDEX tombstones_skill ON tombstones (skill);

CREATE TABLE settings (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  at    TEXT NOT NULL
) WITHOUT ROWID;

-- The index: computed when a skill is stored, read by every recall.  Dropped and rebuilt freely.
-- It holds what may be given or searched: no archived, withdrawn or deleted skill.  Whoever writes it
-- writes skill_index and skill_entities only; triggers keep the full text in step.  (Upsert or delete
-- and insert; INSERT OR REPLACE would not fire the delete trigger.)
CREATE TABLE index_scopes (
  n       INTEGER PRIMARY KEY,
  project TEXT NOT NULL UNIQUE       -- skills.project; '' is the global scope
);
CREATE TABLE skill_index (
  n          INTEGER PRIMARY KEY,    -- skills.n
  scope      INTEGER NOT NULL,       -- index_scopes.n
  head       TEXT NOT NULL,          -- title, trigger, aliases: folded words, separated by one space
  head_stem  TEXT NOT NULL,
  body_stem  TEXT NOT NULL,          -- steps, pitfalls, outcome, free text: each stem once, then "3×" if repeated
  keys       TEXT NOT NULL,          -- files, symbols, check, error signatures as words
  body_words INTEGER NOT NULL,       -- words of the body, repeats counted
  seal       BLOB NOT NULL           -- digest of all this, the entities and the text they were made of
);
CREATE INDEX skill_index_scope ON skill_index (scope);
-- Each word carries its scope ("12_cart"), so that how many skills of a project have a word is one
-- lookup in skill_vocab (per column), and other projects change nothing.  Words are cut before they
-- come here: the tokenizer splits at spaces only.
CREATE VIEW skill_words AS SELECT n,
  scope || '_' || replace(head, ' ', ' ' || scope || '_') AS head,
  scope || '_' || replace(head_stem, ' ', ' ' || scope || '_') AS head_stem,
  scope || '_' || replace(body_stem, ' ', ' ' || scope || '_') AS body_stem,
  scope || '_' || replace(keys, ' ', ' ' || scope || '_') AS keys
FROM skill_index;
CREATE VIRTUAL TABLE skill_fts USING fts5 (
  head, head_stem, body_stem, keys,
  content = 'skill_words', content_rowid = 'n', detail = 'column',
  tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co'"
);
CREATE VIRTUAL TABLE skill_vocab USING fts5vocab (skill_fts, 'col');
CREATE TABLE skill_entities (
  scope INTEGER NOT NULL,            -- index_scopes.n
  value TEXT NOT NULL,
  kind  TEXT NOT NULL,               -- path | file | symbol | command | error | code | phrase | pitfall
  n     INTEGER NOT NULL,
  PRIMARY KEY (scope, value, kind, n)
) WITHOUT ROWID;
CREATE TRIGGER skill_index_added AFTER INSERT ON skill_index BEGIN
  INSERT INTO skill_fts (rowid, head, head_stem, body_stem, keys)
    SELECT n, head, head_stem, body_stem, keys FROM skill_words WHERE n = new.n;
END;
CREATE TRIGGER skill_index_leaving BEFORE DELETE ON skill_index BEGIN
  INSERT INTO skill_fts (skill_fts, rowid, head, head_stem, body_stem, keys)
    SELECT 'delete', n, head, head_stem, body_stem, keys FROM skill_words WHERE n = old.n;
END;
CREATE TRIGGER skill_index_changing BEFORE UPDATE ON skill_index BEGIN
  INSERT INTO skill_fts (skill_fts, rowid, head, head_stem, body_stem, keys)
    SELECT 'delete', n, head, head_stem, body_stem, keys FROM skill_words WHERE n = old.n;
END;
CREATE TRIGGER skill_index_changed AFTER UPDATE ON skill_index BEGIN
  INSERT INTO skill_fts (rowid, head, head_stem, body_stem, keys)
    SELECT n, head, head_stem, body_stem, keys FROM skill_words WHERE n = new.n;
END;

-- Not projections: losing these loses no decision.
CREATE TABLE sources (
  path     TEXT PRIMARY KEY,         -- transcript file
  client   TEXT NOT NULL,
  session  TEXT NOT NULL,
  size     INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  offset   INTEGER NOT NULL,         -- where the open task begins
  line     INTEGER NOT NULL,
  ordinal  INTEGER NOT NULL,
  prefix   TEXT NOT NULL,            -- digest of the bytes before offset
  rules    TEXT NOT NULL             -- version of readers, judge and compiler that read it
) WITHOUT ROWID;

CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE migrations (
  version    INTEGER PRIMARY KEY,
  applied_at TEXT NOT NULL,
  by_version TEXT NOT NULL
);
