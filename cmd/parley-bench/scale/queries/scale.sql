-- A big organisation for measurements. Its contents depend on the seed alone, and existing rows
-- stay: a second run adds nothing.

-- name: OrganisationGet :one
-- The organisation, the default agent of its people, and the day before which all events have
-- happened.
SELECT o.id, a.id AS analyst_id, date_trunc('day', o.created_at)::timestamptz AS day
  FROM organisation o JOIN analyst a ON a.org_id = o.id AND a.is_default
 WHERE o.name = $1;

-- name: PeopleInsert :exec
INSERT INTO app_user (uuid, org_id, email, full_name, is_superuser, scheduled_task_view, upload_credentials)
SELECT md5(sqlc.arg(seed)::bigint || '/person/' || n)::uuid, sqlc.arg(org_id), 'scale-' || lpad(n::text, greatest(4, length(n::text)),
       '0') || '@scale.example',
       (sqlc.arg(first_names)::text[])[1 + n % cardinality(sqlc.arg(first_names))] || ' '
       || (sqlc.arg(last_names)::text[])[1 + n / cardinality(sqlc.arg(first_names)) % cardinality(sqlc.arg(last_names))],
       n % 100 = 0, n % 2 = 0, n % 50 = 0
  FROM generate_series(1, sqlc.arg(people)::int) AS n
ON CONFLICT DO NOTHING;

-- name: PeopleIDs :many
SELECT id FROM app_user WHERE org_id = $1 AND email LIKE 'scale-%@scale.example' ORDER BY email;

-- name: TeamsInsert :exec
INSERT INTO team (org_id, name) SELECT sqlc.arg(org_id), 'Team ' || lpad(n::text, 3, '0') FROM generate_series(1, sqlc.arg(teams)::int) AS n
ON CONFLICT DO NOTHING;

-- name: TeamIDs :many
SELECT id FROM team WHERE org_id = $1 AND name LIKE 'Team %' ORDER BY name;

-- name: TeamMembersInsert :exec
INSERT INTO team_member (team_id, user_id, org_id) SELECT unnest(sqlc.arg(teams)::bigint[]), unnest(sqlc.arg(users)::bigint[]),
  sqlc.arg(org_id)
ON CONFLICT DO NOTHING;

-- name: LabelsInsert :exec
INSERT INTO project_label (org_id, owner_id, name, description, color, seed)
SELECT sqlc.arg(org_id), (sqlc.arg(people)::bigint[])[1 + n * 7 % cardinality(sqlc.arg(people))],
       (sqlc.arg(topics)::text[])[1 + n % cardinality(sqlc.arg(topics))] || ' ' || n,
       'All that belongs to project ' || n, '#' || substr(md5(n::text), 1, 6), 'scale-' || sqlc.arg(seed)::bigint || '-' || n
  FROM generate_series(1, sqlc.arg(labels)::int) AS n
ON CONFLICT (org_id, seed) DO NOTHING;

-- name: LabelIDs :many
SELECT id FROM project_label WHERE org_id = $1 AND seed LIKE 'scale-%' ORDER BY id;

-- name: MemoriesInsert :exec
INSERT INTO memory (org_id, owner_id, name, question, response, type_id, source_id, labels, is_enabled, always_recalled, term_count, seed,
  created_at, updated_at)
SELECT sqlc.arg(org_id), w.owner_id, left(w.question, 60), w.question, 'SELECT sum(amount) FROM orders -- ' || w.n,
       t.ids[1 + w.n % cardinality(t.ids)], s.id,
       ARRAY[l.ids[1 + w.n % cardinality(l.ids)]], w.n % 20 <> 0, w.n % 200 = 0, w.terms, 'scale-' || sqlc.arg(seed)::bigint || '-' || w.n,
       sqlc.arg(day)::timestamptz - make_interval(mins => w.n::int), sqlc.arg(day) - make_interval(mins => w.n::int)
  FROM (SELECT generate_subscripts(sqlc.arg(questions)::text[], 1) AS n, unnest(sqlc.arg(questions)) AS question,
    unnest(sqlc.arg(term_counts)::int[]) AS terms, unnest(sqlc.arg(owners)::bigint[]) AS owner_id) w,
       (SELECT array_agg(id ORDER BY id)::bigint[] AS ids FROM memory_type WHERE org_id = sqlc.arg(org_id)) t,
       (SELECT array_agg(id ORDER BY id)::bigint[] AS ids FROM memory_label WHERE org_id = sqlc.arg(org_id)) l,
       memory_source s
 WHERE s.org_id = sqlc.arg(org_id) AND s.name = 'manual'
