package persistence

import (
	"encoding/json"

	"parley.dev/parley/domain"
)

// conditionsOf is a filter as the function filter_matches of the database reads
// it; empty for none, which a query need not look at:
//
//	AND (@conditions::text = '' OR filter_matches(jsonb_build_object('name', d.name, …), @conditions::text::jsonb))
//
// Times stand in the row as extract(epoch FROM …).
func conditionsOf(f domain.Filters) (string, error) {
	if len(f) == 0 {
		return "", nil
	}
	b, err := json.Marshal(f)
	if err != nil {
		return "", domain.Internal(err, "The filter could not be written.")
	}
	return string(b), nil
}
