package main

// What a statement may use. The engine runs with its own restrictions (lock); this refuses what
// they leave possible.

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/domain"
)

// nameShown is how many characters of a name a message repeats.
const nameShown = 80

// tableFunctions lists the table functions that a statement may read from: they make rows only from their
// arguments. The others are refused, because many of them read files, settings or logs, or run a statement that
// is in a text. histogram is refused because it reads the table whose name it gets as text.
func tableFunctions() []string {
	return []string{
		"range", "generate_series", "unnest", "repeat", "repeat_row", "json_each", "json_tree", "generate_subscripts",
	}
}

// refusedFunctions lists the scalar functions that are refused, most of them because they read or write outside
// the data.
func refusedFunctions() []string {
	return []string{
		"getenv", "write_log", "nextval", "currval", "getvariable", "current_setting", "set_config", "pg_read_file",
		"parse_duckdb_log_message", "json_serialize_sql", "json_deserialize_sql", "json_serialize_plan",
		"add_parquet_key", "in_search_path", "current_connection_id", "current_query_id", "current_query", "error",
		"sleep_ms", "pg_sleep", "read_text", "read_blob", "glob",
	}
}

// guard walks DuckDB's own parse tree of the statement and refuses the functions and the catalogue tables that no
// setting can switch off. It never examines the text of the statement.
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
		// DuckDB serializes only SELECT statements.
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

// check checks one node. Its fields type and class say what it is.
func check(n map[string]any, known tables) error {
	switch {
	case n["type"] == "TABLE_FUNCTION":
		function, _ := n["function"].(map[string]any)
		name, _ := function["function_name"].(string)
		// The engine does not distinguish case in names of functions.
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

// tables has the names of the data that the statement may use, in lower case: the short names of the views, and
// the tables of each database by its alias.
type tables struct {
	views   map[string]bool
	aliases map[string]map[string]bool
}

// has reports whether a name refers to the data. If the name has a catalog or a schema, that decides: a connector
// may have the same name as a table of the engine, and the two must not be confused.
func (k tables) has(catalog, schema, name string) bool {
	if catalog == "" && k.aliases[schema] != nil {
		catalog = schema
	}
	if of := k.aliases[catalog]; of != nil {
		return of[name]
	}
	return (catalog == "" || catalog == "memory") && (schema == "" || schema == "main" || schema == "memory") && k.views[name]
}

// check refuses the engine's own tables, which describe the process and not the data. It also refuses names that
// look like files: the engine may still open the files that are attached, and its message about another file must
// not reveal whether the file exists.
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