ON CONFLICT (org_id, seed) DO NOTHING;

-- name: MemoryTermsInsert :exec
INSERT INTO memory_term (org_id, term, memory_id)
SELECT sqlc.arg(org_id), w.term, m.id
  FROM (SELECT unnest(sqlc.arg(places)::bigint[]) AS n, unnest(sqlc.arg(terms)::text[]) AS term) w
  JOIN memory m ON m.org_id = sqlc.arg(org_id) AND m.seed = 'scale-' || sqlc.arg(seed)::bigint || '-' || w.n
ON CONFLICT DO NOTHING;

-- name: AnalystsInsert :exec
WITH made AS (
  INSERT INTO analyst (org_id, owner_id, name, description, controller, provider, model, is_enabled)
  SELECT sqlc.arg(org_id), (sqlc.arg(people)::bigint[])[1 + n * 13 % cardinality(sqlc.arg(people))], 'agent-' || n,
         'Knows about ' || (sqlc.arg(topics)::text[])[1 + n % cardinality(sqlc.arg(topics))],
         'analyst', 'builtin', 'builtin', n % 10 <> 0
    FROM generate_series(1, sqlc.arg(analysts)::int) AS n
  ON CONFLICT (org_id, name) DO NOTHING
  RETURNING id
)
INSERT INTO analyst_grant (analyst_id, org_id, team_id)
SELECT made.id, sqlc.arg(org_id), (sqlc.arg(teams)::bigint[])[1 + made.id % cardinality(sqlc.arg(teams))] FROM made WHERE made.id % 3 <> 0;

-- name: SourcesInsert :exec
WITH made AS (
  INSERT INTO data_source (org_id, owner_id, name, description, type, scope, file_name, size, seed)
  SELECT sqlc.arg(org_id), w.owner_id, (sqlc.arg(topics)::text[])[1 + w.n % cardinality(sqlc.arg(topics))] || ' ' || w.n,
         'Rows about ' || (sqlc.arg(topics))[1 + w.n % cardinality(sqlc.arg(topics))],
         'csv', CASE WHEN w.n % 40 = 0 THEN 'organization' ELSE 'user' END, 'rows-' || w.n || '.csv', 100000 + w.n,
         'scale-' || sqlc.arg(seed)::bigint || '-' || w.n
    FROM (SELECT generate_subscripts(sqlc.arg(owners)::bigint[], 1) AS n, unnest(sqlc.arg(owners)) AS owner_id) w
  ON CONFLICT (org_id, seed) DO NOTHING
  RETURNING id, owner_id
), tables AS (
  INSERT INTO data_resource (data_source_id, org_id, name, table_name, columns, row_count)
  SELECT made.id, sqlc.arg(org_id), 'Rows', 'rows',
         '[{"name":"country","type":"text"},{"name":"amount","type":"number"},{"name":"day","type":"date"}]', 1000 + made.id % 5000
    FROM made
), people AS (
  INSERT INTO data_source_grant (data_source_id, org_id, user_id, permission)
  SELECT made.id, sqlc.arg(org_id), p.id, CASE WHEN made.id % 3 = 0 THEN 'write' ELSE 'read' END
    FROM made, LATERAL (SELECT (sqlc.arg(people)::bigint[])[1 + made.id * 31 % cardinality(sqlc.arg(people))] AS id) p
   WHERE made.id % 5 = 0 AND p.id <> made.owner_id
)
INSERT INTO data_source_grant (data_source_id, org_id, team_id, permission)
SELECT made.id, sqlc.arg(org_id), (sqlc.arg(teams)::bigint[])[1 + made.id % cardinality(sqlc.arg(teams))], 'read' FROM made
  WHERE made.id % 5 = 1;

-- name: SourceIDs :many
SELECT id FROM data_source WHERE org_id = $1 AND seed LIKE 'scale-%' ORDER BY id;

-- name: CategoriesInsert :exec
INSERT INTO use_case_category (org_id, name) SELECT sqlc.arg(org_id), unnest(sqlc.arg(topics)::text[]) ON CONFLICT DO NOTHING;

