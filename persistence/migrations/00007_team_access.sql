-- The members of a team may read what the team may read. A program that has such a right in memory
-- (owners of conversations for their readers, browsers for their lists) learns from these rows that
-- it must read the right again.

-- +goose Up

-- xid is the transaction that changed the team. For rows that a snapshot does not see yet, it is at
-- least the snapshot's xmin. A reader that continues from that xmin misses no row, in whatever order
-- transactions commit.
CREATE TABLE team_change (
  id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  xid     xid8 NOT NULL DEFAULT pg_current_xact_id(),
  org_id  bigint NOT NULL,
  team_id bigint NOT NULL,
  user_id bigint NOT NULL,
  at      timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX team_change_xid ON team_change (xid);

ALTER TABLE team_change ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY app ON team_change TO parley_app USING (org_id = (SELECT current_org())) WITH CHECK (org_id = (SELECT current_org()));
CREATE POLICY engine ON team_change TO parley_engine USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, DELETE ON team_change TO parley_engine;
GRANT INSERT ON team_change TO parley_app;

-- +goose StatementBegin
CREATE FUNCTION team_member_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO team_change (org_id, team_id, user_id) VALUES (OLD.org_id, OLD.team_id, OLD.user_id);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO team_change (org_id, team_id, user_id) VALUES (NEW.org_id, NEW.team_id, NEW.user_id);
  END IF;
  RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER team_member_changed AFTER INSERT OR UPDATE OR DELETE ON team_member
  FOR EACH ROW EXECUTE FUNCTION team_member_changed();

-- +goose Down
DROP TRIGGER team_member_changed ON team_member;
DROP FUNCTION team_member_changed();
DROP TABLE team_change;
