package builtin

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"parley.dev/parley/domain"
)

// The writer writes DuckDB's SQL. Constructs that PostgreSQL writes in another way are translated here,
// in one place and only from the writer's own statements: GROUP BY ALL, QUALIFY, the order of empty
// values, division, reserved names, and some functions.

// inDialect returns a statement of the writer in the dialect of the form's tables.
func inDialect(f *form, sql string) string {
	if f.view == nil || !translated(f.view.base.Dialect) {
		return sql
	}
	var columns []string
	for _, c := range f.view.base.columns {
		columns = append(columns, ident(c.Name))
	}
	d := postgres{columns: columns}
	return d.write(piecesOf(sql))
}

// translated reports whether statements of the writer are translated for a dialect. It panics for a
// dialect that has no translation: that database would reject DuckDB's SQL, or read it with another
// meaning.
func translated(d domain.Dialect) bool {
	switch d {
	case "", domain.DialectDuckDB:
		return false
	case domain.DialectPostgres:
		return true
	}
	panic(fmt.Sprintf("builtin: no translation into the SQL of %s; see dialect.go", d))
}

// postgres writes statements for PostgreSQL. columns are the columns that * represents.
type postgres struct{ columns []string }

// piece is a token as it was written, or the content of a pair of parentheses.
type piece struct {
	text  string
	inner []piece
	// group marks a pair of parentheses; raw marks text that is already translated.
	group, raw bool
}

var sqlPieces = regexp.MustCompile(`(?s)'(?:[^']|'')*'|"(?:[^"]|"")*"|[A-Za-z_][A-Za-z0-9_]*|[0-9][0-9.]*|\s+|<=|>=|<>|.`)

func piecesOf(sql string) []piece {
	stack := [][]piece{nil}
	for _, text := range sqlPieces.FindAllString(sql, -1) {
		top := len(stack) - 1
		switch {
		case text == "(":
			stack = append(stack, nil)
		case text == ")" && top > 0:
			stack[top-1] = append(stack[top-1], piece{group: true, inner: stack[top]})
			stack = stack[:top]
		default:
			stack[top] = append(stack[top], piece{text: text})
		}
	}
	return stack[0]
}

func (p *piece) blank() bool { return !p.group && strings.TrimSpace(p.text) == "" }

func (p *piece) is(word string) bool { return !p.group && !p.raw && p.text == word }

// write writes the pieces of one level, and of all levels below it.
func (d *postgres) write(all []piece) string {
	var b strings.Builder
	from := 0
	for i := range all {
		// Each SELECT of a level is a statement of its own, up to the next SELECT.
		if all[i].is("SELECT") && i > from {
			b.WriteString(d.statement(all[from:i]))
			from = i
		}
	}
	b.WriteString(d.statement(all[from:]))
	return b.String()
}

// statement writes one SELECT, or the text before the first SELECT.
func (d *postgres) statement(s []piece) string {
	if i := find(s, "GROUP", "BY", "ALL"); i >= 0 {
		s = slices.Concat(s[:i], []piece{{text: d.groups(s), raw: true}}, s[after(s, i, 3):])
	}
	if i := find(s, "QUALIFY"); i >= 0 {
		return d.ranked(s, i)
	}
	return d.expression(s)
}

// groups returns the GROUP BY clause with the positions of the columns that are not aggregates.
func (d *postgres) groups(s []piece) string {
	var places []string
	for i, item := range d.items(s) {
		if !aggregated(item) {
			places = append(places, fmt.Sprint(i+1))
		}
	}
	if len(places) == 0 {
		return ""
	}
	return "GROUP BY " + strings.Join(places, ", ")
}

// ranked rewrites a statement with a condition on a rank: the rank becomes a column of an inner
// statement.
func (d *postgres) ranked(s []piece, at int) string {
	order := find(s, "ORDER", "BY")
	if order < at {
		order = len(s)
	}
	condition := s[after(s, at, 1):order]
	limit := slices.IndexFunc(condition, func(p piece) bool { return p.is("<=") })
	var names, inner []string
	for _, item := range d.items(s) {
		name := outputName(item)
		if name == "*" {
			names, inner = append(names, d.columns...), append(inner, d.columns...)
			continue
		}
		names, inner = append(names, d.expression([]piece{{text: name}})), append(inner, strings.TrimSpace(d.expression(item)))
	}
	rank := strings.TrimSpace(d.expression(condition[:limit])) + " AS rank_in_group"
	from := find(s, "FROM")
	out := selectOf(names, "FROM (\n"+indent(selectOf(append(inner, rank), strings.TrimSpace(d.expression(s[from:at]))))+"\n) AS ranked",
		"WHERE rank_in_group "+strings.TrimSpace(d.expression(condition[limit:])))
	if order < len(s) {
		out += "\n" + d.expression(unaliased(s[order:]))
	}
	return out
}

