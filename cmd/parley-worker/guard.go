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
// their arguments. All others reach for files, settings, logs or hidden statements;
// histogram is one of them, because it reads the table that its text names.
func tableFunctions() []string {
	return []string{
		"range", "generate_series", "unnest", "repeat", "repeat_row", "json_each", "json_tree", "generate_subscripts",
	}
}

// refusedFunctions are scalar functions that read or write outside the data.
func refusedFunctions() []string {
	return []string{
		"getenv", "write_log", "nextval", "currval", "getvariable", "current_setting", "set_config", "pg_read_file",
		"parse_duckdb_log_message", "json_serialize_sql", "json_deserialize_sql", "json_serialize_plan",
		"add_parquet_key", "in_search_path", "current_connection_id", "current_query_id", "current_query", "error",
		"sleep_ms", "pg_sleep", "read_text", "read_blob", "glob",
	}
}

// guard walks DuckDB's own parse tree of the statement and refuses functions and
// catalogue tables that settings cannot take away. It never looks at the text.
func guard(db *database, sql string, known tables) error {
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
	return walk(tree, known)
}

// walk checks a node and everything below it.
func walk(node any, known tables) error {
	switch n := node.(type) {
	case []any:
		for _, child := range n {
			if err := walk(child, known); err != nil {
				return err
			}
		}
	case map[string]any:
		if err := check(n, known); err != nil {
			return err
		}
		for _, child := range n {
			if err := walk(child, known); err != nil {
				return err
			}
		}
	}
	return nil
}

// check looks at one node: what it is stands in type and class.
func check(n map[string]any, known tables) error {
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
		catalog, _ := n["catalog_name"].(string)
		schema, _ := n["schema_name"].(string)
		name, _ := n["table_name"].(string)
		return known.check(catalog, schema, name)
	}
	return nil
}

// tables are what the statement's own data is called, in lower case: the databases
// by their aliases, and the views by the short names of their tables.
type tables struct {
	views   map[string]bool
	aliases map[string]map[string]bool
}

// has says whether a name means the data. Where it is said whose table it is, that
// decides: a connector may be called like a table of the engine, and is not it.
func (k tables) has(catalog, schema, name string) bool {
	if catalog == "" && k.aliases[schema] != nil {
		catalog = schema
	}
	if of := k.aliases[catalog]; of != nil {
		return of[name]
	}
	return (catalog == "" || catalog == "memory") && (schema == "" || schema == "main" || schema == "memory") && k.views[name]
}

// check refuses the engine's own tables, which describe the process and not
// the data, and names that are files: the engine may still open those that are
// attached, and what it says of others should not depend on whether they exist.
func (k tables) check(catalog, schema, name string) error {
	lower := strings.ToLower(name)
	if k.has(strings.ToLower(catalog), strings.ToLower(schema), lower) {
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
