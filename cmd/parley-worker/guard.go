package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/domain"
)

// nameShown is how much of a name a message repeats, in characters.
const nameShown = 80

// tableFunctions are those that a statement may read from: they make rows out of
// their arguments. All others reach for files, settings, logs or hidden statements.
func tableFunctions() []string {
	return []string{
		"range", "generate_series", "unnest", "repeat", "repeat_row", "json_each", "json_tree",
		"histogram", "histogram_values", "generate_subscripts",
	}
}

// refusedFunctions are scalar functions that read or write outside the data.
func refusedFunctions() []string {
	return []string{
		"getenv", "write_log", "nextval", "currval", "getvariable", "current_setting", "set_config", "pg_read_file",
		"parse_duckdb_log_message", "json_serialize_sql", "json_deserialize_sql", "json_serialize_plan",
		"add_parquet_key", "in_search_path", "current_connection_id", "current_query_id", "current_query", "error",
		"sleep_ms", "read_text", "read_blob", "glob",
	}
}

// guard walks DuckDB's own parse tree of the statement and refuses functions and
// catalogue tables that settings cannot take away. It never looks at the text.
func guard(db *database, sql string, names map[string]bool) error {
	found, err := db.rows("SELECT json_serialize_sql($1::VARCHAR)::VARCHAR", sql)
	if err != nil {
		return err
	}
	if len(found) != 1 {
		return fmt.Errorf("parse tree is missing")
	}
	var tree map[string]any
	if err := json.Unmarshal([]byte(found[0][0]), &tree); err != nil {
		return fmt.Errorf("read the parse tree: %w", err)
	}
	if failed, _ := tree["error"].(bool); failed {
		// Statements of other classes have no tree.
		if kind, _ := tree["error_type"].(string); kind == "not implemented" {
			return onlySelect()
		}
		message, _ := tree["error_message"].(string)
		return &engineError{message}
	}
	return walk(tree, names)
}

// walk checks a node and everything below it.
func walk(node any, names map[string]bool) error {
	switch n := node.(type) {
	case []any:
		for _, child := range n {
			if err := walk(child, names); err != nil {
				return err
			}
		}
	case map[string]any:
		if err := check(n, names); err != nil {
			return err
		}
		for _, child := range n {
			if err := walk(child, names); err != nil {
				return err
			}
		}
	}
	return nil
}

// check looks at one node: what it is stands in type and class.
func check(n map[string]any, names map[string]bool) error {
	switch {
	case n["type"] == "TABLE_FUNCTION":
		function, _ := n["function"].(map[string]any)
		name, _ := function["function_name"].(string)
		if !slices.Contains(tableFunctions(), strings.ToLower(name)) {
			return unavailable(name)
		}
	case n["class"] == "FUNCTION":
		name, _ := n["function_name"].(string)
		if slices.Contains(refusedFunctions(), strings.ToLower(name)) {
			return unavailable(name)
		}
	case n["type"] == "BASE_TABLE":
		name, _ := n["table_name"].(string)
		return checkTable(name, names)
	}
	return nil
}

// checkTable refuses the engine's own tables, which describe the process and not
// the data, and names that are files: the engine may still open those that are
// attached, and what it says of others should not depend on whether they exist.
func checkTable(name string, names map[string]bool) error {
	lower := strings.ToLower(name)
	if names[lower] {
		return nil
	}
	file := strings.ContainsAny(lower, "/\\:.")
	for _, prefix := range []string{"duckdb_", "pragma_", "sqlite_", "pg_"} {
		if file || strings.HasPrefix(lower, prefix) {
			return domain.Errorf(domain.CodeInvalid, "There is no table %s.", domain.Shorten(name, nameShown))
		}
	}
	return nil
}

func unavailable(name string) error {
	return domain.Errorf(domain.CodeInvalid, "The function %s is not available in queries.", domain.Shorten(name, nameShown))
}
