package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// TestPlanner_Events asks for things by what belongs to them: none, some or few rows of another table, or of their own one.
func TestPlanner_Events(t *testing.T) {
	t.Parallel()
	day := domain.Column{Name: "borrowed_on", Type: domain.ColumnDate, Distinct: 300, Min: "2024-01-01", Max: "2025-12-31"}
	tables := []analyst.Table{
		{Name: "s1.readers", Title: "Readers", SourceID: 1, Rows: 80, Columns: []domain.Column{
			numberColumn("reader_id", 80), textColumn("town", "Ulm", "Bonn"), textColumn("email"), numberColumn("age", 60),
		}},
		{Name: "s1.loans", Title: "Loans", SourceID: 1, Rows: 900, Columns: []domain.Column{
			numberColumn("loan_id", 900), numberColumn("reader_id", 70), textColumn("branch", "North", "East", "Harbour"), day,
			{Name: "returned", Type: domain.ColumnBoolean, Distinct: 2},
			numberColumn("fee", 40),
		}},
		{Name: "s1.fines", Title: "Fines", SourceID: 1, Rows: 90, Columns: []domain.Column{
			numberColumn("fine_id", 90), numberColumn("loan_id", 85), numberColumn("amount", 30),
		}},
	}
	link := func(from, column, to string) meaning.Link {
		return meaning.Link{
			From:        meaning.Ends{Source: 1, Table: from, Columns: []string{column}},
			To:          meaning.Ends{Source: 1, Table: to, Columns: []string{column}},
			Cardinality: meaning.ManyToOne, Reason: meaning.Reason{State: meaning.Measured},
		}
	}
	m := &meaning.Meaning{Hash: "events", Links: []meaning.Link{link("loans", "reader_id", "readers"), link("fines", "loan_id", "loans")}}
	read := func(questions ...string) *form {
		return newPlanner(newLanguage(), tables, m, date(2025, 12, 1), questions).follow(questions)
	}
	const (
		none    = "NOT EXISTS (SELECT 1 FROM s1.loans WHERE loans.reader_id = readers.reader_id"
		some    = "EXISTS (SELECT 1 FROM s1.loans WHERE loans.reader_id = readers.reader_id"
		by      = "SELECT readers.town, count(*) AS count FROM s1.readers WHERE "
		average = "SELECT avg(readers.age) AS average_age FROM s1.readers WHERE "
		branch  = "NOT EXISTS (SELECT 1 FROM s1.loans AS loans_2 WHERE loans_2.branch = loans.branch"
		fined   = "SELECT sum(loans.fee) AS total_fee FROM s1.loans WHERE EXISTS (SELECT 1 FROM s1.fines"
		fines   = "JOIN s1.loans ON fines.loan_id = loans.loan_id WHERE loans.reader_id = readers.reader_id"
	)
	for question, sqlPart := range map[string]string{
		"readers without loans":                               "FROM s1.readers WHERE " + none + ")",
		"which readers have no loans?":                        none + ")",
		"how many readers never borrowed":                     "SELECT count(*) AS count FROM s1.readers WHERE " + none + ")",
		"readers who haven't borrowed anything since May":     none + " AND loans.borrowed_on >= DATE '2025-05-01')",
		"list readers in Ulm without any loan in 2025":        "readers.town = 'Ulm' AND " + none + " AND (loans.borrowed_on >=",
		"readers without loans by town":                       by + none,
		"average age of readers with no loans":                average + none,
		"what share of readers have never borrowed?":          "count(*) FILTER (WHERE " + none,
		"readers without returned loans":                      none + " AND loans.returned = 'true')",
		"how many readers have an unreturned loan":            "WHERE " + some + " AND loans.returned = 'false')",
		"total fee of loans with a fine":                      fined,
		"readers without fines":                               fines,
		"how many readers have fewer than 3 loans":            "(SELECT count(*) FROM s1.loans WHERE loans.reader_id = readers.reader_id) < 3",
		"readers with at most two loans in 2025":              "<= 2",
		"which branches have no loans in June 2025":           branch + " AND (loans_2.borrowed_on",
		"how many branches never had a loan in June 2025?":    "count(DISTINCT loans.branch) AS distinct_branches",
		"readers without an email":                            "trim(email) = ''",
		"how many readers have more than 3 loans":             "HAVING count(*) > 3",
		"branches without unreturned loans":                   branch + " AND loans_2.returned = 'false'",
		"readers that did not borrow in the Harbour branch":   none + " AND loans.branch = 'Harbour')",
		"readers without moons":                               "",
		"readers who never danced":                            "",
		"readers without loans longer than the average":       "",
		"what share of the branches have no loans in June?":   "",
		"readers without loans compared with those with some": "",
	} {
		f := read(question)
		if sqlPart == "" {
			require.False(t, f.understood(), "%s: %s", question, flat(sql(f)))
			continue
		}
		require.True(t, f.understood(), "%s: %s", question, f.reason)
		require.Contains(t, flat(sql(f)), sqlPart, question)
	}

	f := read("which readers have no loans in 2025?", "and how many by town?")
	require.True(t, f.understood(), f.reason)
	require.Contains(t, flat(sql(f)), by+none)
	f = read("how many readers have fewer than 3 loans in 2025")
	require.Equal(t, "I read this as: number of rows of `Readers`, where there are less than 3 `Loans` for 2025. "+
		"Those without any loans count as well.", plan(f))
	require.Equal(t, "with less than 3 loans in 2025", f.where[0].saidEvents())
	f = read("which branches have no loans in June 2025")
	require.Contains(t, plan(f), "`Loans` has only those branches that have a row in it.")
}
