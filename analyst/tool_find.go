package analyst

// The tool find_values: how a name that a person wrote is spelled in a column.

import (
	"context"
	"fmt"
	"strings"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/sqltext"
)

// FindValuesArgs are the arguments of find_values.
type FindValuesArgs struct {
	Table  string `json:"table"`
	Column string `json:"column"`
	Text   string `json:"text"`
}

const (
	// valuesMax is the maximum number of values in a result.
	valuesMax = 20
	// minSimilarity is the minimum Jaro–Winkler similarity of a spelling that is found.
	minSimilarity = "0.9"
	// textMax is the maximum number of characters of the text to find.
	textMax = 200
)

const findValuesSchema = `{"type":"object","properties":{"table":{"type":"string"},"column":{"type":"string"},"text":{"type":"string"}},` +
	`"required":["table","column","text"],"additionalProperties":false}`

// findValues finds the values of a column that are similar to a text. The result is for the model and is not shown.
func (r *run) findValues(ctx context.Context, a FindValuesArgs) (*toolOutput, error) {
	text := strings.TrimSpace(a.Text)
	if text == "" || len([]rune(text)) > textMax || !domain.Storable(text) {
		return nil, domain.Errorf(domain.CodeInvalid, "The text to find has 1 to %d characters.", textMax)
	}
	sources, err := r.readable(ctx)
	if err != nil {
		return nil, err
	}
	t, err := tableNamed(sources, a.Table)
	if err != nil {
		return nil, err
	}
	name := ""
	for _, c := range t.Columns {
		if strings.EqualFold(c.Name, strings.TrimSpace(a.Column)) {
			name = c.Name
		}
	}
	if name == "" {
		return nil, domain.Errorf(domain.CodeNotFound, "There is no column %q in the table %s. describe_source lists its columns.",
			domain.Shorten(a.Column, 60), t.Name)
	}
	sql, how, err := findSQL(t, name, text)
	if err != nil {
		return nil, err
	}
	if err := r.sink.Progress(ctx, "Looking up a spelling in "+oneLine(name, 60)); err != nil {
		return nil, wrap(err, "report a lookup")
	}
	found, err := r.runTimed(ctx, sources, sql)
	if err != nil {
		return nil, err
	}
	summary := fmt.Sprintf("%d values of %s are like the text (%s).", len(found.Rows), name, how)
	if len(found.Rows) == valuesMax {
		summary = fmt.Sprintf("The first %d values of %s that are like the text (%s); there may be more.", valuesMax, name, how)
	}
	return &toolOutput{Result: ToolResult{Text: r.asData(r.fit(summary + "\n" + CSV(found, len(found.Rows))))}}, nil
}

// findSQL returns the query of a lookup, and a description of the comparison.
func findSQL(t *Table, column, text string) (sql, how string, err error) {
	name, value := sqltext.QuoteName(column), sqltext.QuoteText(text)
	switch {
	case t.Dialect.OfFiles():
		// If a value is equal except for case and accents, similar values are left out.
		return fmt.Sprintf(`WITH v AS (SELECT %[1]s::VARCHAR AS value, count(*) AS "rows" FROM %[2]s WHERE %[1]s IS NOT NULL GROUP BY 1),
s AS (SELECT value, "rows", lower(strip_accents(trim(value))) AS folded, lower(strip_accents(%[3]s)) AS sought FROM v),
j AS (SELECT value, "rows",
  CASE WHEN folded = sought THEN 1.0 ELSE least(0.999, jaro_winkler_similarity(folded, sought)) END AS similarity FROM s)
SELECT value, "rows", round(similarity, 3) AS similarity FROM j
WHERE similarity = 1 OR similarity >= %[4]s AND NOT EXISTS (SELECT 1 FROM j WHERE similarity = 1)
ORDER BY similarity DESC, "rows" DESC, value LIMIT %[5]d`, name, t.Name, value, minSimilarity, valuesMax),
			"the same but for case and accents, or else Jaro–Winkler similarity of " + minSimilarity + " or more", nil
	case t.Dialect == domain.DialectPostgres:
		// The wildcards of LIKE are escaped. In an E'' literal each backslash is doubled.
		pattern := strings.NewReplacer(`\`, `\\\\`, `%`, `\\%`, `_`, `\\_`, `'`, `''`).Replace(text)
		return fmt.Sprintf(`SELECT CAST(%[1]s AS text) AS value, count(*) AS "rows" FROM %[2]s WHERE CAST(%[1]s AS text) ILIKE E'%%%[3]s%%' `+
			`GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT %[4]d`, name, t.Name, pattern, valuesMax), "contain it, in any case", nil
	}
	return "", "", domain.Errorf(domain.CodeInvalid,
		"Spellings cannot be looked up in a %s database. Query the different values with run_query.", t.Dialect.Label())
}
