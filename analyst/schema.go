package analyst

// The schema as a model reads it. It is part of each prompt, so it has a budget of tokens. Tables that do not fit are only
// named, and the model can ask for them. Texts of connectors are data that a model must not follow (asData).

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"parley.dev/parley/analyst/semantic"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
	"parley.dev/parley/internal/sqltext"
)

// Tables lists the tables of the sources for SQL. A unique table name is used alone; others
// are qualified by their source's schema.
func Tables(sources []domain.DataSource) []Table {
	// Names are compared without regard to case, as in SQL.
	count := make(map[string]int)
	for i := range sources {
		for _, r := range sources[i].Resources {
			count[strings.ToLower(r.Table)]++
		}
	}
	var out []Table
	for i := range sources {
		s := &sources[i]
		for _, r := range s.Resources {
			name := r.Table
			if count[strings.ToLower(name)] > 1 {
				name = SchemaName(s.ID) + "." + name
			}
			t := Table{
				Source: s.Name, SourceID: s.ID, Name: name, Title: r.Name, Dialect: s.Dialect(),
				Description: s.Description, Made: r.Description, Dictionary: r.Details, Rows: r.Rows, Columns: r.Columns,
			}
			// Sources from before the column description_generated have the same text twice.
			if s.DescriptionGenerated || s.Description == r.Description {
				t.Description, t.Made = "", cmp.Or(r.Description, s.Description)
			}
			out = append(out, t)
		}
	}
	return out
}

// about returns the whole description of a table; the text of a person comes first.
func (t *Table) about() string {
	return strings.TrimSpace(t.Description + " " + t.Made)
}

// Unread says why sources cannot be queried, one sentence each.
func Unread(sources []domain.DataSource) []string {
	var out []string
	for i := range sources {
		if why := sources[i].Unread(); why != "" {
			out = append(out, oneLine(sources[i].Name, 80)+": "+why)
		}
	}
	return out
}

// SchemaName returns the name of the schema that contains a source's tables in a query.
func SchemaName(source int64) string { return "s" + strconv.FormatInt(source, 10) }

// Limits of the text about one table in the system prompt.
const (
	promptColumns = 60
	promptValues  = 8
	promptSamples = 5
	promptCell    = 60
	promptTables  = 300
	// linkTokens is the budget for the links if the tables have used up theirs.
	linkTokens = 600
)

