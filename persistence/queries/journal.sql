-- The statements of a group commit. A group is the writes of many conversations, passed as one
-- array for each column.

-- name: JournalLock :many
-- @batch @row:JournalLocked
-- Conversations that another transaction has locked are skipped; their writes are tried alone.
SELECT id, epoch, activation, next_seq FROM conversation
 WHERE id = ANY(@ids::uuid[]) AND deleted_at IS NULL
 ORDER BY id FOR NO KEY UPDATE SKIP LOCKED;

-- name: JournalLockOne :many
-- @batch @row:JournalLocked
SELECT id, epoch, activation, next_seq FROM conversation
 WHERE id = @id AND deleted_at IS NULL FOR NO KEY UPDATE;

-- name: JournalText :one
-- @text
-- A group with nothing but pieces of text, in one statement: it locks the conversations, compares
-- their fences and inserts the pieces of those that match. Conversations that another transaction
-- has locked are skipped, and a row that changed before it was locked is compared with its new
-- contents. A deleted conversation has no activation. The fences that were found are returned only
-- if not all pieces were written. Without IS TRUE, the planner would make a join of the condition and
-- choose its kind by an estimate; with it, each piece is looked up in a hash table.
WITH locked AS MATERIALIZED (
  SELECT c.id, c.epoch, c.activation FROM conversation c WHERE c.id = ANY(@ids::uuid[])
   ORDER BY c.id FOR NO KEY UPDATE SKIP LOCKED
), written AS (
  INSERT INTO message_chunk (message_id, byte_offset, org_id, text)
  SELECT k.message_id, k.byte_offset, k.org_id, k.text
    FROM (SELECT unnest(@conversations::uuid[]) AS id, unnest(@epochs::bigint[]) AS epoch, unnest(@activations::uuid[]) AS activation,
                 unnest(@messages::uuid[]) AS message_id, unnest(@offsets::bigint[]) AS byte_offset, unnest(@orgs::bigint[]) AS org_id,
                 unnest(@texts::text[]) AS text) k
   WHERE ((k.id, k.epoch, k.activation) IN (SELECT l.id, l.epoch, l.activation FROM locked l)) IS TRUE
  RETURNING message_id
), result AS (
  SELECT count(*) AS written FROM written
)
SELECT r.written = cardinality(@messages::uuid[]) AS whole,
       (CASE WHEN r.written < cardinality(@messages::uuid[]) THEN (SELECT array_agg(l.id ORDER BY l.id)
       FROM locked l) END)::uuid[] AS found,
       (CASE WHEN r.written < cardinality(@messages::uuid[]) THEN (SELECT array_agg(l.epoch ORDER BY l.id)
       FROM locked l) END)::bigint[] AS found_epochs,
       (CASE WHEN r.written < cardinality(@messages::uuid[])
             THEN (SELECT array_agg(coalesce(l.activation, '00000000-0000-0000-0000-000000000000') ORDER BY l.id)
             FROM locked l) END)::uuid[] AS found_activations
  FROM result r;

-- name: JournalChunksThere :many
-- @batch
-- The messages of those of the given pieces of text that are stored. A piece may have been joined
-- with the pieces before and after it (ChunksJoin).
SELECT DISTINCT w.message_id::uuid AS message_id
  FROM (SELECT unnest(@messages::uuid[]) AS message_id, unnest(@offsets::bigint[]) AS byte_offset, unnest(@texts::text[]) AS text) w
  JOIN message_chunk k ON k.message_id = w.message_id AND k.byte_offset <= w.byte_offset
   AND substring(convert_to(k.text, 'UTF8') FROM (w.byte_offset - k.byte_offset + 1)::int FOR octet_length(w.text))
     = convert_to(w.text, 'UTF8');

-- name: JournalTransaction :one
-- @batch
SELECT pg_current_xact_id()::text;

-- name: JournalOutcome :one
-- The state of a transaction whose commit got no answer: committed, aborted, in progress, or unknown
-- if it ended too long ago. A server that has crashed since then may have given the number to another
-- transaction, so committed proves nothing by itself. A number in the future is an error (22023).
SELECT coalesce(pg_xact_status(CAST(sqlc.arg(transaction)::text AS xid8)), 'unknown')::text;

-- name: JournalEventThere :one
-- Whether a place in the log of a conversation has an event of an epoch.
SELECT EXISTS (SELECT FROM conversation_event WHERE conversation_id = @conversation AND seq = @seq AND epoch = @epoch);

