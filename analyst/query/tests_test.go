package query_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/query"
)

// said is a question for one measure of the employees.
func (b *bundle) said(m query.Measure) query.Ask {
	return ok[query.Groups](b.tb)(b.Groups(b.rows("employees"), nil, []query.Measure{m}))
}

// TestTests_Say checks what people read of each test, and that PostgreSQL refuses it.
func TestTests_Say(t *testing.T) {
	t.Parallel()
	b := setup(t)
	salary, age := b.amount("employees", "salary"), b.rate("employees", "age")
	points := ok[query.Number](t)(b.Number(b.col("employees", "points")))
	const equal = " The analysis of variance assumes equal variances of the groups."
	made := ok[query.Measure](t)
	for want, m := range map[string]query.Measure{
		"P-value of the one-way analysis of variance of salary by sex." + equal: made(b.Anova("p", salary, b.col("employees", "sex"))),
		"F of the one-way analysis of variance of salary by department name." + equal: made(
			b.Anova("f", salary, b.col("departments", "department_name"))),
		"Chi-square of the chi-square test of sex and department id over the employees. The chi-square test has no correction for " +
			"continuity.": made(b.Independence("chi2", b.table("employees"), b.col("employees", "sex"), b.col("employees", "department_id"))),
		"U of the Mann–Whitney test of age where sex is f and where sex is m. The Mann–Whitney test is two-sided, by the normal " +
			"approximation.": made(b.MannWhitney("u", age, b.is("employees", "sex", "f"), b.is("employees", "sex", "m"))),
		"P-value of D'Agostino's test whether age is normally distributed.":          made(b.Normality("p", age)),
		"T of the paired t test of salary and points. The paired test is two-sided.": made(b.Paired("t", salary, points)),
		"Coefficient of points in the regression of salary on age and points.":       made(b.Fit("coefficient", 2, salary, age, points)),
		"Explained part of the variance in the regression of salary on age.":         made(b.Fit("r2", 0, salary, age)),
	} {
		require.Equal(t, want, query.Say(b.said(m)))
		require.NotEmpty(t, b.sql(b.said(m)))
		_, err := query.Compile(b.said(m), query.Postgres())
		require.ErrorContains(t, err, "PostgreSQL, which has no p-values", want)
	}
}

// TestTests_Refuse checks that a test of what cannot be tested is not built, and that the reason is said.
func TestTests_Refuse(t *testing.T) {
	t.Parallel()
	b := setup(t)
	salary, age, budget := b.amount("employees", "salary"), b.rate("employees", "age"), b.amount("departments", "budget")
	sex, women, men := b.col("employees", "sex"), b.is("employees", "sex", "f"), b.is("employees", "sex", "m")
	of := func(m query.Measure, err error) error { return err }
	for want, err := range map[string]error{
		"has no z":                             of(b.Anova("z", salary, sex)),
		"salary is a number to calculate with": of(b.Anova("p", age, salary)),
		"another value in almost each row":     of(b.Anova("p", age, b.col("employees", "hired"))),
		"A department has many employees":      of(b.Anova("p", budget, sex)),
		"named twice":                          of(b.Independence("p", b.table("employees"), sex, sex)),
		"A chi-square test compares groups":    of(b.Independence("p", b.table("employees"), sex, salary)),
		"has many order lines": of(
			b.Independence("p", b.table("orders"), b.col("orders", "currency"), b.col("items", "product"))),
		"no row in common": of(b.MannWhitney("p", age, women, b.is("employees", "sex", "f", "m"))),
		"has many employees, so it has no single sex": of(b.MannWhitney("p", budget, women, men)),
		"no row has both":               of(b.Paired("p", salary, budget)),
		"age is named twice":            of(b.Paired("p", age, age)),
		"salary is named twice":         of(b.Fit("r2", 0, salary, age, salary)),
		"different tables":              of(b.Fit("r2", 0, salary, budget)),
		"1 to 6 predictors":             of(b.Fit("r2", 0, salary)),
		"no coefficient at the place 0": of(b.Fit("coefficient", 0, salary, age)),
		"no r2 at the place 1":          of(b.Fit("r2", 1, salary, age)),
		"no coefficient at the place 2": of(b.Fit("coefficient", 2, salary, age)),
	} {
		require.ErrorContains(t, err, want)
	}
	m, err := b.Anova("p", b.amount("orders", "amount"), b.col("orders", "ordered"))
	require.Error(t, err, m)
	p := ok[query.Measure](t)(b.Normality("p", b.amount("orders", "amount")))
	_, err = b.Groups(b.rows("orders"), nil, []query.Measure{p})
	require.ErrorContains(t, err, "mixes currencies")
	_, err = b.EachOf(p, b.col("orders", "currency"), "mean")
	require.ErrorContains(t, err, "one plain figure")
}
