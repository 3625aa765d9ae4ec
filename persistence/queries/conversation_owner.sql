-- name: ConversationClaim :many
-- @batch @row:ConversationClaimed
-- The old owner can never write again. An owner on another node that has a lease keeps the row, unless
-- it is one of the silent nodes, with which the claimer cannot talk. The row is locked first, because the
-- update returns only its own node, and so that of two who claim at once the second finds the first.
WITH before AS MATERIALIZED (
  SELECT c.id,
         EXISTS (SELECT FROM cluster_member m
                  WHERE m.node = c.node AND m.node <> @node::text AND m.expires_at > clock_timestamp()) AS owner_lives,
         coalesce(c.node = ANY(@silent::text[]), false) AS silent
    FROM conversation c WHERE c.id = @id AND c.deleted_at IS NULL FOR NO KEY UPDATE OF c
), k AS (
  SELECT b.id, b.owner_lives, b.owner_lives AND NOT b.silent AS kept FROM before b
)
UPDATE conversation c SET epoch = CASE WHEN k.kept THEN c.epoch ELSE c.epoch + 1 END,
       activation = CASE WHEN k.kept THEN c.activation ELSE @activation END,
       node = CASE WHEN k.kept THEN c.node ELSE @node::text END,
       claimed_at = CASE WHEN k.kept THEN c.claimed_at ELSE clock_timestamp() END
  FROM k
 WHERE c.id = k.id
RETURNING c.id, c.epoch, c.org_id, c.next_seq, c.generation, c.owner_id, c.name, c.access_version, c.data_sources,
          c.credits::double precision AS credits, c.requests, k.owner_lives::bool AS owner_lives, k.kept::bool AS kept;

-- name: ConversationClaimFree :many
-- @batch @row:ConversationClaimed
-- ConversationClaim for many: it claims the rows that no other transaction has locked. Rows are
-- locked without waiting, so their order does not matter; it is the same as in other queries.
-- A pair of silent_ids and silent_nodes says that the one who claims an id cannot talk with a node.
WITH free AS MATERIALIZED (
  SELECT c.id, w.activation, w.node,
         EXISTS (SELECT FROM cluster_member m
                  WHERE m.node = c.node AND m.node <> w.node AND m.expires_at > clock_timestamp()) AS owner_lives,
         EXISTS (SELECT FROM (SELECT unnest(@silent_ids::uuid[]) AS id, unnest(@silent_nodes::text[]) AS node) x
                  WHERE x.id = c.id AND x.node = c.node) AS silent
    FROM conversation c,
         (SELECT unnest(@ids::uuid[]) AS id, unnest(@activations::uuid[]) AS activation, unnest(@nodes::text[]) AS node) w
   WHERE c.id = w.id AND c.deleted_at IS NULL
   ORDER BY c.id FOR NO KEY UPDATE OF c SKIP LOCKED
), k AS (
  SELECT f.id, f.activation, f.node, f.owner_lives, f.owner_lives AND NOT f.silent AS kept FROM free f
)
UPDATE conversation c SET epoch = CASE WHEN k.kept THEN c.epoch ELSE c.epoch + 1 END,
       activation = CASE WHEN k.kept THEN c.activation ELSE k.activation END,
       node = CASE WHEN k.kept THEN c.node ELSE k.node END,
       claimed_at = CASE WHEN k.kept THEN c.claimed_at ELSE clock_timestamp() END
  FROM k
 WHERE c.id = k.id
RETURNING c.id, c.epoch, c.org_id, c.next_seq, c.generation, c.owner_id, c.name, c.access_version, c.data_sources,
          c.credits::double precision AS credits, c.requests, k.owner_lives::bool AS owner_lives, k.kept::bool AS kept;

-- name: ConversationSnapshots :many
-- @batch
SELECT conversation_id, seq, epoch, schema_version, checksum, body FROM conversation_snapshot
 WHERE conversation_id = ANY(@ids::uuid[]) AND seq > 0;

-- name: TurnsRunning :many
-- @batch
SELECT t.id, t.conversation_id, t.prompt_id, t.user_id, t.analyst_id, t.attempt, t.status, t.reason, t.started_at, t.plan,
       EXISTS (SELECT FROM message m WHERE m.turn_id = t.id AND m.cut_generation IS NULL AND m.role IN ('assistant', 'summary')
                  AND (m.text <> '' OR EXISTS (SELECT FROM message_chunk k WHERE k.message_id = m.id))) AS spoke,
       (SELECT coalesce(sum(octet_length(m.text)), 0) FROM message m
         WHERE m.turn_id = t.id AND m.cut_generation IS NULL AND m.role IN ('assistant', 'summary')
           AND m.status <> 'streaming')::bigint AS answered,
       EXISTS (SELECT FROM task_run r WHERE r.turn_id = t.id) AS scheduled
  FROM turn t WHERE t.conversation_id = ANY(@ids::uuid[]) AND t.status = 'running';

-- name: TurnsRunningSteps :many
-- @batch
SELECT s.turn_id, s.number, s.attempt, s.kind, s.name, s.effect, s.status, s.input, s.output, s.started_at, s.finished_at
  FROM turn t JOIN step s ON s.turn_id = t.id
 WHERE t.conversation_id = ANY(@ids::uuid[]) AND t.status = 'running'
 ORDER BY s.turn_id, s.number;

-- name: TurnsRunningMessages :many
-- @batch
-- The prompts of the running turns, and the messages that are still being written.
SELECT m.*
  FROM (SELECT t.conversation_id, t.prompt_id AS id FROM turn t WHERE t.conversation_id = ANY(@ids::uuid[]) AND t.status = 'running'
        UNION
        SELECT t.conversation_id, k.id FROM turn t JOIN message k ON k.conversation_id = t.conversation_id AND k.status = 'streaming'
          AND k.cut_generation IS NULL
         WHERE t.conversation_id = ANY(@ids::uuid[]) AND t.status = 'running') i
  JOIN message_shown m ON m.id = i.id AND m.conversation_id = i.conversation_id
 ORDER BY m.conversation_id, m.seq;