// unaliased removes the table's alias from columns: outside of an inner statement the alias is unknown.
func unaliased(s []piece) []piece {
	var out []piece
	for i := 0; i < len(s); i++ {
		if i+1 < len(s) && s[i+1].is(".") {
			i++
			continue
		}
		out = append(out, s[i])
	}
	return out
}

// items returns the columns of a SELECT.
func (d *postgres) items(s []piece) [][]piece {
	from := find(s, "FROM")
	if from < 0 {
		from = len(s)
	}
	start := find(s, "SELECT") + 1
	return split(s[start:from])
}

func split(s []piece) [][]piece {
	var out [][]piece
	last := 0
	for i := range s {
		if s[i].is(",") {
			out, last = append(out, s[last:i]), i+1
		}
	}
	return append(out, s[last:])
}

// outputName returns the name of a column of a SELECT: the name after AS, or the column's own name.
func outputName(item []piece) string {
	for i := len(item) - 1; i >= 0; i-- {
		if !item[i].blank() {
			return item[i].text
		}
	}
	return ""
}

// aggregated reports whether an expression aggregates rows.
func aggregated(s []piece) bool {
	for i := range s {
		if s[i].group && aggregated(s[i].inner) {
			return true
		}
		if i+1 < len(s) && s[i+1].group && slices.Contains(aggregates(), s[i].text) {
			return true
		}
	}
	return false
}

func aggregates() []string {
	return []string{"count", "sum", "avg", "min", "max", "median", "quantile_cont", "stddev_samp", "corr", "any_value", "arg_max", "arg_min"}
}

// find returns the position of a sequence of words on a level, with blanks between them; -1 if it is
// not there.
func find(s []piece, words ...string) int {
	for i := range s {
		if begins(s[i:], words) {
			return i
		}
	}
	return -1
}

// begins reports whether a level begins with a sequence of words, with blanks between them.
func begins(s []piece, words []string) bool {
	for k, word := range words {
		for k > 0 && len(s) > 0 && s[0].blank() {
			s = s[1:]
		}
		if len(s) == 0 || !s[0].is(word) {
			return false
		}
		s = s[1:]
	}
	return true
}

// after returns the position after a number of words; blanks between them do not count.
func after(s []piece, at, words int) int {
	for ; at < len(s) && words > 0; at++ {
		if !s[at].blank() {
			words--
		}
	}
	return at
}

// expression writes pieces that contain no statement on their own level.
func (d *postgres) expression(s []piece) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		p := s[i]
		switch {
		case p.raw:
			b.WriteString(p.text)
		case p.group:
			b.WriteString("(" + d.write(p.inner) + ")")
		case i+1 < len(s) && s[i+1].group && d.called(p.text, s[i+1].inner) != "":
			b.WriteString(d.called(p.text, s[i+1].inner))
			i++
		case p.text == "/":
			// A quotient of whole numbers would be truncated to a whole number.
			b.WriteString("* 1.0 /")
		case p.text == "DESC":
			b.WriteString("DESC NULLS LAST")
		case p.text == "DOUBLE":
			b.WriteString("DOUBLE PRECISION")
		case p.text == "INTERVAL" && i+4 < len(s):
			// INTERVAL 3 MONTH
			b.WriteString("INTERVAL '" + s[i+2].text + " " + s[i+4].text + "'")
			i += 4
		case reservedInPostgres(p.text):
			b.WriteString(`"` + p.text + `"`)
		default:
			b.WriteString(p.text)
		}
	}
	return b.String()
}

// called writes a call of a function that has another name or form in PostgreSQL; it returns "" for all
// other functions.
func (d *postgres) called(name string, inner []piece) string {
	parts := split(inner)
	args := make([]string, len(parts))
	for i, a := range parts {
		args[i] = strings.TrimSpace(d.expression(a))
	}
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
