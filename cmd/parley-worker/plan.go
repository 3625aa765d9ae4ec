package main

// The bound logical plan of a statement, in which every name is resolved. A node checks with it what a
// statement adds up (analyst/guard). A statement is answered also without a plan.

import (
	"encoding/json"
	"strings"
)

// planOf returns the engine's own plan of a statement that it has accepted, or why there is none. The statement is
// bound and not executed by it. The function is refused inside statements (refusedFunctions), because it would bind
// a text that guard has not examined; here it gets the text that guard has.
func planOf(db *database, sql string, limit int) (plan json.RawMessage, missing string) {
	// Without the optimizer each operator of the statement has its own node, and joins keep their kind.
	found, err := db.rows("SELECT json_serialize_plan($1::VARCHAR, optimize := false)::VARCHAR", sql)
	if err != nil || len(found) != 1 {
		return nil, "the engine made no plan"
	}
	text := found[0][0]
	if len(text) > limit {
		return nil, "its plan is too long"
	}
	var head struct {
		Error   bool   `json:"error"`
		Message string `json:"error_message"` //nolint:tagliatelle // the engine's own name
	}
	if err := json.Unmarshal([]byte(text), &head); err != nil {
		return nil, "its plan cannot be read"
	}
	switch {
	// The engine splits a PIVOT without a list of values into several statements.
	case head.Error && strings.Contains(head.Message, "MULTI"):
		return nil, "PIVOT"
	case head.Error:
		return nil, "the engine made no plan"
	}
	return json.RawMessage(text), ""
}
