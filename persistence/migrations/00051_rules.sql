-- Conditions that several queries share and that need parameters, which a view cannot have. Postgres replaces a call by the expression
-- before it plans the statement, so the plan is the same as with the condition written out. It does so for a function in SQL that is
-- one SELECT, is STABLE, and is not STRICT or SECURITY DEFINER and has no SET. One that returns a single value must also have no
-- subquery, and so feedback_rank returns a table. TestInlined checks both.
--
-- A node of the previous release does not call them.

-- +goose Up

-- The rank of a person for a feedback, as in the reader views: 3 for the owner of its conversation, 1 for its author, and 0 for
-- others. Authors lose it with the right to read the conversation, because its name is shown with the feedback. The function does not
-- know whether the conversation is deleted: feedback_standing does.
-- +goose StatementBegin
CREATE FUNCTION feedback_rank(owner bigint, author bigint, conversation uuid, person bigint) RETURNS TABLE (rank integer)
  LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN owner = person THEN 3
              WHEN author = person AND EXISTS (SELECT FROM conversation_reader r
                WHERE r.conversation_id = conversation AND r.user_id = person) THEN 1
              ELSE 0 END
$$;
-- +goose StatementEnd

-- Whether a conversation matches the search and the filter of a list. Empty texts match everything. The CASE makes the document
-- only if there is a filter.
-- +goose StatementBegin
CREATE FUNCTION conversation_matches(
  name text, description text, is_favorite boolean, owner bigint, credits numeric, data_sources bigint[], project_labels bigint[],
  created_at timestamptz, updated_at timestamptz, pattern text, conditions text
) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT (pattern = '' OR name ILIKE pattern OR description ILIKE pattern)
     AND CASE WHEN conditions = '' THEN true ELSE filter_matches(jsonb_build_object(
           'name', name, 'description', description, 'isFavorite', is_favorite, 'owner', owner, 'credits', credits,
           'dataSources', data_sources, 'projectLabels', project_labels,
           'createdAt', extract(epoch FROM created_at), 'updatedAt', extract(epoch FROM updated_at)), CAST(conditions AS jsonb)) END
$$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION conversation_matches(text, text, boolean, bigint, numeric, bigint[], bigint[], timestamptz, timestamptz, text, text);
DROP FUNCTION feedback_rank(bigint, bigint, uuid, bigint);