-- name: JournalAdvance :exec
-- @batch
-- touched means that the logs of the readers get an entry about it. Readers sort the conversation
-- into their lists by the time of that entry, so the row gets the same time. It is never set back,
-- because the clocks of nodes differ. A generation of 0 leaves the generation as it is, and the zero
-- id says that the write has no request that must be remembered.
UPDATE conversation c
   SET next_seq = c.next_seq + w.events,
       updated_at = CASE WHEN w.touched THEN greatest(c.updated_at, @at::timestamptz) ELSE c.updated_at END,
       generation = CASE WHEN w.generation > 0 THEN w.generation ELSE c.generation END,
       requests = CASE WHEN w.request <> '00000000-0000-0000-0000-000000000000' THEN (w.request || c.requests)[1:16] ELSE c.requests END
  FROM (SELECT unnest(@ids::uuid[]) AS id, unnest(@events::bigint[]) AS events, unnest(@touched::boolean[]) AS touched,
               unnest(@generations::bigint[]) AS generation, unnest(@requests::uuid[]) AS request) w
 WHERE c.id = w.id;

-- name: JournalEvents :exec
-- @batch
INSERT INTO conversation_event (conversation_id, seq, org_id, type, epoch, generation, data, at)
SELECT unnest(@conversations::uuid[]), unnest(@seqs::bigint[]), unnest(@orgs::bigint[]), unnest(@types::text[]),
       unnest(@epochs::bigint[]), unnest(@generations::bigint[]), unnest(@data::text[])::json, unnest(@ats::timestamptz[]);

-- name: JournalChunks :exec
-- @batch
INSERT INTO message_chunk (message_id, byte_offset, org_id, text)
SELECT unnest(@messages::uuid[]), unnest(@offsets::bigint[]), unnest(@orgs::bigint[]), unnest(@texts::text[]);

-- name: JournalMessages :exec
-- @batch
-- The zero id and 0 mean none.
INSERT INTO message (id, conversation_id, org_id, turn_id, parent_id, seq, generation, role, text, status,
                     author_id, analyst_id, analyst_name, data_sources, blueprint_id, created_at, annotation)
SELECT w.id, w.conversation_id, w.org_id, nullif(w.turn_id, '00000000-0000-0000-0000-000000000000'),
       nullif(w.parent_id, '00000000-0000-0000-0000-000000000000'), w.seq, w.generation, w.role, w.text, w.status,
       nullif(w.author_id, 0), nullif(w.analyst_id, 0), w.analyst_name, w.data_sources::bigint[], w.blueprint_id, w.created_at,
       w.annotation::jsonb
  FROM (SELECT unnest(@ids::uuid[]) AS id, unnest(@conversations::uuid[]) AS conversation_id, unnest(@orgs::bigint[]) AS org_id,
               unnest(@turns::uuid[]) AS turn_id, unnest(@parents::uuid[]) AS parent_id, unnest(@seqs::bigint[]) AS seq,
               unnest(@generations::bigint[]) AS generation, unnest(@roles::text[]) AS role, unnest(@texts::text[]) AS text,
               unnest(@statuses::text[]) AS status, unnest(@authors::bigint[]) AS author_id, unnest(@analysts::bigint[]) AS analyst_id,
               unnest(@analyst_names::text[]) AS analyst_name, unnest(@data_sources::text[]) AS data_sources,
               unnest(@blueprints::bigint[]) AS blueprint_id, unnest(@created::timestamptz[]) AS created_at,
               unnest(@annotations::text[]) AS annotation) w;

-- name: JournalMessageEnds :exec
-- @batch
-- The text is given, or else joined from its pieces, which are dropped later (ChunkStretches). To end
-- a message a second time is an error.
WITH ended AS (
  UPDATE message m
     SET status = w.status,
         text = CASE WHEN w.is_given THEN w.text
                     ELSE m.text || coalesce((SELECT string_agg(k.text, '' ORDER BY k.byte_offset)
                                                FROM message_chunk k WHERE k.message_id = m.id), '') END
    FROM (SELECT unnest(@ids::uuid[]) AS id, unnest(@conversations::uuid[]) AS conversation_id, unnest(@statuses::text[]) AS status,
                 unnest(@given::boolean[]) AS is_given, unnest(@texts::text[]) AS text) w
   WHERE m.id = w.id AND m.conversation_id = w.conversation_id AND m.status = 'streaming'
  RETURNING m.id
)
SELECT expect_rows(count(*), cardinality(@ids::uuid[])) FROM ended;

