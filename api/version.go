package api

import (
	"strconv"
	"strings"

	"parley.dev/parley/domain"
)

// Versioned are the headers of a change that names the version on which it is based. It is
// exported because huma reads only exported embedded structs.
type Versioned struct {
	IfMatch string `header:"If-Match" doc:"The version that the change was made from; 409 if another change was made meanwhile. The body's version serves as well."`
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
