-- +goose Up

-- Makes a transaction fail if a statement found another number of rows than it should. The commit is
-- sent together with the statements, so the caller cannot check it.
-- +goose StatementBegin
CREATE FUNCTION expect_rows(actual bigint, expected bigint) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  IF actual <> expected THEN
    RAISE integrity_constraint_violation USING MESSAGE = format('%s rows instead of %s', actual, expected);
  END IF;
  RETURN actual;
END
$$;
-- +goose StatementEnd

-- The row of a conversation is its fence: (epoch, activation) is the owner.
-- Of the columns that change often, only updated_at is indexed, and it changes only when a list shows
-- the change. Other updates change no index.
CREATE TABLE conversation (
  id             uuid PRIMARY KEY,
  org_id         bigint NOT NULL REFERENCES organisation,
  owner_id       bigint NOT NULL REFERENCES app_user,
  name           text NOT NULL,
  description    text NOT NULL DEFAULT '',
  data_sources   bigint[] NOT NULL DEFAULT '{}',
  project_labels bigint[] NOT NULL DEFAULT '{}',
  status_summary text NOT NULL DEFAULT '',
  credits        numeric(20, 6) NOT NULL DEFAULT 0,
  next_seq       bigint NOT NULL,
  epoch          bigint NOT NULL DEFAULT 0,
  activation     uuid,
  node           text,
  claimed_at     timestamptz,
  generation     bigint NOT NULL DEFAULT 1,
  access_version bigint NOT NULL DEFAULT 1,
  created_at     timestamptz NOT NULL,
  updated_at     timestamptz NOT NULL,
  deleted_at     timestamptz
) WITH (fillfactor = 70);
CREATE INDEX conversation_owner_updated ON conversation (owner_id, updated_at DESC, id DESC) INCLUDE (org_id) WHERE deleted_at IS NULL;

CREATE TABLE conversation_event (
  conversation_id uuid NOT NULL,
  seq             bigint NOT NULL,
  org_id          bigint NOT NULL,
  type            text NOT NULL,
  epoch           bigint NOT NULL,
  generation      bigint NOT NULL,
  data            json NOT NULL,
  at              timestamptz NOT NULL,
  PRIMARY KEY (conversation_id, seq)
);

CREATE TABLE conversation_snapshot (
  conversation_id uuid PRIMARY KEY REFERENCES conversation,
  org_id          bigint NOT NULL,
  seq             bigint NOT NULL DEFAULT 0, -- 0: nothing stored yet
  epoch           bigint NOT NULL DEFAULT 0,
  schema_version  integer NOT NULL DEFAULT 0,
  checksum        bigint NOT NULL DEFAULT 0,
  body            bytea NOT NULL DEFAULT ''
) WITH (fillfactor = 70);

-- Exactly one of user_id and team_id is set.
CREATE TABLE conversation_grant (
  conversation_id uuid NOT NULL REFERENCES conversation,
  org_id          bigint NOT NULL,
  user_id         bigint REFERENCES app_user,
  team_id         bigint REFERENCES team,
  permission      text NOT NULL CHECK (permission IN ('read', 'write')),
  CHECK (num_nonnulls(user_id, team_id) = 1),
  UNIQUE (conversation_id, user_id),
  UNIQUE (conversation_id, team_id)
);
CREATE INDEX conversation_grant_user ON conversation_grant (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX conversation_grant_team ON conversation_grant (team_id) WHERE team_id IS NOT NULL;

-- A person's own marks of a conversation. No row means the defaults.
CREATE TABLE conversation_person (
  user_id         bigint NOT NULL,
  conversation_id uuid NOT NULL,
  org_id          bigint NOT NULL,
  is_archived     boolean NOT NULL DEFAULT false,
  is_favorite     boolean NOT NULL DEFAULT false,
  unread          integer NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, conversation_id)
) WITH (fillfactor = 80);
-- A person has archived or marked only few of many conversations.
CREATE INDEX conversation_person_marked ON conversation_person (user_id, conversation_id) WHERE is_archived OR is_favorite;

-- The people who may read a conversation, with a rank to compare: 1 read, 2 write, 3 owner.
-- A person may have several rows. The owner of a deleted one has none.
CREATE VIEW conversation_reader WITH (security_invoker = true) AS
  SELECT c.id AS conversation_id, c.owner_id AS user_id, 3 AS rank
    FROM conversation c WHERE c.deleted_at IS NULL
  UNION ALL
  SELECT g.conversation_id, g.user_id, CASE g.permission WHEN 'write' THEN 2 ELSE 1 END
    FROM conversation_grant g WHERE g.user_id IS NOT NULL
  UNION ALL
  SELECT g.conversation_id, t.user_id, CASE g.permission WHEN 'write' THEN 2 ELSE 1 END
    FROM conversation_grant g JOIN team_member t ON t.team_id = g.team_id;

