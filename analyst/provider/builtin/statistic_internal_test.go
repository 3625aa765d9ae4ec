package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

func staffTable(dialect domain.Dialect, rows int64) []analyst.Table {
	all := listOf("staff",
		domain.Column{Name: "employee_id", Type: domain.ColumnInteger, Distinct: 100, Min: "1", Max: "100"},
		domain.Column{Name: "department", Type: domain.ColumnText, Distinct: 2, Values: []string{"Sales", "Support"}},
		domain.Column{Name: "salary", Type: domain.ColumnNumber, Distinct: 90, Min: "1000", Max: "90000"},
		domain.Column{Name: "age", Type: domain.ColumnInteger, Distinct: 40, Min: "20", Max: "64"},
		domain.Column{Name: "remote", Type: domain.ColumnBoolean, Distinct: 2, Values: []string{"true", "false"}},
	)
	all[0].Dialect, all[0].Rows = dialect, rows
	return all
}

// The same statistic is recognised in several phrasings, and its plan says what is computed.
func TestStatistic_Reads(t *testing.T) {
	t.Parallel()
	now := date(2025, 10, 15)
	for question, plan := range map[string]string{
		"skewness of salary":                  "skewness (of a sample, G1) of `Salary`",
		"how skewed is salary by department?": "skewness (of a sample, G1) of `Salary` by `Department`",
		"salary kurtosis": "excess kurtosis (of a sample, G2; 0 is that of a normal " +
			"distribution) of `Salary`",
		"MAD of salary for Sales": "median absolute deviation (the median of the distances " +
			"from the median) of `Salary`, where `Department` is Sales",
		"outliers in salary":                      "You named no rule for outliers, so I took Tukey's.",
		"z-score outliers of salary":              "more than 3 standard deviations (of a sample) from the mean",
		"salary outliers using 2.5 iqr":           "more than 2.5 times the distance of the quartiles outside of them",
		"spearman correlation of age and salary":  "Spearman's rank correlation of `Age` and `Salary`",
		"correlate age with salary by department": "Pearson's correlation of `Age` and `Salary` by `Department`",
		"correlation matrix":                      "Pearson's correlation of each two of `Salary` and `Age`",
		"regress salary on age":                   "the line of least squares of `Salary` by `Age`",
		"histogram of age in 5 bins":              "by `Age` in 5 classes of equal width",
		"t-test of salary between Sales and Support": "whether the mean of `Salary` differs between Sales and " +
			"Support of `Department`, by Welch's test",
		"share of missing values for each column":                         "the share of missing values in each column of `staff`",
		"is the correlation of age and salary by department significant?": "with the two-sided p-value by `Department`",
	} {
		r := Read(staffTable("", 100), now, question)
		require.True(t, r.Understood, "%s: %s", question, r.Plan)
		require.Contains(t, r.Plan, plan, question)
	}
}

// A statistic that would answer something else is refused, with the reason.
func TestStatistic_Refuses(t *testing.T) {
	t.Parallel()
	p := New(Config{})
	for question, want := range map[string]string{
		"skewness of department":                          "name",
		"histogram of remote":                             "no classes",
		"correlation between salary and department":       "two columns of numbers",
		"kendall correlation of salary and age":           "not Kendall's",
		"regression of salary on age and employee id":     "",
		"histogram of age in 1 bins":                      "2 to 100 classes",
		"is the average salary of Sales different from X": "",
	} {
		f := p.planner(staffTable("", 100), nil, []string{question}).follow([]string{question})
		require.False(t, f.understood(), question)
		require.Contains(t, f.reason, want, question)
	}
	for question, want := range map[string]string{
		"skewness of salary": "a skewness needs at least 3", "regression of salary on age": "a line of least squares needs at least 3",
	} {
		f := p.planner(staffTable("", 2), nil, []string{question}).follow([]string{question})
		require.False(t, f.understood(), question)
		require.Contains(t, f.reason, want, question)
	}
	for question, want := range map[string]string{"t-test of salary between Sales and Support": "no p-values"} {
		f := p.planner(staffTable(domain.DialectPostgres, 100), nil, []string{question}).follow([]string{question})
		require.False(t, f.understood(), question)
		require.Contains(t, f.reason, want, question)
	}
	for _, question := range []string{
		"regression of salary on age", "spearman correlation of age and salary by department",
		"outliers in salary", "skewness of salary", "kurtosis of salary by department",
	} {
		f := p.planner(staffTable(domain.DialectPostgres, 100), nil, []string{question}).follow([]string{question})
		require.True(t, f.understood(), "PostgreSQL answers %s: %s", question, f.reason)
	}
}

// A follow-up keeps a statistic as long as the question still has the numbers that it needs.
func TestStatistic_Follows(t *testing.T) {
	t.Parallel()
	now := date(2025, 10, 15)
	r := Read(staffTable("", 100), now, "kurtosis of salary", "only for Sales")
	require.True(t, r.Understood)
	require.Contains(t, r.SQL, "kurtosis(salary)")
	require.Contains(t, r.SQL, "department = 'Sales'")
	require.NotContains(t, r.Plan, "standard deviation")
	r = Read(staffTable("", 100), now, "kurtosis of salary", "average age")
	require.True(t, r.Understood)
	require.NotContains(t, r.SQL, "kurtosis")
}
