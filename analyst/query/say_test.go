package query_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/query"
)

func TestSay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	age, salary := b.rate("employees", "age"), b.amount("employees", "salary")
	overall := ok[query.Scalar](t)(b.Overall(query.Mean(salary), b.rows("employees")))
	rich := ok[query.Pred](t)(b.Cmp(salary, ">", overall))
	fee := query.Total(b.amount("orders", "shipping_fee"))
	mrr := ok[query.Measure](t)(query.At(b.level("revenue", "mrr"), query.LastPeriod))
	year := b.by("revenue", "month", "year")
	for _, c := range []struct {
		ask  query.Ask
		says string
	}{
		{
			ok[query.Groups](t)(b.Groups(b.rows("employees", b.is("employees", "sex", "male"), rich), nil, []query.Measure{query.Median(age)})),
			"Median age, where salary is above mean salary of all employees and sex is male.",
		},
		{
			ok[query.Groups](t)(b.Groups(b.rows("departments"), []query.By{b.dim("departments", "department_name")},
				[]query.Measure{query.Total(b.amount("departments", "budget")), query.Total(salary)})),
			"Total budget in USD and total salary, by department name. Each figure is calculated from its own table.",
		},
		{
			ok[query.Groups](t)(b.Groups(b.rows("revenue"), nil, []query.Measure{mrr})),
			"Mrr. Mrr is a level, so months are not added up: the last month is taken.",
		},
		{
			ok[query.Groups](t)(b.Groups(b.rows("revenue"), []query.By{year}, []query.Measure{mrr})),
			"Mrr, by year of month. Mrr is a level, so months are not added up: the last month of each time is taken.",
		},
		{
			ok[query.Groups](t)(b.Groups(b.rows("orders"), []query.By{b.Overlap(b.col("items", "product"))}, []query.Measure{fee},
				ok[query.Part](t)(query.TopOf(fee, "desc", 3, 1)))),
			"Total shipping fee, by product, the 3 with the highest total shipping fee. Equal ones share a place. " +
				"A order can have several of product and counts in full for each, so these groups overlap and do not add up to the whole.",
		},
		{
			question(b).Asks()[0],
			"Total salary and total salary divided by number of employees, with the running total of total salary, " +
				"by department name and year of hired, " +
				"where sex is f, only groups with total salary above 10, the 3 with the highest total salary, after these steps: " +
				"only employees where age is known are kept. Equal ones share a place.",
		},
	} {
		require.Equal(t, c.says, query.Say(c.ask))
	}
}
