package builtin

import (
	"fmt"
	"regexp"
	"strings"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/sqltext"
)

// sql returns the query of a form that was understood, in the dialect of its tables.
func sql(f *form) string { return f.statement }

// resultNames gives the columns of a result names that no column of the tables has, unless the result shows that column itself: a
// query must not use one name for two things.
type resultNames struct {
	view  *view
	taken map[string]bool
}

func newResultNames(v *view) *resultNames { return &resultNames{view: v, taken: make(map[string]bool)} }

// free returns the name, or one like it that is not taken.
func (r *resultNames) free(name string, itself bool) string {
	taken := func(n string) bool {
		if r.taken[strings.ToLower(n)] {
			return true
		}
		if itself {
			return false
		}
		for _, t := range r.view.tables() {
			for _, c := range t.columns {
				if strings.EqualFold(c.Name, n) {
					return true
				}
			}
		}
		return false
	}
	for i := 0; taken(name); i++ {
		if i == 0 && !strings.HasSuffix(name, "_value") {
			name += "_value"
			continue
		}
		name = fmt.Sprintf("%s_%d", name, i+1)
	}
	r.taken[strings.ToLower(name)] = true
	return name
}

// selectOf writes the clauses in their order, without empty ones.
func selectOf(columns []string, clauses ...string) string {
	out := "SELECT\n    " + strings.Join(columns, ",\n    ")
	for _, c := range clauses {
		if c != "" {
			out += "\n" + c
		}
	}
	return out
}

// as gives an expression a name, unless it already has that name.
func as(expression, name string) string {
	if expression == name || strings.HasSuffix(expression, "."+name) {
		return expression
	}
	return expression + " AS " + name
}

// tableName writes a table's name, each of its parts.
func tableName(t *table) string {
	parts := strings.Split(t.Name, ".")
	for i := range parts {
		parts[i] = ident(parts[i])
	}
	return strings.Join(parts, ".")
}

var plainIdent = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)

// ident quotes a name that SQL would not accept without quotes.
func ident(name string) string {
	if plainIdent.MatchString(name) && !reserved(name) {
		return name
	}
	return sqltext.QuoteName(name)
}

// reserved reports whether DuckDB rejects a word as a bare name in some places.
func reserved(w string) bool {
	switch w {
	case "all", "analyse", "analyze", "and", "any", "array", "as", "asc", "asymmetric", "at", "both", "case",
		"cast", "check", "collate", "column", "constraint", "create", "default", "deferrable", "desc", "describe", "distinct", "do",
		"else", "end", "except", "false", "fetch", "for", "foreign", "from", "grant", "group", "having", "in",
		"initially", "intersect", "into", "is", "join", "lambda", "lateral", "leading", "left", "like", "limit", "not",
		"null", "offset", "on", "only", "or", "order", "pivot", "pivot_longer", "pivot_wider", "placing", "primary", "qualify",
		"references", "returning", "right", "select", "show", "some", "summarize", "symmetric", "table", "then", "to", "trailing",
		"true", "union", "unique", "unpivot", "using", "variadic", "when", "where", "window", "with", "values", "time",
		"interval", "row", "position", "anti", "asof", "full", "inner", "natural", "outer", "overlaps", "positional", "semi",
		"similar", "cross", "glob", "ilike", "isnull", "notnull", "tablesample", "try_cast", "between", "extract", "exists", "map",
		"struct", "current_date":
		return true
	default:
		return false
	}
}

// reservedInPostgres reports whether PostgreSQL gives a word another meaning that DuckDB takes as a bare name.
func reservedInPostgres(word string) bool {
	switch word {
	case "user", "current_user", "session_user", "current_role", "current_time", "current_timestamp", "current_schema", "current_catalog",
		"localtime", "localtimestamp", "authorization", "binary", "concurrently", "collation", "freeze", "verbose", "system_user":
		return true
	}
	return false
}

// name quotes a name that the form's database would not accept without quotes.
func (f *form) name(name string) string {
	if f.view.base.Dialect == domain.DialectPostgres && reservedInPostgres(name) {
		return sqltext.QuoteName(name)
	}
	return ident(name)
}

// text writes a string literal.
func text(s string) string { return sqltext.QuoteText(s) }

func indent(s string) string { return "    " + strings.ReplaceAll(s, "\n", "\n    ") }
