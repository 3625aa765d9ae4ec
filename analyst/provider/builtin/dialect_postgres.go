package builtin

import (
	"slices"

	"parley.dev/parley/domain"
)

// intoPostgres translates into PostgreSQL's SQL, which lacks only the functions of the query worker.
func intoPostgres() translation {
	return translation{
		called: calledInPostgres, words: wordsInPostgres, reserved: reservedInPostgres, empty: emptyInPostgres,
		lacks: map[string]string{"p_t": "p-values"},
	}
}

// emptyInPostgres has the type, which PostgreSQL takes from the first part of a union.
func emptyInPostgres(kind domain.ColumnType) string {
	if kind == domain.ColumnInteger {
		return "CAST(NULL AS BIGINT)"
	}
	return "CAST(NULL AS TEXT)"
}

// wordsInPostgres writes what is written in another way than in DuckDB; used is 0 for all other pieces.
func wordsInPostgres(_ *translator, s []piece, i int) (text string, used int) {
	switch s[i].text {
	case "/":
		// A quotient of whole numbers would be truncated to a whole number.
		return "* 1.0 /", 1
	case "DESC":
		return "DESC NULLS LAST", 1
	case "DOUBLE":
		return "DOUBLE PRECISION", 1
	case "INTERVAL":
		if i+4 < len(s) { // INTERVAL 3 MONTH
			return "INTERVAL '" + s[i+2].text + " " + s[i+4].text + "'", 5
		}
	}
	return "", 0
}

// calledInPostgres writes a call of a function that has another name or form in PostgreSQL; it returns ""
// for all other functions.
func calledInPostgres(name string, args []string) string {
	field := func(part string) string { return "CAST(extract(" + part + " FROM " + args[0] + ") AS INTEGER)" }
	switch {
	case name == "median":
		return "percentile_cont(0.5) WITHIN GROUP (ORDER BY " + args[0] + ")"
	case name == "quantile_cont" && len(args) == 2:
		return "percentile_cont(" + args[1] + ") WITHIN GROUP (ORDER BY " + args[0] + ")"
	case name == "round" && len(args) == 2:
		return "round(CAST(" + args[0] + " AS NUMERIC), " + args[1] + ")"
	case name == "dayname":
		return "to_char(" + args[0] + ", 'FMDay')"
	case name == "monthname":
		return "to_char(" + args[0] + ", 'FMMonth')"
	case slices.Contains([]string{"isodow", "hour", "year", "month"}, name):
		return field(name)
	case name == "epoch":
		return "extract(epoch FROM " + args[0] + ")"
	case name == "date_diff" && len(args) == 3:
		return "(" + args[2] + " - " + args[1] + ")"
	case name == "any_value":
		return "min(" + args[0] + ")" // the writer uses it only for a value that is the same in all rows
	case name == "arg_max" && len(args) == 2:
		return "(array_agg(" + args[0] + " ORDER BY " + args[1] + " DESC NULLS LAST))[1]"
	case name == "arg_min" && len(args) == 2:
		return "(array_agg(" + args[0] + " ORDER BY " + args[1] + " NULLS LAST))[1]"
	}
	return ""
}

// reservedInPostgres reports whether PostgreSQL gives a word another meaning, while the writer uses it
// only as a column name.
func reservedInPostgres(word string) bool {
	switch word {
	case "user", "current_user", "session_user", "current_role", "current_time", "current_timestamp", "current_schema", "current_catalog",
		"localtime", "localtimestamp", "authorization", "binary", "concurrently", "collation", "freeze", "verbose", "system_user":
		return true
	}
	return false
}