// describeTables writes the schema for a model within a budget of tokens, in a fixed order, so that it is the same from turn to
// turn. If it does not fit, the tables and columns that the question mentions are kept; the others are only named, and
// describe_source returns their details.
func describeTables(tables []Table, m *meaning.Meaning, previews map[string]string, question string, budget int) string {
	type scored struct{ place, score int }
	words := wordsOf(question)
	order := make([]scored, len(tables))
	for i := range tables {
		order[i] = scored{i, relevance(&tables[i], tables[i].said(m), words)}
	}
	// The sort is stable, so equal tables keep their order and the text is the same in each turn.
	slices.SortStableFunc(order, func(a, b scored) int { return cmp.Compare(b.score, a.score) })

	texts := make([]string, len(tables))
	// The budget is given to the tables by relevance; the texts are written in the original order.
	for _, o := range order {
		t := &tables[o.place]
		text := describeTable(t, m, previews[t.Name], words, promptColumns)
		if tokens(text) > budget {
			// For a wide table, only its relevant columns are tried next.
			text = describeTable(t, m, "", words, 12)
		}
		if tokens(text) <= budget {
			texts[o.place] = text + "\n"
			budget -= tokens(text)
		}
	}
	var b strings.Builder
	var named []string
	for i, text := range texts {
		if text == "" {
			named = append(named, tables[i].Name)
		}
		b.WriteString(text)
	}
	// All links are listed, because without its link a table that is only named could not be joined.
	if links := strings.Join(semantic.AboutLinks(m, namesIn(tables)), "\n"); links != "" && tokens(links) <= max(budget, linkTokens) {
		b.WriteString(links + "\n")
	}
	if len(named) > 0 {
		more := len(named) - promptTables
		// A list of very many names would be as long as what it replaces.
		if more > 0 {
			named = named[:promptTables]
		}
		fmt.Fprintf(&b, "Further tables (ask describe_source for their columns): %s", strings.Join(named, ", "))
		if more > 0 {
			fmt.Fprintf(&b, " and %d more", more)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// In finds what the table means; nil if nothing was derived.
func (t *Table) In(m *meaning.Meaning) *meaning.Table {
	if m == nil {
		return nil
	}
	bare := t.Bare()
	for i := range m.Tables {
		if m.Tables[i].Source == t.SourceID && m.Tables[i].Name == bare {
			return &m.Tables[i]
		}
	}
	return nil
}

// said returns the words that people said for the table and for its columns, by the name of the column; it is empty for the table.
func (t *Table) said(m *meaning.Meaning) map[string][]string {
	mine := t.In(m)
	if mine == nil {
		return nil
	}
	return semantic.SaidWords(m, mine)
}

// Bare returns the name of the table within its source.
func (t *Table) Bare() string { return strings.TrimPrefix(t.Name, SchemaName(t.SourceID)+".") }

// namesIn returns a function for the names of tables in statements; it returns "" for a table that is not among the given ones.
func namesIn(tables []Table) func(source int64, table string) string {
	return func(source int64, table string) string {
		for i := range tables {
			if tables[i].SourceID == source && tables[i].Bare() == table {
				return sqlName(&tables[i])
			}
		}
		return ""
	}
}

// sqlName returns a table's name for a statement. Some names of remote databases need quotes.
func sqlName(t *Table) string {
	if t.Dialect.OfFiles() {
		return t.Name
	}
	parts := strings.Split(t.Name, ".")
	for i, p := range parts {
		if !unquoted.MatchString(p) {
			parts[i] = sqltext.QuoteName(p)
		}
	}
	return strings.Join(parts, ".")
}

// unquoted matches names that every dialect accepts without quotes.
var unquoted = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)

// dialectNote names the dialect, unless it is the dialect of files.
func dialectNote(t *Table) string {
	if t.Dialect.OfFiles() {
		return ""
	}
	return ", " + t.Dialect.Label() + " database"
}

// describeTable writes one table with at most limit columns, the relevant ones kept. m is what the data mean; it may be nil.
func describeTable(t *Table, m *meaning.Meaning, preview string, words map[string]bool, limit int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "table %s (source %d %q, %d rows%s)", sqlName(t), t.SourceID, t.Source, t.Rows, dialectNote(t))
	if about := t.about(); about != "" {
		fmt.Fprintf(&b, ": %s", oneLine(about, 300))
	}
	b.WriteByte('\n')
	mine, said := t.In(m), t.said(m)
	if mine != nil {
		for _, line := range semantic.AboutTable(mine, said[""]) {
			fmt.Fprintf(&b, "  %s\n", oneLine(line, 400))
		}
	}
	columns := relevantColumns(t.Columns, said, words, limit)
	for _, c := range columns {
		fmt.Fprintf(&b, "  %s %s", sqltext.QuoteName(c.Name), cmp.Or(c.DatabaseType, string(c.Type)))
		// Ranges and values let a model write conditions that fit the data.
		if c.Min != "" || c.Max != "" {
			fmt.Fprintf(&b, ", %s to %s", oneLine(c.Min, promptCell), oneLine(c.Max, promptCell))
		}
		if len(c.Values) > 0 {
			values := make([]string, 0, promptValues)
			for _, v := range c.Values[:min(len(c.Values), promptValues)] {
				values = append(values, strconv.Quote(oneLine(v, promptCell)))
			}
			fmt.Fprintf(&b, ", %d distinct such as %s", c.Distinct, strings.Join(values, ", "))
		}
		if c.Nulls > 0 {
			fmt.Fprintf(&b, ", %d empty", c.Nulls)
		}
		if about := aboutColumn(mine, c.Name, said[c.Name]); about != "" {
			fmt.Fprintf(&b, "; %s", oneLine(about, 300))
		}
		if c.Description != "" {
			fmt.Fprintf(&b, " -- %s", oneLine(c.Description, 200))
		}
		b.WriteByte('\n')
	}
	if n := len(t.Columns) - len(columns); n > 0 {
		fmt.Fprintf(&b, "  … and %d more columns (describe_source tells them)\n", n)
	}
	for _, line := range dictionaryLines(t.Dictionary, words, limit) {
		fmt.Fprintf(&b, "  dictionary: %s\n", line)
	}
	// The sample rows contain all columns, so they are shown only if all columns are.
	if lines := strings.Split(strings.TrimSpace(preview), "\n"); preview != "" && len(columns) == len(t.Columns) {
		b.WriteString("  sample:\n")
		for _, line := range lines[:min(len(lines), promptSamples+1)] {
			fmt.Fprintf(&b, "    %s\n", oneLine(line, 300))
		}
	}
	return b.String()
}

// aboutColumn returns the meaning of a column as text.
func aboutColumn(t *meaning.Table, name string, said []string) string {
	if t == nil {
		return ""
	}
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return semantic.AboutColumn(t, &t.Columns[i], said)
		}
	}
	return ""
}