-- name: BlueprintsInsert :exec
-- One in a hundred belongs to the library. Of the others, some are shared with a person or a team,
-- and some are favourites of their owners.
WITH made AS (
  INSERT INTO blueprint (org_id, owner_id, name, description, project_labels, use_case_categories, input_parameters, needs_inputs,
    initial_message,
                         is_library, is_archived, seed, created_at, updated_at)
  SELECT sqlc.arg(org_id), CASE WHEN w.n % 100 = 0 THEN NULL
    ELSE w.owner_id END, (sqlc.arg(topics)::text[])[1 + w.n % cardinality(sqlc.arg(topics))] || ' blueprint ' || w.n,
         'Looks at ' || (sqlc.arg(topics))[1 + w.n % cardinality(sqlc.arg(topics))]
         || ' step by step and sums it up for a reader in a hurry.',
         CASE WHEN w.n % 4 = 0 THEN ARRAY[(sqlc.arg(labels)::bigint[])[1 + w.n % cardinality(sqlc.arg(labels))]] ELSE '{}' END,
         CASE WHEN w.n % 100 = 0 THEN ARRAY[k.ids[1 + w.n / 100 % cardinality(k.ids)]] ELSE '{}' END,
         CASE WHEN w.n % 3 = 0 THEN 'Month: the month to look at' ELSE '' END, w.n % 3 = 0, 'Please do it.',
         w.n % 100 = 0, w.n % 20 = 7, 'scale-' || sqlc.arg(seed)::bigint || '-' || w.n,
         sqlc.arg(day)::timestamptz - make_interval(mins => (w.n * 17 % 500000)::int),
         sqlc.arg(day) - make_interval(mins => (w.n * 7 % 200000)::int)
    FROM (SELECT generate_subscripts(sqlc.arg(owners)::bigint[], 1) AS n, unnest(sqlc.arg(owners)) AS owner_id) w,
         (SELECT array_agg(id ORDER BY id)::bigint[] AS ids FROM use_case_category WHERE org_id = sqlc.arg(org_id)) k
  ON CONFLICT (org_id, seed) DO NOTHING
  RETURNING id, owner_id, created_at
), steps AS (
  INSERT INTO blueprint_step (org_id, blueprint_id, place, name, detailed_instructions, code, language, created_at)
  SELECT sqlc.arg(org_id), made.id, k, 'Step ' || k,
         'Sum the amounts by country and month, and look at what has changed most since the month before.',
         CASE WHEN k = 1 THEN 'SELECT country, sum(amount) FROM rows GROUP BY country' ELSE '' END, CASE WHEN k = 1 THEN 'sql'
         ELSE '' END, made.created_at
    FROM made, generate_series(1, 2 + (made.id % 5)::int) AS k
), people AS (
  INSERT INTO blueprint_grant (blueprint_id, org_id, user_id, permission)
  SELECT made.id, sqlc.arg(org_id), p.id, 'read'
    FROM made, LATERAL (SELECT (sqlc.arg(people)::bigint[])[1 + made.id * 31 % cardinality(sqlc.arg(people))] AS id) p
   WHERE made.id % 10 = 0 AND p.id <> made.owner_id
), teams AS (
  INSERT INTO blueprint_grant (blueprint_id, org_id, team_id, permission)
  SELECT made.id, sqlc.arg(org_id), (sqlc.arg(teams)::bigint[])[1 + made.id % cardinality(sqlc.arg(teams))], 'read' FROM made
    WHERE made.id % 20 = 1 AND owner_id IS NOT NULL
)
INSERT INTO blueprint_person (user_id, blueprint_id, org_id, is_favorite, used_at)
SELECT owner_id, id, sqlc.arg(org_id), id % 8 = 0, CASE WHEN id % 2 = 0
  THEN sqlc.arg(day)::timestamptz - (id % 2000) * interval '1 hour' END
  FROM made WHERE made.id % 3 = 0 AND owner_id IS NOT NULL;

-- name: ConversationExists :one
SELECT EXISTS (SELECT FROM conversation WHERE id = $1);