-- name: JournalObjects :exec
-- @batch
INSERT INTO display_object (id, conversation_id, message_id, org_id, name, type, language, content_type, size, file_key, columns,
  created_at)
SELECT unnest(@ids::uuid[]), unnest(@conversations::uuid[]), unnest(@messages::uuid[]), unnest(@orgs::bigint[]), unnest(@names::text[]),
       unnest(@types::text[]), unnest(@languages::text[]), unnest(@content_types::text[]), unnest(@sizes::bigint[]),
       unnest(@file_keys::text[]), nullif(unnest(@columns::text[]), '')::json, unnest(@created::timestamptz[]);

-- name: JournalAnnotations :exec
-- @batch
-- The fields of an annotation replace the stored ones; fields that it does not have stay.
UPDATE message m SET annotation = m.annotation || w.annotation::jsonb
  FROM (SELECT unnest(@ids::uuid[]) AS id, unnest(@conversations::uuid[]) AS conversation_id, unnest(@annotations::text[]) AS annotation) w
 WHERE m.id = w.id AND m.conversation_id = w.conversation_id;

-- name: JournalTurnStarts :exec
-- @batch
-- A turn that exists already starts again only with a higher attempt, and never after its end.
WITH started AS (
INSERT INTO turn AS t (id, conversation_id, org_id, prompt_id, user_id, analyst_id, attempt, status, plan, started_at)
SELECT unnest(@ids::uuid[]), unnest(@conversations::uuid[]), unnest(@orgs::bigint[]), unnest(@prompts::uuid[]), unnest(@users::bigint[]),
       unnest(@analysts::bigint[]), unnest(@attempts::int[]), 'running', nullif(unnest(@plans::text[]), '')::json,
       unnest(@started::timestamptz[])
ON CONFLICT (id) DO UPDATE SET attempt = excluded.attempt
 WHERE t.attempt < excluded.attempt AND t.status = 'running' AND t.conversation_id = excluded.conversation_id
RETURNING t.id
)
SELECT expect_rows(count(*), cardinality(@ids::uuid[])) FROM started;

-- name: JournalTurnEnds :exec
-- @batch
-- The key of the table permits one end for each turn.
INSERT INTO turn_end (turn_id, conversation_id, org_id, status, reason)
SELECT unnest(@turns::uuid[]), unnest(@conversations::uuid[]), unnest(@orgs::bigint[]), unnest(@statuses::text[]), unnest(@reasons::text[]);

-- name: JournalTurnsEnded :exec
-- @batch
WITH ended AS (
  UPDATE turn t SET status = e.status, reason = e.reason, ended_at = e.at
    FROM turn_end e
   WHERE e.turn_id = ANY(@turns::uuid[]) AND t.id = e.turn_id AND t.conversation_id = e.conversation_id AND t.status = 'running'
  RETURNING t.id
)
SELECT expect_rows(count(*), cardinality(@turns::uuid[])) FROM ended;

-- name: JournalSteps :exec
-- @batch
-- A finished step stays as it is: its output is used again and never computed a second time.
INSERT INTO step AS s (turn_id, number, org_id, attempt, kind, name, effect, status, input, output, started_at, finished_at)
SELECT unnest(@turns::uuid[]), unnest(@numbers::int[]), unnest(@orgs::bigint[]), unnest(@attempts::int[]), unnest(@kinds::text[]),
       unnest(@names::text[]), unnest(@effects::boolean[]), unnest(@statuses::text[]),
       nullif(unnest(@inputs::text[]), '')::json, nullif(unnest(@outputs::text[]), '')::json,
       nullif(unnest(@started::timestamptz[]), '0001-01-01 00:00:00+00'), nullif(unnest(@finished::timestamptz[]), '0001-01-01 00:00:00+00')
ON CONFLICT (turn_id, number) DO UPDATE
   SET attempt = excluded.attempt, kind = excluded.kind, name = excluded.name, effect = excluded.effect, status = excluded.status,
       input = coalesce(excluded.input, s.input), output = coalesce(excluded.output, s.output),
       started_at = coalesce(excluded.started_at, s.started_at), finished_at = coalesce(excluded.finished_at, s.finished_at)
 WHERE s.status <> 'finished';