-- name: TurnsStopped :many
-- @batch
-- The last prompt of each conversation that no rewind has cut, if its turn was stopped and neither a
-- message nor a rewind has followed.
SELECT m.*
  FROM (SELECT unnest(@ids::uuid[]) AS conversation_id) w
 CROSS JOIN LATERAL (
        SELECT k.id FROM message k
         WHERE k.conversation_id = w.conversation_id AND k.cut_generation IS NULL AND k.role = 'user'
         ORDER BY k.seq DESC LIMIT 1) i
  JOIN message_shown m ON m.id = i.id AND m.conversation_id = w.conversation_id
  JOIN conversation c ON c.id = m.conversation_id AND c.generation = m.generation
  JOIN turn t ON t.id = m.turn_id AND t.status = 'stopped';

-- name: TurnAnalyst :one
-- @batch
SELECT analyst_id FROM turn WHERE id = $1;

-- name: ConversationRelease :exec
UPDATE conversation SET node = NULL WHERE id = @id AND epoch = @epoch AND activation = @activation;

-- name: ConversationHomes :many
SELECT c.id, coalesce(m.node, '')::text AS node
  FROM conversation c LEFT JOIN cluster_member m ON m.node = c.node
 WHERE c.id = ANY(@ids::uuid[]);

-- name: ConversationWhereabouts :one
-- Operators ask for any conversation by its id; nothing that people have written is read.
SELECT coalesce(c.node, '')::text AS node, c.claimed_at, c.epoch, (c.next_seq - 1)::bigint AS head,
       (c.deleted_at IS NOT NULL)::bool AS deleted, t.started_at AS running_since
  FROM conversation c
  LEFT JOIN turn t ON t.conversation_id = c.id AND t.status = 'running'
 WHERE c.id = @id
 ORDER BY t.started_at DESC LIMIT 1;

-- name: ConversationAttendants :many
-- @batch
-- It returns no name of a person of another organisation than the conversation's.
SELECT k.conversation_id::uuid AS conversation_id, u.uuid, u.full_name
  FROM (SELECT unnest(@conversations::uuid[]) AS conversation_id, unnest(@people::uuid[]) AS person) k
  JOIN conversation c ON c.id = k.conversation_id AND c.deleted_at IS NULL
  JOIN app_user u ON u.uuid = k.person AND u.org_id = c.org_id
 ORDER BY u.uuid;

-- name: ConversationSuperseded :many
-- @batch
SELECT c.id, c.epoch, (c.deleted_at IS NOT NULL)::bool AS deleted FROM conversation c WHERE c.id = ANY(@ids::uuid[]) AND c.node IS DISTINCT
  FROM @node::text;

-- name: ConversationOrphans :many
-- @batch
SELECT t.conversation_id
  FROM turn t
  JOIN conversation c ON c.id = t.conversation_id AND c.deleted_at IS NULL
 WHERE t.status = 'running'
   AND NOT EXISTS (SELECT FROM cluster_member m WHERE m.node = c.node AND m.expires_at > clock_timestamp())
 ORDER BY t.started_at
 LIMIT @size::bigint;

-- name: ConversationAccesses :many
SELECT c.id, k.user_id::bigint AS user_id, c.access_version,
       coalesce((SELECT max(r.rank) FROM conversation_reader r WHERE r.conversation_id = c.id AND r.user_id = k.user_id), 0)::int AS rank
  FROM (SELECT unnest(@ids::uuid[]) AS id, unnest(@users::bigint[]) AS user_id) k
  JOIN conversation c ON c.id = k.id AND c.deleted_at IS NULL;

-- name: ConversationStored :many
-- @batch
-- One row for each message that is being written, or one row without a message if there is none:
-- one query, so that all of it is of the same moment.
SELECT c.epoch, c.generation, (c.next_seq - 1)::bigint AS head,
       coalesce((SELECT max(r.rank) FROM conversation_reader r WHERE r.conversation_id = c.id AND r.user_id = @user_id), 0)::int AS rank,
       m.id AS message,
       coalesce(octet_length(m.text) + (SELECT sum(octet_length(k.text)) FROM message_chunk k WHERE k.message_id = m.id),
       octet_length(m.text), 0)::bigint AS length
  FROM conversation c
  LEFT JOIN message m ON m.conversation_id = c.id AND m.status = 'streaming' AND m.cut_generation IS NULL
 WHERE c.id = @id AND c.org_id = @org_id AND c.deleted_at IS NULL
 ORDER BY m.created_at, m.id;

-- name: ConversationDeletion :one
-- @batch
-- The log's entry about a deletion, for all who could read the conversation until then.
SELECT e.seq, e.type, e.epoch, e.generation, e.data, e.at
  FROM conversation c
 CROSS JOIN LATERAL (
       SELECT l.seq, l.type, l.epoch, l.generation, l.data, l.at FROM conversation_event l
        WHERE l.conversation_id = c.id ORDER BY l.seq DESC LIMIT 1) e
 WHERE c.id = @id AND c.deleted_at IS NOT NULL AND e.type = 'conversation.deleted'
   AND (c.owner_id = @user_id OR EXISTS (SELECT FROM conversation_reader r WHERE r.conversation_id = c.id AND r.user_id = @user_id));

-- name: ConversationEvents :many
-- @batch
SELECT seq, type, epoch, generation, data, at FROM conversation_event
 WHERE conversation_id = @conversation_id AND seq > @after
 ORDER BY seq LIMIT @size::bigint;
