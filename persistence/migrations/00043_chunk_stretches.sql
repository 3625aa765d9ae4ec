-- The pieces of running answers are stored in one of four tables, by the time at which they were
-- written: each table is used for 20 seconds, then not for a minute, and is emptied as a whole before
-- it is used again. Deleting the pieces of an answer one by one when it ends costs 1.5 ms, because
-- they are on as many pages as there are pieces, and it leaves dead rows to vacuum.
--
-- contract: message_chunk keeps its name, its columns and its contents. The table that had the
-- name becomes a part of the new one, which the previous release reads and writes like the old.

-- +goose Up
-- The number of the table that is used now, from 0 to 3.
-- +goose StatementBegin
CREATE FUNCTION chunk_stretch() RETURNS smallint LANGUAGE sql STABLE PARALLEL SAFE
  AS $$ SELECT (floor(date_part('epoch', now()) / 20)::bigint % 4)::smallint $$;
-- +goose StatementEnd

ALTER TABLE message_chunk ADD COLUMN stretch smallint NOT NULL DEFAULT -1;
ALTER TABLE message_chunk RENAME TO message_chunk_before;

-- A key of the whole table would have to include the stretch, so each part has its own key. Two nodes
-- never write the same piece, because only the owner of the conversation writes.
CREATE TABLE message_chunk (
  message_id  uuid NOT NULL,
  byte_offset bigint NOT NULL,
  org_id      bigint NOT NULL,
  text        text NOT NULL,
  stretch     smallint NOT NULL DEFAULT chunk_stretch()
) PARTITION BY LIST (stretch);
ALTER TABLE message_chunk ATTACH PARTITION message_chunk_before FOR VALUES IN (-1);
CREATE TABLE message_chunk_0 PARTITION OF message_chunk (PRIMARY KEY (message_id, byte_offset)) FOR VALUES IN (0)
  WITH (autovacuum_enabled = false);
CREATE TABLE message_chunk_1 PARTITION OF message_chunk (PRIMARY KEY (message_id, byte_offset)) FOR VALUES IN (1)
  WITH (autovacuum_enabled = false);
CREATE TABLE message_chunk_2 PARTITION OF message_chunk (PRIMARY KEY (message_id, byte_offset)) FOR VALUES IN (2)
  WITH (autovacuum_enabled = false);
CREATE TABLE message_chunk_3 PARTITION OF message_chunk (PRIMARY KEY (message_id, byte_offset)) FOR VALUES IN (3)
  WITH (autovacuum_enabled = false);

SELECT tenant_table('message_chunk');
SELECT tenant_table('message_chunk_0');
SELECT tenant_table('message_chunk_1');
SELECT tenant_table('message_chunk_2');
SELECT tenant_table('message_chunk_3');
GRANT SELECT ON message_chunk TO parley_app;
GRANT TRUNCATE ON message_chunk_before, message_chunk_0, message_chunk_1, message_chunk_2, message_chunk_3 TO parley_engine;

-- Empties a table that is not used, and returns whether it did. It refuses one that is used now
-- or may still get pieces of a transaction that began in the stretch before, and one that has
-- pieces of a message that is still being written. It waits for readers for a moment only, because
-- others wait behind it.
-- +goose StatementBegin
CREATE FUNCTION drop_chunks(stretch smallint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  name text := CASE WHEN stretch < 0 THEN 'message_chunk_before' ELSE format('message_chunk_%s', stretch) END;
  is_used boolean;
BEGIN
  PERFORM set_config('lock_timeout', '200ms', true);
  EXECUTE format('LOCK TABLE ONLY %I IN ACCESS EXCLUSIVE MODE', name);
  IF stretch IN (chunk_stretch(), (chunk_stretch() + 3) % 4) THEN
    RETURN false;
  END IF;
  EXECUTE format('SELECT EXISTS (SELECT FROM message m WHERE m.status = ''streaming''
                                   AND EXISTS (SELECT FROM %I k WHERE k.message_id = m.id OFFSET 0))', name) INTO is_used;
  IF is_used THEN
    RETURN false;
  END IF;
  EXECUTE format('TRUNCATE TABLE ONLY %I', name);
  RETURN true;
END
$$;
-- +goose StatementEnd

CREATE OR REPLACE VIEW message_shown WITH (security_invoker = true) AS
  SELECT m.id, m.conversation_id, m.org_id, m.turn_id, m.parent_id, m.seq, m.generation, m.cut_generation, m.role,
         CASE m.status WHEN 'streaming'
           THEN m.text || coalesce((SELECT string_agg(k.text, '' ORDER BY k.byte_offset) FROM message_chunk k WHERE k.message_id = m.id), '')
           ELSE m.text END::text AS text,
         m.status,
         CASE WHEN m.status IN ('failed', 'interrupted') THEN coalesce((SELECT e.reason FROM turn e WHERE e.id = m.turn_id), '') ELSE '' END::text AS reason,
         m.author_id, a.uuid AS author_uuid, a.full_name AS author_name, a.picture AS author_picture,
         m.analyst_id, m.analyst_name, m.data_sources, m.blueprint_id, m.created_at, m.annotation
    FROM message m LEFT JOIN app_user a ON a.id = m.author_id;

-- +goose Down
ALTER TABLE message_chunk RENAME TO message_chunk_parts;
ALTER TABLE message_chunk_parts DETACH PARTITION message_chunk_before;
ALTER TABLE message_chunk_before RENAME TO message_chunk;
INSERT INTO message_chunk (message_id, byte_offset, org_id, text) SELECT message_id, byte_offset, org_id, text FROM message_chunk_parts;
CREATE OR REPLACE VIEW message_shown WITH (security_invoker = true) AS
  SELECT m.id, m.conversation_id, m.org_id, m.turn_id, m.parent_id, m.seq, m.generation, m.cut_generation, m.role,
         CASE m.status WHEN 'streaming'
           THEN m.text || coalesce((SELECT string_agg(k.text, '' ORDER BY k.byte_offset) FROM message_chunk k WHERE k.message_id = m.id), '')
           ELSE m.text END::text AS text,
         m.status,
         CASE WHEN m.status IN ('failed', 'interrupted') THEN coalesce((SELECT e.reason FROM turn e WHERE e.id = m.turn_id), '') ELSE '' END::text AS reason,
         m.author_id, a.uuid AS author_uuid, a.full_name AS author_name, a.picture AS author_picture,
         m.analyst_id, m.analyst_name, m.data_sources, m.blueprint_id, m.created_at, m.annotation
    FROM message m LEFT JOIN app_user a ON a.id = m.author_id;
DROP FUNCTION drop_chunks(smallint);
DROP TABLE message_chunk_parts;
ALTER TABLE message_chunk DROP COLUMN stretch;
DROP FUNCTION chunk_stretch();
REVOKE TRUNCATE ON message_chunk FROM parley_engine;
