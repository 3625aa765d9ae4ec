package domain

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The limits of filters.
const (
	// MaxConditions is the maximum number of conditions of one list.
	MaxConditions = 20
	// MaxQueryValues is the maximum number of values of one array in a query, counted before
	// duplicates are removed.
	MaxQueryValues = 200
)

// Operation compares a field with a value.
type Operation string

// The operations.
const (
	OperationEqual    Operation = "eq"
	OperationNotEqual Operation = "neq"
	OperationContains Operation = "contains"
	OperationGreater  Operation = "gt"
	OperationLess     Operation = "lt"
	OperationIn       Operation = "in"
)

// FilterKind is the kind of a field's values, which determines how it can be compared.
type FilterKind string

// The kinds of fields.
const (
	FilterText    FilterKind = "text"
	FilterNumber  FilterKind = "number"
	FilterBoolean FilterKind = "boolean"
	// FilterTime compares points in time, which are passed to the store as seconds since
	// 1970.
	FilterTime FilterKind = "time"
	// FilterIDs is a list of ids, such as project labels: eq and contains match one given
	// id, in matches any of several.
	FilterIDs FilterKind = "ids"
)

// takes reports whether a field of the kind supports the operation.
func (k FilterKind) takes(op Operation) bool {
	switch op {
	case OperationEqual, OperationNotEqual, OperationIn:
		return true
	case OperationContains:
		return k == FilterText || k == FilterIDs
	case OperationGreater, OperationLess:
		return k == FilterNumber || k == FilterTime || k == FilterText
	}
	return false
}

// CheckScopes returns CodeInvalid for an unknown scope of connectors or agents. further are
// the scopes that only one of the two has.
func CheckScopes(scopes []string, further ...string) error {
	known := append([]string{"favorite", "organization", "owned", "shared", "recent"}, further...)
	for _, s := range scopes {
		if !slices.Contains(known, s) {
			return Invalid("scope", "There is no such filter.")
		}
	}
	return nil
}

// FilterFields are the fields by which a list can be filtered.
type FilterFields map[string]FilterKind

// Condition is one comparison. It has at least one value; the values are strings, float64 or
// bool, depending on the field's kind. It is passed to the store as JSON, so its names are
// part of the schema (function filter_matches).
type Condition struct {
	Field  string    `json:"field"`
	Op     Operation `json:"op"`
	Values []any     `json:"values"`
}

// Filters are conditions that must all hold. An empty list matches everything.
type Filters []Condition

// ParseFilters parses conditions of the form <field>:<op>:<value>. The value may contain
// colons; the values of in are separated by commas. CodeInvalid says what is wrong with each
// condition.
func ParseFilters(raw []string, fields FilterFields) (Filters, error) {
	var c Checks
	c.Require(len(raw) <= MaxConditions, "filter", "There are too many filters.")
	if err := c.Err(); err != nil {
		return nil, err
	}
	filters := make(Filters, 0, len(raw))
	for _, text := range raw {
		condition, wrong := parseCondition(text, fields)
		c.Require(wrong == "", "filter", wrong)
		filters = append(filters, condition)
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	return filters, nil
}

// camelCase turns is_enabled into isEnabled.
func camelCase(name string) string {
	first, rest, _ := strings.Cut(name, "_")
	for part := range strings.SplitSeq(rest, "_") {
		if part != "" {
			first += strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return first
}

// parseCondition parses a condition. wrong is an error text, or empty.
func parseCondition(text string, fields FilterFields) (condition Condition, wrong string) {
	field, rest, _ := strings.Cut(text, ":")
	op, value, complete := strings.Cut(rest, ":")
	field, op = strings.TrimSpace(field), strings.ToLower(strings.TrimSpace(op))
	kind, known := fields[field]
	if !known {
		// Both spellings of names are accepted, as everywhere.
		field = camelCase(field)
		kind, known = fields[field]
	}
	switch {
	case field == "" || op == "" && !complete:
		return condition, "A filter is written as field:operation:value."
	case !FilterText.takes(Operation(op)) || known && !kind.takes(Operation(op)):
		return condition, UnsupportedOperation(op)
	case !known:
		return condition, "There is no such filter. There are " + strings.Join(slices.Sorted(maps.Keys(fields)), ", ") + "."
	case !complete:
		return condition, "A filter is written as field:operation:value."
	}
	condition = Condition{Field: field, Op: Operation(op)}
	values := []string{value}
	if condition.Op == OperationIn {
		values = strings.Split(value, ",")
	}
	if len(values) > MaxQueryValues {
		return condition, "There are too many values."
	}
	for _, v := range values {
		parsed, ok := kind.value(strings.TrimSpace(v))
		if !ok {
			return condition, "The value of the filter is not valid."
		}
		condition.Values = append(condition.Values, parsed)
	}
	return condition, ""
}

// UnsupportedOperation is the specification's text for an operation that a
// filter or a call does not know.
func UnsupportedOperation(op string) string {
	return `Operation "` + Shorten(op, 40) + `" currently not supported`
}

// value parses one value of the kind.
func (k FilterKind) value(text string) (any, bool) {
	switch k {
	case FilterText:
		return text, Length(text) <= 200 && Storable(text)
	case FilterBoolean:
		return text == "true", text == "true" || text == "false"
	case FilterTime:
		for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
			if t, err := time.Parse(layout, text); err == nil {
				return float64(t.UnixMilli()) / 1000, true
			}
		}
		return nil, false
	case FilterNumber, FilterIDs:
		n, err := strconv.ParseFloat(text, 64)
		return n, err == nil && !math.IsNaN(n) && !math.IsInf(n, 0)
	}
	return nil, false
}

// ParseIDs parses an array of ids in a query: several parameters, or one with commas, or
// both. As the specification says for arrays, duplicates are removed and a number may be
// written as 1e3. A value that is not an id (true, a word) is CodeInvalid.
func ParseIDs(field string, raw []string) ([]int64, error) {
	ids := []int64{}
	count := 0
	for _, text := range raw {
		for part := range strings.SplitSeq(text, ",") {
			if count++; count > MaxQueryValues {
				return nil, Invalid(field, "There are too many values.")
			}
			if part = strings.TrimSpace(part); part == "" {
				continue
			}
			// A float64 holds every whole number up to 2^53, which no id reaches.
			n, err := strconv.ParseFloat(part, 64)
			if err != nil || n != math.Trunc(n) || n < 1 || n > 1<<53 {
				return nil, Invalid(field, "The value is not a valid id.")
			}
			if id := int64(n); !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids, nil
}
