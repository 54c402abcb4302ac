-- Schema 14: the skills of a scope from the longest down; who is of one length comes in the order of the seal, so by
-- what it says and never by when it was learned.
CREATE INDEX skill_index_longest ON skill_index (scope, body_words DESC, seal);
-- What leaves and enters is counted by store/counting.py, where whoever writes the index comes by: every process
-- that opens the database reads all triggers, and these were a fifth of that.  Only a home of the hour before has them.
DROP TRIGGER IF EXISTS words_enter;
DROP TRIGGER IF EXISTS words_leave;
DROP TRIGGER IF EXISTS words_leave_a_change;
DROP TRIGGER IF EXISTS words_enter_a_change;
DROP TRIGGER IF EXISTS scope_changes;
