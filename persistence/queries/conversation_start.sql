-- A conversation that begins with a turn: all of it in one transaction.

-- name: ConversationStart :exec
-- Its first two events are written in the same statement.
INSERT INTO conversation (id, org_id, owner_id, name, description, data_sources, project_labels, next_seq, created_at, updated_at)
VALUES (@id, @org_id, @owner_id, @name, @description, @data_sources, @project_labels, 3, @at, @at);

-- name: ConversationStartMessage :exec
INSERT INTO message (id, conversation_id, org_id, turn_id, seq, generation, role, text, status, author_id, data_sources, blueprint_id,
  created_at)
VALUES (@id, @conversation_id, @org_id, @turn_id, @seq, @generation, @role, @text, @status, @author_id, @data_sources, @blueprint_id, @at);

-- name: ConversationStartTurn :exec
-- Attempt 0 means that the turn waits for an owner to start it.
INSERT INTO turn (id, conversation_id, org_id, prompt_id, user_id, analyst_id, attempt, status, plan, started_at)
VALUES (@id, @conversation_id, @org_id, @prompt_id, @user_id, @analyst_id, 0, 'running', @plan, @at);