// dictionaryLines returns at most limit lines of a table's data dictionary. If there are more, those
// that the question mentions come first.
func dictionaryLines(dictionary string, words map[string]bool, limit int) []string {
	type scored struct {
		text  string
		score int
	}
	var lines []scored
	for line := range strings.Lines(dictionary) {
		if text := oneLine(line, 300); text != "" {
			lines = append(lines, scored{text, overlap(text, words)})
		}
	}
	if len(lines) > limit {
		slices.SortStableFunc(lines, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	}
	out := make([]string, 0, min(len(lines), limit))
	for _, l := range lines[:min(len(lines), limit)] {
		out = append(out, l.text)
	}
	return out
}

// relevantColumns keeps the schema's order and drops the least relevant beyond limit. said are the words that people said for them.
func relevantColumns(all []domain.Column, said map[string][]string, words map[string]bool, limit int) []domain.Column {
	if len(all) <= limit {
		return all
	}
	index := make([]int, len(all))
	for i := range index {
		index[i] = i
	}
	slices.SortStableFunc(index, func(a, b int) int {
		return cmp.Compare(columnRelevance(&all[b], said, words), columnRelevance(&all[a], said, words))
	})
	// The columns are chosen by relevance and then shown in their own order.
	index = index[:limit]
	slices.Sort(index)
	kept := make([]domain.Column, 0, limit)
	for _, i := range index {
		kept = append(kept, all[i])
	}
	return kept
}

// relevance counts the words of a question in a table; names, and the words that people said for it, count more than descriptions.
func relevance(t *Table, said map[string][]string, words map[string]bool) int {
	score := 3*overlap(t.Name+" "+t.Title+" "+strings.Join(said[""], " "), words) + overlap(t.about(), words)
	for i := range t.Columns {
		score += columnRelevance(&t.Columns[i], said, words)
	}
	return score
}

// columnRelevance counts the words of a question in a column and in its frequent values.
func columnRelevance(c *domain.Column, said map[string][]string, words map[string]bool) int {
	score := 2*overlap(c.Name+" "+strings.Join(said[c.Name], " "), words) + overlap(c.Description, words)
	for _, v := range c.Values {
		score += overlap(v, words)
	}
	return score
}

// overlap counts the different words of a text that are among the given ones.
func overlap(text string, words map[string]bool) int {
	n := 0
	for w := range wordsOf(text) {
		if words[w] {
			n++
		}
	}
	return n
}

// wordsOf splits a text into lower-case words, without the s of a plural.
func wordsOf(text string) map[string]bool {
	out := make(map[string]bool)
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		// Short words keep their s, since it is rarely a plural: gas, bus.
		if len(w) > 3 {
			w = strings.TrimSuffix(w, "s")
		}
		if len(w) > 1 {
			out[w] = true
		}
	}
	return out
}

// oneLine turns a text into one line of a prompt.
func oneLine(s string, limit int) string {
	s = strings.Join(strings.Fields(domain.Clean(s)), " ")
	if short := domain.Shorten(s, limit); len(short) < len(s) {
		return short + "…"
	}
	return s
}