-- name: ConversationsInsert :exec
-- Some conversations with all rows that belong to them, as the engine leaves them when the last turn
-- has ended. All ids of a turn come from one hash and differ in a single digit. They begin with the
-- time, like all ids of the product.
WITH c AS MATERIALIZED (
  SELECT unnest(sqlc.arg(ids)::uuid[]) AS id, unnest(sqlc.arg(owners)::bigint[]) AS owner_id, unnest(sqlc.arg(names)::text[]) AS name,
         unnest(sqlc.arg(turns)::int[]) AS turns,
         unnest(sqlc.arg(starts)::timestamptz[]) AS created_at, unnest(sqlc.arg(gaps)::float8[]) AS gap,
         unnest(sqlc.arg(label_ids)::bigint[]) AS label_id,
         unnest(sqlc.arg(source_ids)::bigint[]) AS source_id, unnest(sqlc.arg(readers)::bigint[]) AS reader_id,
         unnest(sqlc.arg(reader_teams)::bigint[]) AS team_id,
         unnest(sqlc.arg(marks)::int[]) AS mark
), t AS MATERIALIZED (
  SELECT c.id, c.owner_id, c.source_id, k.k, v.at, v.hash, v.dice, 2 + 4 * (k.k - 1)::bigint AS seq,
         v.stem || '8' || v.tail AS turn, v.stem || '9' || v.tail AS prompt, v.stem || 'a' || v.tail AS answer,
         v.stem || 'b' || v.tail AS object,
         (sqlc.arg(prompts)::text[])[1 + v.dice % cardinality(sqlc.arg(prompts))] AS asked,
         repeat((sqlc.arg(answers)::text[])[1 + v.dice % cardinality(sqlc.arg(answers))], 1 + (v.dice / 64 % 5)::int) AS said,
         (0.5 + (v.dice % 100) / 100.0)::numeric(20, 6) AS credits
    FROM c, generate_series(1, c.turns) AS k (k),
         LATERAL (SELECT w.at, w.hash, hashtextextended(w.hash, 0) & 1048575 AS dice,
                         lpad(to_hex((extract(epoch FROM w.at) * 1000)::bigint), 12, '0') || '7' || substr(w.hash, 1, 3) AS stem,
                         substr(w.hash, 4, 15) AS tail
                    FROM (SELECT date_trunc('milliseconds', c.created_at + make_interval(secs => c.gap * k.k)) AS at,
                      md5(c.id || '/' || k.k) AS hash) w) v
), conversations AS (
  INSERT INTO conversation (id, org_id, owner_id, name, data_sources, project_labels, credits, next_seq, epoch, created_at, updated_at)
  SELECT c.id, sqlc.arg(org_id), c.owner_id, c.name, CASE WHEN c.source_id > 0 THEN ARRAY[c.source_id] ELSE '{}' END,
         CASE WHEN c.label_id > 0 THEN ARRAY[c.label_id] ELSE '{}' END, coalesce(s.credits, 0), 2 + 4 * c.turns::bigint, 1, c.created_at,
         coalesce(s.at, c.created_at)
    FROM c LEFT JOIN (SELECT id, sum(credits) AS credits, max(at) AS at FROM t GROUP BY id) s ON s.id = c.id
), snapshots AS (
  INSERT INTO conversation_snapshot (conversation_id, org_id) SELECT c.id, sqlc.arg(org_id) FROM c
), grants AS (
  INSERT INTO conversation_grant (conversation_id, org_id, user_id, team_id, permission)
  SELECT c.id, sqlc.arg(org_id), nullif(c.reader_id, 0), nullif(c.team_id, 0), 'read' FROM c WHERE c.reader_id > 0 OR c.team_id > 0
), persons AS (
  INSERT INTO conversation_person (user_id, conversation_id, org_id, is_archived, is_favorite, unread)
  SELECT c.owner_id, c.id, sqlc.arg(org_id), c.mark = 1, c.mark = 2, CASE WHEN c.mark = 3 THEN 1 ELSE 0 END FROM c WHERE c.mark > 0
), beginnings AS (
  INSERT INTO conversation_event (conversation_id, seq, org_id, type, epoch, generation, data, at)
  SELECT c.id, 1, sqlc.arg(org_id), 'conversation.created', 0, 1, json_build_object('id', c.id, 'name', c.name, 'description', '',
         'dataSources', '[]'::json, 'status', 'active'), c.created_at
    FROM c
), turns AS (
  INSERT INTO turn (id, conversation_id, org_id, prompt_id, user_id, analyst_id, attempt, status, started_at, ended_at)
  SELECT turn::uuid, id, sqlc.arg(org_id), prompt::uuid, owner_id, sqlc.arg(analyst_id)::bigint, 1, 'complete', at,
         at + interval '8 seconds' FROM t
), ends AS (
  INSERT INTO turn_end (turn_id, conversation_id, org_id, status, at) SELECT turn::uuid, id, sqlc.arg(org_id), 'complete',
    at + interval '8 seconds' FROM t
), messages AS (
  INSERT INTO message (id, conversation_id, org_id, turn_id, parent_id, seq, generation, role, text, status, author_id, analyst_id,
    analyst_name, data_sources, created_at)
  SELECT m.id::uuid, t.id, sqlc.arg(org_id), t.turn::uuid, m.parent::uuid, t.seq + m.place, 1, m.role, m.text, 'complete', m.author,
         m.analyst, m.analyst_name,
         CASE WHEN t.source_id > 0 THEN ARRAY[t.source_id] ELSE '{}' END, t.at + make_interval(secs => m.place)
    FROM t, LATERAL (VALUES (0, t.prompt, NULL, 'user', t.asked, t.owner_id, NULL, ''),
                            (1, t.answer, t.prompt, 'assistant', t.said, NULL, sqlc.arg(analyst_id), 'prism-1')) AS m (place, id, parent,
                            role, text, author, analyst, analyst_name)
), events AS (
  INSERT INTO conversation_event (conversation_id, seq, org_id, type, epoch, generation, data, at)
  SELECT t.id, t.seq + e.place, sqlc.arg(org_id), e.type, 1, 1, e.data::json, t.at + make_interval(secs => e.place)
    FROM t, LATERAL (SELECT to_char(t.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at) w,
         LATERAL (VALUES
           (0, 'message.created', '{"id":"' || t.prompt::uuid || '","conversationId":"' || t.id || '","parentMessageId":null,"turnId":"'
           || t.turn::uuid || '","seq":' || t.seq
             || ',"generation":1,"role":"user","displayRole":"user","text":"' || t.asked
             || '","status":"complete","author":null,"analyst":null,"dataSources":[],"displayobjectSet":[],"feedbackSet":[],"createdAt":"'
             || w.at || '"}'),
           (1, 'message.created', '{"id":"' || t.answer::uuid || '","conversationId":"' || t.id || '","parentMessageId":"'
           || t.prompt::uuid || '","turnId":"' || t.turn::uuid || '","seq":' || t.seq + 1
             || ',"generation":1,"role":"assistant","displayRole":"assistant","text":"","status":"streaming"'
            || ',"author":null,"analyst":null,"dataSources":[],"displayobjectSet":[],"feedbackSet":[],"createdAt":"' || w.at || '"}'),
           (2, 'message.updated', '{"id":"' || t.answer::uuid || '","status":"complete","length":' || length(t.said) || '}'),
           (3, 'conversation.streaming-complete',
           '{"conversationId":"' || t.id || '","turnId":"' || t.turn::uuid || '","status":"complete","credits":' || t.credits || '}')
         ) AS e (place, type, data)
), steps AS (
  INSERT INTO step (turn_id, number, org_id, attempt, kind, name, effect, status, input, output, started_at, finished_at)
  SELECT turn::uuid, 1, sqlc.arg(org_id), 1, 'tool', 'run_query', false, 'finished',
         '{"sql":"SELECT country, sum(amount) FROM rows GROUP BY country"}', '{"result":{"rows":3}}',
         at + interval '1 second', at + interval '2 seconds' FROM t
), objects AS (
  INSERT INTO display_object (id, conversation_id, message_id, org_id, name, type, content_type, size, file_key, created_at)
  SELECT object::uuid, id, answer::uuid, sqlc.arg(org_id), 'Amounts by country', 'table', 'application/json', 2048, 'scale/' || object,
         at + interval '2 seconds' FROM t WHERE dice % 4 = 0
), feedbacks AS (
  INSERT INTO feedback (org_id, user_id, conversation_id, owner_id, message_id, sentiment_id, labels, created_at)
  SELECT sqlc.arg(org_id), owner_id, id, owner_id, answer::uuid, CASE WHEN dice % 3 = 0 THEN 2 ELSE 1 END, CASE WHEN dice % 3 = 0
    THEN ARRAY[12::bigint] ELSE ARRAY[1::bigint] END, at + interval '1 minute'
    FROM t WHERE dice / 4 % 50 = 0
  RETURNING id, user_id
), comments AS (
  INSERT INTO feedback_comment (org_id, feedback_id, user_id, text) SELECT sqlc.arg(org_id), id, user_id, 'The month before is missing.'
    FROM feedbacks WHERE id % 4 = 0
)
INSERT INTO usage (turn_id, step, attempt, org_id, conversation_id, user_id, provider, model, input_tokens, output_tokens, credits, at)
SELECT turn::uuid, 1, 1, sqlc.arg(org_id), id, owner_id, 'builtin', 'builtin', 1000 + dice % 3000, 100 + dice % 700, credits, at FROM t;

-- name: TasksInsert :exec
-- A task for every second person, with runs of the person's last conversations. Those that are
-- switched on are due a year after the day.
WITH made AS (
  INSERT INTO scheduled_task (id, org_id, owner_id, name, blueprint_id, project_labels, frequency, time_zone, minute, day_of_week,
    day_of_month, month, is_enabled,
                              next_due_at, created_at, updated_at)
  SELECT md5(sqlc.arg(seed)::bigint || '/task/' || w.n)::uuid, sqlc.arg(org_id), w.owner_id,
         (sqlc.arg(topics)::text[])[1 + w.n % cardinality(sqlc.arg(topics))] || ' every year', b.id, '{}', 'annually', 'UTC', 480, 0,
         extract(day FROM sqlc.arg(day)::timestamptz AT TIME ZONE 'UTC')::int, extract(month FROM sqlc.arg(day) AT TIME ZONE 'UTC')::int,
         w.n % 4 = 0,
         CASE WHEN w.n % 4 = 0 THEN sqlc.arg(day) + interval '1 year 8 hours' END, sqlc.arg(day) - interval '1 year',
         sqlc.arg(day) - make_interval(mins => w.n::int)
    FROM (SELECT generate_subscripts(sqlc.arg(people)::bigint[], 1) AS n, unnest(sqlc.arg(people)) AS owner_id) w,
         LATERAL (SELECT x.id FROM blueprint x WHERE x.org_id = sqlc.arg(org_id) AND (x.owner_id = w.owner_id OR x.is_library)
         ORDER BY x.id LIMIT 1) b
   WHERE w.n % 2 = 0
  ON CONFLICT (id) DO NOTHING
  RETURNING id, owner_id
)
INSERT INTO task_run (task_id, due_at, org_id, status, conversation_id, turn_id, started_at, ended_at)
SELECT made.id, c.created_at, sqlc.arg(org_id), 'complete', c.id, m.turn_id, c.created_at, c.created_at + interval '1 minute'
  FROM made,
       LATERAL (SELECT k.id, k.created_at FROM conversation k WHERE k.owner_id = made.owner_id AND k.deleted_at IS NULL
       ORDER BY k.updated_at DESC, k.id DESC LIMIT 30) c,
       LATERAL (SELECT x.turn_id FROM message x WHERE x.conversation_id = c.id AND x.cut_generation IS NULL ORDER BY x.seq LIMIT 1) m
ON CONFLICT DO NOTHING;

-- name: UserEventsInsert :exec
-- The entries of the last week in people's own logs. A person whose log has entries gets none.
WITH entry AS MATERIALIZED (
  SELECT c.owner_id, c.id, c.updated_at, row_number() OVER (PARTITION BY c.owner_id ORDER BY c.updated_at, c.id) AS place
    FROM app_user u JOIN conversation c ON c.owner_id = u.id AND c.deleted_at IS NULL
      AND c.updated_at > sqlc.arg(day)::timestamptz - interval '7 days'
   WHERE u.org_id = sqlc.arg(org_id) AND u.next_seq = 1
), raised AS (
  UPDATE app_user u SET next_seq = 1 + n.entries FROM (SELECT owner_id, count(*) AS entries FROM entry GROUP BY owner_id) n
    WHERE u.id = n.owner_id
)
INSERT INTO user_event (user_id, seq, org_id, type, data, at)
SELECT owner_id, place, sqlc.arg(org_id), 'conversation.streaming-complete', json_build_object('conversationId', id, 'status', 'complete'),
       updated_at FROM entry;

-- name: Counts :one
-- How many rows there are of what this file makes.
WITH o AS (SELECT g.id FROM organisation g WHERE g.name = @organisation)
SELECT (SELECT count(*) FROM app_user u JOIN o ON o.id = u.org_id) AS people,
       (SELECT count(*) FROM conversation c JOIN o ON o.id = c.org_id) AS conversations,
       (SELECT count(*) FROM message m JOIN o ON o.id = m.org_id) AS messages,
       (SELECT count(*) FROM blueprint b JOIN o ON o.id = b.org_id) AS blueprints;
