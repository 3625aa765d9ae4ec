-- +goose Up

-- Credits by day, person and conversation: reports read these instead of one row for each model call.
-- Days are in UTC. The trigger below writes them in the transaction of the calls, so both always agree.
CREATE TABLE usage_day (
  org_id          bigint NOT NULL,
  day             date NOT NULL,
  user_id         bigint NOT NULL,
  conversation_id uuid NOT NULL,
  calls           bigint NOT NULL,
  input_tokens    bigint NOT NULL,
  output_tokens   bigint NOT NULL,
  credits         numeric(20, 6) NOT NULL,
  PRIMARY KEY (conversation_id, user_id, day)
) WITH (fillfactor = 80);
CREATE INDEX usage_day_organisation ON usage_day (org_id, day) INCLUDE (user_id, conversation_id, credits);
CREATE INDEX usage_day_user ON usage_day (user_id, day) INCLUDE (conversation_id, credits);

-- +goose StatementBegin
CREATE FUNCTION usage_roll_up() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_day AS d (org_id, day, user_id, conversation_id, calls, input_tokens, output_tokens, credits)
  SELECT f.org_id, (f.at AT TIME ZONE 'UTC')::date, f.user_id, f.conversation_id, count(*), sum(f.input_tokens), sum(f.output_tokens), sum(f.credits)
    FROM fresh f GROUP BY 1, 2, 3, 4 ORDER BY 4, 3, 2
  ON CONFLICT (conversation_id, user_id, day) DO UPDATE SET
    calls = d.calls + excluded.calls, input_tokens = d.input_tokens + excluded.input_tokens,
    output_tokens = d.output_tokens + excluded.output_tokens, credits = d.credits + excluded.credits;
  RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER usage_roll_up AFTER INSERT ON usage REFERENCING NEW TABLE AS fresh
  FOR EACH STATEMENT EXECUTE FUNCTION usage_roll_up();

INSERT INTO usage_day (org_id, day, user_id, conversation_id, calls, input_tokens, output_tokens, credits)
SELECT org_id, (at AT TIME ZONE 'UTC')::date, user_id, conversation_id, count(*), sum(input_tokens), sum(output_tokens), sum(credits)
  FROM usage GROUP BY 1, 2, 3, 4;

SELECT tenant_table('usage_day');
GRANT SELECT ON usage_day TO parley_app;

-- Credits that an organisation may use in a month; null means no limit.
ALTER TABLE organisation ADD COLUMN credit_limit numeric(20, 6) CHECK (credit_limit >= 0);

-- +goose Down
ALTER TABLE organisation DROP COLUMN credit_limit;
DROP TRIGGER usage_roll_up ON usage;
DROP FUNCTION usage_roll_up();
DROP TABLE usage_day;
