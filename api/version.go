package api

import (
	"strconv"
	"strings"

	"parley.dev/parley/domain"
)

// Versioned are the headers of a change that names the version on which it is based. It is
// exported because huma reads only exported embedded structs.
type Versioned struct {
	IfMatch string `header:"If-Match" doc:"The version that the change is based on. 409 if the object was changed since. The field version of the body can be used instead."`
}

// from returns the version that the header or the body names; 0 means no version.
func (v Versioned) from(body int) (int, error) {
	header := strings.TrimSpace(v.IfMatch)
	if header == "" || header == "*" {
		return max(body, 0), nil
	}
	n, err := strconv.Atoi(strings.Trim(strings.TrimPrefix(header, "W/"), `"`))
	if err != nil || n <= 0 {
		return 0, domain.Invalid("If-Match", "The version is not valid")
	}
	if body > 0 && body != n {
		return 0, domain.Invalid("version", "The header names another version")
	}
	return n, nil
}