-- name: JournalUsage :exec
-- @batch
-- A call is counted once: one that is stored already adds nothing to the credits.
WITH counted AS (
  INSERT INTO usage (turn_id, step, attempt, org_id, conversation_id, user_id, provider, model, input_tokens, output_tokens, credits)
  SELECT unnest(@turns::uuid[]), unnest(@steps::int[]), unnest(@attempts::int[]), unnest(@orgs::bigint[]), unnest(@conversations::uuid[]),
         unnest(@users::bigint[]), unnest(@providers::text[]), unnest(@models::text[]), unnest(@input_tokens::bigint[]),
         unnest(@output_tokens::bigint[]), unnest(@credits::float8[])::numeric
  ON CONFLICT (turn_id, step, attempt) DO NOTHING
  RETURNING conversation_id, credits
)
UPDATE conversation c SET credits = c.credits + n.credits
  FROM (SELECT k.conversation_id, sum(k.credits) AS credits FROM counted k GROUP BY k.conversation_id) n
 WHERE c.id = n.conversation_id;

-- name: JournalUpdate :exec
-- @batch
-- Null leaves a field as it is.
UPDATE conversation
   SET name = coalesce(sqlc.narg(name)::text, name), description = coalesce(sqlc.narg(description)::text, description),
       data_sources = coalesce(sqlc.narg(data_sources)::bigint[], data_sources),
       project_labels = coalesce(sqlc.narg(project_labels)::bigint[], project_labels)
 WHERE id = @id;

-- name: JournalCut :exec
-- @batch
UPDATE message SET cut_generation = @generation::bigint
 WHERE conversation_id = @conversation_id AND seq >= @from_seq AND cut_generation IS NULL;

-- name: JournalSummaries :exec
-- @batch @call
-- The latest summary of each conversation that no rewind has cut, or an empty text. Only rows whose
-- summary has changed are written.
UPDATE conversation c SET status_summary = now.summary
  FROM (SELECT k.id, coalesce((SELECT left(m.text, 300) FROM message m
                                WHERE m.conversation_id = k.id AND m.role = 'summary' AND m.cut_generation IS NULL AND m.status = 'complete'
                                ORDER BY m.seq DESC LIMIT 1), '') AS summary
          FROM unnest(@conversations::uuid[]) AS k(id)) now
 WHERE c.id = now.id AND c.status_summary <> now.summary;

-- name: JournalDelete :exec
-- @batch
-- Makes the row a tombstone and raises its fence, so that no owner can write any more.
UPDATE conversation SET deleted_at = clock_timestamp(), epoch = epoch + 1, activation = NULL, node = NULL WHERE id = $1;

-- name: JournalDeleteSnapshot :exec
-- @batch
DELETE FROM conversation_snapshot WHERE conversation_id = $1;

-- name: JournalDeleteTurns :exec
-- @batch
-- Ends the turn of a deleted conversation if it still runs.
WITH ended AS (
  UPDATE turn t SET status = 'stopped', ended_at = clock_timestamp() WHERE t.conversation_id = $1 AND t.status = 'running'
  RETURNING t.id, t.conversation_id, t.org_id
)
INSERT INTO turn_end (turn_id, conversation_id, org_id, status) SELECT id, conversation_id, org_id, 'stopped' FROM ended
ON CONFLICT DO NOTHING;

-- name: JournalSnapshots :exec
-- @batch
UPDATE conversation_snapshot s
   SET seq = w.seq, epoch = w.epoch, schema_version = w.schema_version, checksum = w.checksum, body = w.body
  FROM (SELECT unnest(@ids::uuid[]) AS id, unnest(@seqs::bigint[]) AS seq, unnest(@epochs::bigint[]) AS epoch,
               unnest(@versions::int[]) AS schema_version, unnest(@checksums::bigint[]) AS checksum, unnest(@bodies::bytea[]) AS body) w
 WHERE s.conversation_id = w.id AND s.epoch <= w.epoch;

-- name: JournalReadersBefore :many
-- @batch
-- The people who may read before the grants of a write are applied. It runs while its rows are locked.
SELECT DISTINCT r.conversation_id, r.user_id FROM conversation_reader r WHERE r.conversation_id = ANY(@conversations::uuid[]);

