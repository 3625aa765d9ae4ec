-- What was measured of prepared files (domain/facts.go), by data source, work key and version of the rules. A row without
-- a body is a measurement that a node has claimed, until claimed_until; afterwards any node may claim it again. Rows of
-- earlier files stay until the present one is measured and compared with them.
--
-- The links between two data sources belong to both work keys. first_id is the smaller id of the two. A row without a body
-- and without a claim is a measurement that was asked for.
--
-- A node of the previous release neither reads nor writes these tables.

-- +goose Up
CREATE TABLE data_facts (
  data_source_id bigint NOT NULL REFERENCES data_source ON DELETE CASCADE,
  org_id         bigint NOT NULL,
  work_key       text NOT NULL,
  rules          integer NOT NULL,
  body           jsonb,
  changes        jsonb NOT NULL DEFAULT '[]',
  claim          uuid,
  claimed_until  timestamptz NOT NULL DEFAULT '-infinity',
  attempts       integer NOT NULL DEFAULT 0,
  measured_at    timestamptz,
  PRIMARY KEY (data_source_id, work_key, rules)
);

CREATE TABLE data_link_facts (
  first_id        bigint NOT NULL REFERENCES data_source ON DELETE CASCADE,
  second_id       bigint NOT NULL REFERENCES data_source ON DELETE CASCADE,
  org_id          bigint NOT NULL,
  first_work_key  text NOT NULL,
  second_work_key text NOT NULL,
  rules           integer NOT NULL,
  body            jsonb,
  changes         jsonb NOT NULL DEFAULT '[]',
  claim           uuid,
  claimed_until   timestamptz NOT NULL DEFAULT '-infinity',
  attempts        integer NOT NULL DEFAULT 0,
  asked_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (first_id, second_id, first_work_key, second_work_key, rules),
  CHECK (first_id < second_id)
);
CREATE INDEX data_link_facts_second ON data_link_facts (second_id);
CREATE INDEX data_link_facts_asked ON data_link_facts (asked_at) WHERE body IS NULL;

SELECT tenant_table('data_facts'), tenant_table('data_link_facts');
GRANT SELECT ON data_facts, data_link_facts TO parley_app;
GRANT INSERT ON data_link_facts TO parley_app;

-- +goose Down
DROP TABLE data_link_facts, data_facts;
