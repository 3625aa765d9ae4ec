-- +goose Up

-- Sentiments are words of the product, the same for all organisations.
CREATE TABLE sentiment (
  id   bigint PRIMARY KEY,
  name text NOT NULL UNIQUE
);
CREATE TABLE sentiment_label (
  id           bigint PRIMARY KEY,
  sentiment_id bigint NOT NULL REFERENCES sentiment,
  name         text NOT NULL,
  is_default   boolean NOT NULL DEFAULT false,
  UNIQUE (sentiment_id, name)
);
CREATE UNIQUE INDEX sentiment_label_default ON sentiment_label (sentiment_id) WHERE is_default;
INSERT INTO sentiment (id, name) VALUES (1, 'Like'), (2, 'Dislike'), (3, 'Question');
INSERT INTO sentiment_label (id, sentiment_id, name, is_default) VALUES
  (1, 1, 'Helpful', true), (2, 1, 'Accurate', false), (3, 1, 'Easy to understand', false), (4, 1, 'Good chart', false),
  (11, 2, 'Not helpful', true), (12, 2, 'Wrong numbers', false), (13, 2, 'Misunderstood my question', false),
  (14, 2, 'Chart or table is wrong', false), (15, 2, 'Too slow', false),
  (21, 3, 'Question', true);
GRANT SELECT ON sentiment, sentiment_label TO parley_app, parley_engine;

-- A feedback is visible to its author, to the conversation's owner and to superusers. The owner never
-- changes and is copied here, so that lists need no join.
CREATE TABLE feedback (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  org_id          bigint NOT NULL,
  user_id         bigint NOT NULL REFERENCES app_user,
  conversation_id uuid NOT NULL REFERENCES conversation,
  owner_id        bigint NOT NULL REFERENCES app_user,
  message_id      uuid NOT NULL REFERENCES message,
  sentiment_id    bigint NOT NULL REFERENCES sentiment,
  labels          bigint[] NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (message_id, user_id)
);
CREATE INDEX feedback_organisation ON feedback (org_id, id DESC);
CREATE INDEX feedback_user ON feedback (user_id, id DESC);
CREATE INDEX feedback_owner ON feedback (owner_id, id DESC);
CREATE INDEX feedback_conversation ON feedback (conversation_id, id DESC);

CREATE TABLE feedback_comment (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  org_id      bigint NOT NULL,
  feedback_id bigint NOT NULL REFERENCES feedback ON DELETE CASCADE,
  user_id     bigint NOT NULL REFERENCES app_user,
  text        text NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX feedback_comment_feedback ON feedback_comment (feedback_id, id);

SELECT tenant_table('feedback'), tenant_table('feedback_comment');
GRANT SELECT, INSERT ON feedback, feedback_comment TO parley_app;

-- +goose Down
DROP TABLE feedback_comment, feedback, sentiment_label, sentiment;