-- name: JournalReaders :exec
-- @batch
-- Locks the people whose logs get the drafts, and those who have just lost the right, in the order
-- of their ids, so that two groups never wait for each other. Conversations are locked before people.
SELECT u.id FROM app_user u
 WHERE u.id IN (SELECT r.user_id FROM conversation_reader r WHERE r.conversation_id = ANY(@conversations::uuid[]))
    OR u.id = ANY(@others::bigint[])
 ORDER BY u.id FOR NO KEY UPDATE;

-- name: JournalAccessEvents :many
-- @batch
-- The logs of people who have got the right to read say that the conversation was created; the logs
-- of people who have lost it say that it was deleted.
WITH before AS (
  SELECT unnest(@before_conversations::uuid[]) AS conversation_id, unnest(@before_users::bigint[]) AS user_id
), since AS (
  SELECT DISTINCT r.conversation_id, r.user_id FROM conversation_reader r WHERE r.conversation_id = ANY(@conversations::uuid[])
), entry AS MATERIALIZED (
  SELECT b.conversation_id, b.user_id, 'conversation.deleted' AS type, json_build_object('id', b.conversation_id)::text AS data
    FROM before b
   WHERE NOT EXISTS (SELECT FROM since a WHERE a.conversation_id = b.conversation_id AND a.user_id = b.user_id)
  UNION ALL
  SELECT a.conversation_id, a.user_id, 'conversation.created',
         json_build_object('id', c.id, 'name', c.name, 'description', c.description, 'dataSources', c.data_sources)::text
    FROM since a JOIN conversation c ON c.id = a.conversation_id
   WHERE NOT EXISTS (SELECT FROM before b WHERE b.conversation_id = a.conversation_id AND b.user_id = a.user_id)
), placed AS (
  SELECT e.*, row_number() OVER (PARTITION BY e.user_id ORDER BY e.conversation_id) AS place FROM entry e
), raised AS (
  UPDATE app_user u SET next_seq = u.next_seq + n.entries
    FROM (SELECT e.user_id, count(*) AS entries FROM entry e GROUP BY e.user_id) n
   WHERE u.id = n.user_id
  RETURNING u.id, u.uuid, u.org_id, u.next_seq - n.entries AS first, u.session_node
), written AS (
  INSERT INTO user_event (user_id, seq, org_id, type, data, at)
  SELECT p.user_id, r.first + p.place - 1, r.org_id, p.type, p.data::json, @at::timestamptz FROM placed p JOIN raised r ON r.id = p.user_id
)
SELECT p.conversation_id::uuid AS conversation_id, p.user_id::bigint AS user_id, r.uuid, (r.first + p.place - 1)::bigint AS seq,
       p.type::text AS type,
       p.data::text AS data, coalesce(r.session_node, '')::text AS home
  FROM placed p JOIN raised r ON r.id = p.user_id
 ORDER BY p.user_id, p.place;

-- name: JournalUserEvents :many
-- @batch
-- Writes each draft to the log of every reader of its conversation. number identifies the draft.
WITH draft AS (
  SELECT unnest(@numbers::bigint[]) AS number, unnest(@conversations::uuid[]) AS conversation_id, unnest(@types::text[]) AS type,
         unnest(@data::text[]) AS data, unnest(@ats::timestamptz[]) AS at
), entry AS MATERIALIZED (
  SELECT DISTINCT d.number, d.type, d.data, d.at, r.user_id
    FROM draft d JOIN conversation_reader r ON r.conversation_id = d.conversation_id
), placed AS (
  SELECT e.*, row_number() OVER (PARTITION BY e.user_id ORDER BY e.number) AS place FROM entry e
), raised AS (
  UPDATE app_user u SET next_seq = u.next_seq + n.entries
    FROM (SELECT user_id, count(*) AS entries FROM entry GROUP BY user_id) n
   WHERE u.id = n.user_id
  RETURNING u.id, u.uuid, u.org_id, u.next_seq - n.entries AS first, u.session_node
), written AS (
  INSERT INTO user_event (user_id, seq, org_id, type, data, at)
  SELECT p.user_id, r.first + p.place - 1, r.org_id, p.type, p.data::json, p.at FROM placed p JOIN raised r ON r.id = p.user_id
)
SELECT p.number::bigint AS number, p.user_id::bigint AS user_id, r.uuid, (r.first + p.place - 1)::bigint AS seq,
       coalesce(r.session_node, '')::text AS home
  FROM placed p JOIN raised r ON r.id = p.user_id
 ORDER BY p.user_id, p.place;