CREATE TABLE message (
  id              uuid PRIMARY KEY,
  conversation_id uuid NOT NULL REFERENCES conversation,
  org_id          bigint NOT NULL,
  turn_id         uuid,
  parent_id       uuid,
  seq             bigint NOT NULL,
  generation      bigint NOT NULL,
  role            text NOT NULL,
  text            text NOT NULL,
  status          text NOT NULL,
  author_id       bigint,
  analyst_id      bigint,
  analyst_name    text NOT NULL DEFAULT '',
  data_sources    bigint[] NOT NULL DEFAULT '{}',
  created_at      timestamptz NOT NULL,
  cut_generation  bigint -- the generation of the rewind that cut it, or null
) WITH (fillfactor = 90);
CREATE INDEX message_conversation ON message (conversation_id, seq) WHERE cut_generation IS NULL;
CREATE INDEX message_turn ON message (turn_id) WHERE turn_id IS NOT NULL;
CREATE INDEX message_streaming ON message (conversation_id) WHERE status = 'streaming';

-- The text of messages that are being written. At the end it is joined and stored in the message.
-- There is no foreign key: it would lock the message's row for each piece of text.
CREATE TABLE message_chunk (
  message_id  uuid NOT NULL,
  byte_offset bigint NOT NULL,
  org_id      bigint NOT NULL,
  text        text NOT NULL,
  PRIMARY KEY (message_id, byte_offset)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.5);

CREATE TABLE display_object (
  id              uuid PRIMARY KEY,
  conversation_id uuid NOT NULL REFERENCES conversation,
  message_id      uuid NOT NULL REFERENCES message,
  org_id          bigint NOT NULL,
  name            text NOT NULL,
  type            text NOT NULL,
  language        text NOT NULL DEFAULT '',
  content_type    text NOT NULL DEFAULT '',
  size            bigint NOT NULL,
  file_key        text NOT NULL,
  created_at      timestamptz NOT NULL
);
CREATE INDEX display_object_conversation ON display_object (conversation_id);
CREATE INDEX display_object_message ON display_object (message_id);

CREATE TABLE turn (
  id              uuid PRIMARY KEY,
  conversation_id uuid NOT NULL REFERENCES conversation,
  org_id          bigint NOT NULL,
  prompt_id       uuid NOT NULL,
  user_id         bigint NOT NULL,
  analyst_id      bigint NOT NULL,
  attempt         integer NOT NULL,
  status          text NOT NULL,
  reason          text NOT NULL DEFAULT '',
  started_at      timestamptz NOT NULL,
  ended_at        timestamptz
) WITH (fillfactor = 80);
-- At most one turn of a conversation runs. The sweeper reads only running turns.
CREATE UNIQUE INDEX turn_running ON turn (conversation_id) WHERE status = 'running';
-- Only the owner of a conversation sends prompts, so this finds the running turns of a person's own
-- conversations.
CREATE INDEX turn_running_user ON turn (user_id) WHERE status = 'running';

-- The end of a turn. The primary key prevents a second one.
CREATE TABLE turn_end (
  turn_id         uuid PRIMARY KEY REFERENCES turn,
  conversation_id uuid NOT NULL,
  org_id          bigint NOT NULL,
  status          text NOT NULL CHECK (status IN ('complete', 'stopped', 'interrupted', 'failed')),
  reason          text NOT NULL DEFAULT '',
  at              timestamptz NOT NULL DEFAULT clock_timestamp()
);

CREATE TABLE step (
  turn_id     uuid NOT NULL REFERENCES turn,
  number      integer NOT NULL,
  org_id      bigint NOT NULL,
  attempt     integer NOT NULL,
  kind        text NOT NULL,
  name        text NOT NULL,
  effect      boolean NOT NULL,
  status      text NOT NULL,
  input       json,
  output      json,
  started_at  timestamptz,
  finished_at timestamptz,
  PRIMARY KEY (turn_id, number)
) WITH (fillfactor = 80);

CREATE TABLE usage (
  turn_id         uuid NOT NULL,
  step            integer NOT NULL,
  attempt         integer NOT NULL,
  org_id          bigint NOT NULL,
  conversation_id uuid NOT NULL,
  user_id         bigint NOT NULL,
  provider        text NOT NULL,
  model           text NOT NULL,
  input_tokens    bigint NOT NULL,
  output_tokens   bigint NOT NULL,
  credits         numeric(20, 6) NOT NULL,
  at              timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (turn_id, step, attempt)
);
CREATE INDEX usage_organisation ON usage (org_id, at);

-- +goose Down
DROP VIEW conversation_reader;
DROP TABLE usage, step, turn_end, turn, display_object, message_chunk, message, conversation_person,
  conversation_grant, conversation_snapshot, conversation_event, conversation;
DROP FUNCTION expect_rows(bigint, bigint);
