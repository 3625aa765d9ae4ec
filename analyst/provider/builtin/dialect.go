package builtin

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"parley.dev/parley/domain"
)

// The writer writes DuckDB's SQL, in the forms below. What another database writes in another way is
// translated here, from the writer's own statements only. A new dialect has a case in translationOf
// and a file such as dialect_postgres.go.
//
// These are translated for every dialect, by translator:
//
//	GROUP BY ALL                         the positions of the columns that are not aggregates
//	QUALIFY row_number() OVER (…) <= n   a condition on an inner statement
//
// These are the other forms that differ between databases. A translation writes each of them, or
// lacks it:
//
//	functions    median, quantile_cont(x, q), stddev_samp, corr; any_value; arg_max(x, by), arg_min(x, by);
//	             round(x, n), floor, abs, trim, nullif; lag, row_number
//	dates        date_trunc('hour' … 'year', x), year, month, hour, isodow, dayname, monthname, epoch(a - b),
//	             date_diff('day', a, b); DATE '…', TIMESTAMP '…', INTERVAL n DAY, MONTH and the like
//	aggregates   f(x) FILTER (WHERE …), count(DISTINCT x)
//	windows      OVER (PARTITION BY … ORDER BY … RANGE BETWEEN INTERVAL … PRECEDING AND CURRENT ROW)
//	operators    /, which never truncates; ILIKE … ESCAPE '\'; IS DISTINCT FROM; BETWEEN
//	casts        AS VARCHAR, DOUBLE, DATE, TIME, TIMESTAMP
//	order        DESC, with empty values last
//	statements   WITH, UNION ALL with NULL in columns that have a type elsewhere, LIMIT, and the names
//	             that DuckDB does not reserve (ident)

// inDialect returns a statement of the writer in the dialect of the form's tables.
func inDialect(f *form, sql string) string {
	t, ok := f.translation()
	if !ok {
		return sql
	}
	var columns []string
	for _, c := range f.view.base.columns {
		columns = append(columns, ident(c.Name))
	}
	d := translator{translation: t, columns: columns}
	return d.write(piecesOf(sql))
}

// translation returns the translation of the form's statements; ok is false if they stay as they are.
func (f *form) translation() (t translation, ok bool) {
	if f.view == nil {
		return translation{}, false
	}
	return translationOf(f.view.base.Dialect)
}

// translation is what one database writes in its own way.
type translation struct {
	// called writes a call of a function that has another name or form; it returns "" for all
	// other functions.
	called func(name string, args []string) string
	// words writes the pieces that begin at s[i], and returns how many they are; 0 for a piece that
	// stays.
	words func(d *translator, s []piece, i int) (text string, used int)
	// reserved reports whether the database gives a word another meaning, while the writer uses it
	// only as a column name.
	reserved func(word string) bool
	// empty writes an empty cell of a union for a column that has this type in other rows; nil
	// means that NULL needs no type.
	empty func(kind domain.ColumnType) string
	// lacks has the functions and the keywords (RANGE) of the writer that the database does not have
	// in any form, each with what people call it, in the plural. A question that needs one is not
	// asked.
	lacks map[string]string
}

// translationOf returns the translation into a dialect; ok is false for DuckDB's own. It panics for a
// dialect that has no translation: that database would reject DuckDB's SQL, or read it with another
// meaning.
func translationOf(d domain.Dialect) (t translation, ok bool) {
	switch d {
	case "", domain.DialectDuckDB:
		return translation{}, false
	case domain.DialectPostgres:
		return intoPostgres(), true
	}
	panic(fmt.Sprintf("builtin: no translation into the SQL of %s; see dialect.go", d))
}

// emptyCell returns an empty cell of a union, in a column of this type.
func (f *form) emptyCell(kind domain.ColumnType) string {
	if t, ok := f.translation(); ok && t.empty != nil {
		return t.empty(kind)
	}
	return "NULL"
}

// guardDialect blocks a form whose statement the database cannot run.
func (f *form) guardDialect() {
	// The writer needs a form that was understood.
	if t, ok := f.translation(); ok && len(t.lacks) > 0 && f.understood() {
		f.guardForms(&t)
	}
}

// guardForms blocks a form whose statement needs what a translation lacks.
func (f *form) guardForms(t *translation) {
	if what := t.missing(inDuckDB(f)); what != "" {
		f.block("The data is in a database of " + f.view.base.Dialect.Label() + ", which has no " + what + ".")
	}
}

// writes reports whether a statement of the writer can be written for the form's database.
func (f *form) writes(sql string) bool {
	t, ok := f.translation()
	return !ok || len(t.lacks) == 0 || t.missing(sql) == ""
}

// missing returns what people call the first thing in a statement that the database lacks.
func (t *translation) missing(sql string) string { return t.missingIn(piecesOf(sql)) }

func (t *translation) missingIn(s []piece) string {
	for i := range s {
		// A function is called, so that a column of its name is none. The writer's keywords are in
		// upper case.
		called := i+1 < len(s) && s[i+1].group
		if what := t.lacks[s[i].text]; what != "" && (called || s[i].text == strings.ToUpper(s[i].text)) {
			return what
		}
		if s[i].group {
			if what := t.missingIn(s[i].inner); what != "" {
				return what
			}
		}
	}
	return ""
}

// translator writes statements for another database. columns are the columns that * represents.
type translator struct {
	translation
	columns []string
}

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
func (d *translator) write(all []piece) string {
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
func (d *translator) statement(s []piece) string {
	if i := find(s, "GROUP", "BY", "ALL"); i >= 0 {
		s = slices.Concat(s[:i], []piece{{text: d.groups(s), raw: true}}, s[after(s, i, 3):])
	}
	if i := find(s, "QUALIFY"); i >= 0 {
		return d.ranked(s, i)
	}
	return d.expression(s)
}

// groups returns the GROUP BY clause with the positions of the columns that are not aggregates.
func (d *translator) groups(s []piece) string {
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
func (d *translator) ranked(s []piece, at int) string {
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
func (d *translator) items(s []piece) [][]piece {
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
func (d *translator) expression(s []piece) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch p := s[i]; {
		case p.raw:
			b.WriteString(p.text)
		case p.group:
			b.WriteString("(" + d.write(p.inner) + ")")
		default:
			text, used := d.piece(s, i)
			b.WriteString(text)
			i += used - 1
		}
	}
	return b.String()
}

// piece writes the pieces that begin at s[i], and returns how many they are, at least one.
func (d *translator) piece(s []piece, i int) (text string, used int) {
	if text, used := d.words(d, s, i); used > 0 {
		return text, used
	}
	if i+1 < len(s) && s[i+1].group {
		if text := d.call(s[i].text, s[i+1].inner); text != "" {
			return text, 2
		}
		// The name of a function is never a column.
		return s[i].text, 1
	}
	if d.reserved(s[i].text) {
		return `"` + s[i].text + `"`, 1
	}
	return s[i].text, 1
}

// call writes a call of a function that the database writes in its own way, or "".
func (d *translator) call(name string, inner []piece) string {
	parts := split(inner)
	args := make([]string, len(parts))
	for i, a := range parts {
		args[i] = strings.TrimSpace(d.expression(a))
	}
	return d.called(name, args)
}