-- name: JournalUnread :exec
-- @batch
-- Adds one unread entry for every reader except the person who caused it.
INSERT INTO conversation_person AS p (user_id, conversation_id, org_id, unread)
SELECT r.user_id, w.conversation_id, c.org_id, count(DISTINCT w.number)::int
  FROM (SELECT unnest(@numbers::bigint[]) AS number, unnest(@conversations::uuid[]) AS conversation_id,
    unnest(@excepts::bigint[]) AS except_id) w
  JOIN conversation c ON c.id = w.conversation_id
  JOIN conversation_reader r ON r.conversation_id = c.id AND r.user_id <> w.except_id
 GROUP BY r.user_id, w.conversation_id, c.org_id
 ORDER BY r.user_id, w.conversation_id
ON CONFLICT (user_id, conversation_id) DO UPDATE SET unread = p.unread + excluded.unread;

-- name: JournalGrantUsers :exec
-- @batch
-- A person who does not exist, or who belongs to another organisation, makes the whole write fail.
-- The owner needs no grant.
WITH known AS (
  SELECT u.id FROM app_user u WHERE u.id = ANY(@users::bigint[]) AND u.org_id = @org_id::bigint
), checked AS (
  SELECT expect_rows(count(*), cardinality(@users::bigint[])) FROM known
)
INSERT INTO conversation_grant (conversation_id, org_id, user_id, permission)
SELECT @conversation_id::uuid, @org_id::bigint, w.user_id, w.permission
  FROM (SELECT unnest(@users::bigint[]) AS user_id, unnest(@permissions::text[]) AS permission) w, checked
 WHERE w.user_id <> (SELECT c.owner_id FROM conversation c WHERE c.id = @conversation_id::uuid)
ON CONFLICT (conversation_id, user_id) DO UPDATE SET permission = excluded.permission;

-- name: JournalGrantTeams :exec
-- @batch
WITH known AS (
  SELECT t.id FROM team t WHERE t.id = ANY(@teams::bigint[]) AND t.org_id = @org_id::bigint
), checked AS (
  SELECT expect_rows(count(*), cardinality(@teams::bigint[])) FROM known
)
INSERT INTO conversation_grant (conversation_id, org_id, team_id, permission)
SELECT @conversation_id::uuid, @org_id::bigint, w.team_id, w.permission
  FROM (SELECT unnest(@teams::bigint[]) AS team_id, unnest(@permissions::text[]) AS permission) w, checked
ON CONFLICT (conversation_id, team_id) DO UPDATE SET permission = excluded.permission;

-- name: JournalGranteesKnown :exec
-- @batch
-- People and teams whose right is removed must exist, like those who are given one (JournalGrantUsers).
SELECT expect_rows((SELECT count(*) FROM app_user u WHERE u.id = ANY(@users::bigint[]) AND u.org_id = @org_id::bigint)
                 + (SELECT count(*) FROM team t WHERE t.id = ANY(@teams::bigint[]) AND t.org_id = @org_id::bigint),
                   cardinality(@users::bigint[]) + cardinality(@teams::bigint[]));

-- name: JournalRevoke :exec
-- @batch
DELETE FROM conversation_grant
 WHERE conversation_id = @conversation_id AND (user_id = ANY(@users::bigint[]) OR team_id = ANY(@teams::bigint[]));

-- name: JournalAccessChanged :exec
-- @batch
UPDATE conversation SET access_version = access_version + 1 WHERE id = $1;

-- name: JournalRecover :many
-- @batch
-- The newest entry in the log of every reader of some conversations, of their owners (a deleted
-- conversation has no readers), and of the given people and members of the given teams, who may
-- have just lost the right to read.
SELECT u.id AS user_id, u.uuid, coalesce(u.session_node, '')::text AS home, e.seq, e.type, e.data, e.at
  FROM app_user u JOIN user_event e ON e.user_id = u.id AND e.seq = u.next_seq - 1
 WHERE u.id IN (SELECT r.user_id FROM conversation_reader r WHERE r.conversation_id = ANY(@conversations::uuid[])
                 UNION SELECT c.owner_id FROM conversation c WHERE c.id = ANY(@conversations::uuid[])
                 UNION SELECT unnest(@users::bigint[])
                 UNION SELECT t.user_id FROM team_member t WHERE t.team_id = ANY(@teams::bigint[]));
