package persistence

import (
	"encoding/json"

	"parley.dev/parley/domain"
)

// conditionsOf encodes a filter for the database's function filter_matches; empty for none,
// for which a query skips the function:
//
//	AND (@conditions::text = '' OR filter_matches(jsonb_build_object('name', d.name, …), @conditions::text::jsonb))
//
// Times are given in the row as extract(epoch FROM …).
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
