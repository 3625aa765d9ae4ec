-- +goose Up

-- Tells whether a row, written as JSON, meets all conditions of a list's filter
-- (domain.Filters as JSON). A field that holds an array meets eq and contains by
-- having the value; times come as seconds since 1970.
-- +goose StatementBegin
CREATE FUNCTION filter_matches(doc jsonb, conditions jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(bool_and(coalesce(
    CASE c ->> 'op'
      WHEN 'eq' THEN doc -> (c ->> 'field') @> (c -> 'values' -> 0)
      WHEN 'neq' THEN NOT coalesce(doc -> (c ->> 'field') @> (c -> 'values' -> 0), false)
      WHEN 'contains' THEN CASE jsonb_typeof(doc -> (c ->> 'field'))
        WHEN 'array' THEN doc -> (c ->> 'field') @> (c -> 'values' -> 0)
        ELSE strpos(lower(doc ->> (c ->> 'field')), lower(c -> 'values' ->> 0)) > 0 END
      WHEN 'gt' THEN jsonb_typeof(doc -> (c ->> 'field')) = jsonb_typeof(c -> 'values' -> 0)
        AND doc -> (c ->> 'field') > (c -> 'values' -> 0)
      WHEN 'lt' THEN jsonb_typeof(doc -> (c ->> 'field')) = jsonb_typeof(c -> 'values' -> 0)
        AND doc -> (c ->> 'field') < (c -> 'values' -> 0)
      WHEN 'in' THEN EXISTS (SELECT FROM jsonb_array_elements(c -> 'values') v WHERE doc -> (c ->> 'field') @> v)
    END, false)), true)
  FROM jsonb_array_elements(conditions) c
$$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION filter_matches(jsonb, jsonb);
