package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

// salesTables are orders with their products.
func salesTables(dialect domain.Dialect) []analyst.Table {
	orders := listOf("orders",
		domain.Column{Name: "order_id", Type: domain.ColumnInteger, Distinct: 400, Min: "1", Max: "400"},
		domain.Column{Name: "product_id", Type: domain.ColumnInteger, Distinct: 20, Min: "1", Max: "20"},
		domain.Column{Name: "region", Type: domain.ColumnText, Distinct: 3, Values: []string{"North", "South", "East"}},
		domain.Column{Name: "channel", Type: domain.ColumnText, Distinct: 2, Values: []string{"web", "shop"}},
		domain.Column{Name: "returned", Type: domain.ColumnBoolean, Distinct: 2},
		domain.Column{Name: "net_sales", Type: domain.ColumnNumber, Distinct: 390, Min: "3", Max: "900"},
		domain.Column{Name: "quantity", Type: domain.ColumnInteger, Distinct: 200, Min: "1", Max: "300"},
		domain.Column{Name: "discount", Type: domain.ColumnNumber, Distinct: 40, Min: "0", Max: "40"},
		domain.Column{Name: "score_before", Type: domain.ColumnNumber, Distinct: 60, Min: "0", Max: "100"},
		domain.Column{Name: "score_after", Type: domain.ColumnNumber, Distinct: 60, Min: "0", Max: "100"},
		domain.Column{Name: "order_date", Type: domain.ColumnDate, Distinct: 300, Min: "2024-01-01", Max: "2025-09-30"},
	)
	products := listOf("products",
		domain.Column{Name: "product_id", Type: domain.ColumnInteger, Distinct: 20, Min: "1", Max: "20"},
		domain.Column{Name: "category", Type: domain.ColumnText, Distinct: 3, Values: []string{"Lamps", "Desks", "Chairs"}},
		domain.Column{Name: "list_price", Type: domain.ColumnNumber, Distinct: 20, Min: "5", Max: "400"},
	)
	out := append(orders, products...)
	for i := range out {
		out[i].Dialect, out[i].Rows = dialect, []int64{400, 20}[i]
	}
	return out
}

// Each test is recognised in several phrasings, and its plan says what is compared and how.
func TestTests_Reads(t *testing.T) {
	t.Parallel()
	const (
		regions    = "whether the mean of `Net sales` differs between the values of `Region`, by a one-way analysis of variance"
		channels   = "whether the mean of `Net sales` differs between web and shop of `Channel`, by Welch's test"
		categories = "whether `Returned` and `Category` are related in the rows of `orders`, by Pearson's chi-square test"
		both       = "the regression of `Net sales` on `Quantity` and `Discount` by least squares"
		ranks      = "whether `Net sales` is higher for true or false of `Returned`, by the Mann–Whitney test"
		normal     = "whether `Discount` is normally distributed, by D'Agostino's test"
		pairs      = "whether `Score before` and `Score after` of the same rows differ, by a paired t test"
	)
	for question, plan := range map[string]string{
		"does average net sales differ significantly between regions?":                  regions,
		"do the average net sales differ between the regions?":                          regions,
		"is there a significant difference in average net sales between regions?":       regions,
		"is the average net sales significantly different across regions?":              regions,
		"ANOVA of net sales by region":                                                  regions,
		"one-way analysis of variance of net sales across the regions with p-value":     regions,
		"does the average net sales differ significantly between channels?":             channels,
		"does the average net sales differ significantly between North, South and East": regions,
		"is returned related to category?":                                              categories,
		"is returned independent of category?":                                          categories,
		"are returned and category related?":                                            categories,
		"chi-square test of returned and category":                                      categories,
		"is there an association between returned and category?":                        categories,
		"regress net sales on quantity and discount":                                    both,
		"regression of net sales on quantity, discount":                                 both,
		"multiple regression of net sales on the quantity and the discount":             both,
		"Mann-Whitney test of net sales between returned and not returned orders":       ranks,
		"mann-whitney u test of net sales by returned":                                  ranks,
		"is discount normally distributed?":                                             normal,
		"test discount for normality":                                                   normal,
		"normality test of discount":                                                    normal,
		"does discount follow a normal distribution?":                                   normal,
		"is the score before different from the score after?":                           pairs,
		"paired t-test of score before and score after":                                 pairs,
		"is the score before significantly different from the score after in 2025?":     pairs,
	} {
		r := Read(salesTables(""), date(2025, 10, 15), question)
		require.True(t, r.Understood, "%s: %s", question, r.Plan)
		require.Contains(t, r.Plan, plan, question)
	}
}

// TestTests_Refuses checks that a test of what cannot be tested is refused, with its reason.
func TestTests_Refuses(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		"anova of region by channel":                                           "text",
		"anova of net sales by order id":                                       "names single things",
		"anova of net sales by quantity":                                       "none as it is asked for",
		"does average net sales differ significantly between months?":          "",
		"does average list price differ significantly between regions?":        "",
		"chi-square test of net sales and region":                              "none as it is asked for",
		"shapiro-wilk test of net sales":                                       "I do not have the test",
		"two-way anova of net sales by region and channel":                     "I do not have the test",
		"is region normally distributed?":                                      "",
		"mann-whitney test of net sales by region":                             "two values of one column",
		"paired t-test of net sales and list price":                            "",
		"regress net sales on quantity and region":                             "",
		"regress net sales on quantity and discount by region":                 "not to each group",
		"does average net sales differ significantly between regions and web?": "",
	} {
		f := New(Config{}).planner(salesTables(""), nil, []string{question}).follow([]string{question})
		require.False(t, f.understood(), "%s: %s", question, f.sentence())
		require.Contains(t, f.reason, want, question)
	}
	for _, question := range []string{
		"anova of net sales by region", "is returned related to channel?", "mann-whitney test of net sales between web and shop",
		"is discount normally distributed?", "paired t-test of score before and score after", "regress net sales on quantity and discount",
	} {
		f := New(Config{}).planner(salesTables(domain.DialectPostgres), nil, []string{question}).follow([]string{question})
		require.False(t, f.understood(), question)
		require.Contains(t, f.reason, "no p-values", question)
	}
}

// TestTests_Follows checks that a follow-up narrows the rows of a test, and that one that changes its columns is refused.
func TestTests_Follows(t *testing.T) {
	t.Parallel()
	now := date(2025, 10, 15)
	r := Read(salesTables(""), now, "anova of net sales by region", "only for web")
	require.True(t, r.Understood, r.Plan)
	require.Contains(t, r.Plan, "one-way analysis of variance")
	require.Contains(t, r.SQL, "channel = 'web'")
	r = Read(salesTables(""), now, "anova of net sales by region", "and by channel?")
	require.False(t, r.Understood, r.Plan)
}
