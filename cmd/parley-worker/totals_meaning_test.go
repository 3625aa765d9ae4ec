package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/analysttest"
	"parley.dev/parley/domain"
)

// TestTurn_Meaning lets a model add up what the meaning of the data forbids. Nothing is said about the tables: all of it is
// derived from their measured facts and their names.
func TestTurn_Meaning(t *testing.T) {
	t.Parallel()
	b := factsSetup(t)
	var seats, meters strings.Builder
	seats.WriteString("id,month,shop,city,seats,sold,discount_percent\n")
	meters.WriteString("meter_id,read_on,pulses\n")
	id := 0
	for shop := range 6 {
		for month := range 8 {
			id++
			// Each shop changes its seats once.
			fmt.Fprintf(&seats, "%d,2026-%02d-01,S%d,%s,%d,%d,%d\n", id, month+1, shop, []string{"Berlin", "Oslo"}[shop%2], 20+shop+month/6,
				3+(7*shop+5*month)%11, (shop+month)%4*5)
			if (shop+month)%3 > 0 {
				fmt.Fprintf(&meters, "M%d,2026-%02d-%02d,%d\n", shop, month+1, 3+shop, 100*(shop+1)+10*month)
			}
		}
	}
	turns := &turns{facts: knownFacts{}}
	var sources []domain.DataSource
	for name, text := range map[string]string{
		"shops": seats.String(), "meters": meters.String(),
		"invoices":   "invoice_id,region,amount,currency\n1,North,10.5,EUR\n2,North,20,USD\n3,South,12.25,EUR\n4,South,30,USD\n",
		"lines":      "line_id,product,quantity,unit_price,line_total\n1,a,2,5.5,11\n2,b,1,3,3\n3,a,4,5.5,22\n4,b,2,3,6\n",
		"indicators": "month,metric,value\n2026-01-01,visits,40\n2026-01-01,revenue,900\n2026-02-01,visits,45\n2026-02-01,revenue,950\n",
	} {
		s, _ := b.prepare(t, name+".csv", text)
		facts, err := b.bench.MeasureFacts(t.Context(), &s, nil)
		require.NoError(t, err)
		sources = append(sources, s)
		turns.facts[s.ID] = domain.KnownFacts{Source: s.ID, WorkKey: s.WorkKey, Measured: true, SourceFacts: *facts}
	}
	turns.config = analyst.Config{
		DataSources: analysttest.NewSources(sources...), Files: &analysttest.Files{}, Workbench: b.bench, Facts: turns.facts,
		Backoff: time.Millisecond, Clock: autumn{},
	}
	for _, c := range []struct{ name, sql, want string }{
		{"RateByItsPrice", "SELECT product, sum(unit_price) FROM lines GROUP BY 1", "Not run: sum(lines.unit_price)"},
		{"RateByPercent", "SELECT city, sum(discount_percent) FROM shops GROUP BY 1", "Not run: sum(shops.discount_percent)"},
		{"RateAveraged", "SELECT product, avg(unit_price) FROM lines GROUP BY 1", "Result "},
		{"RateWeighed", "SELECT sum(unit_price * quantity) / sum(quantity) FROM lines", "Result "},
		{"AmountOfLines", "SELECT product, sum(line_total), sum(quantity) FROM lines GROUP BY 1", "Result "},
		{"MixedCurrencies", "SELECT region, sum(amount) FROM invoices GROUP BY 1", "Not run: sum(invoices.amount)"},
		{"MeanOfMixedCurrencies", "SELECT region, avg(amount) FROM invoices GROUP BY 1", "Not run: avg(invoices.amount)"},
		{"CurrencyGrouped", "SELECT region, currency, sum(amount) FROM invoices GROUP BY 1, 2", "Result "},
		{"CurrencyFixed", "SELECT region, sum(amount) FROM invoices WHERE currency = 'EUR' GROUP BY 1", "Result "},
		{"MixedFigures", "SELECT month, sum(value) FROM indicators GROUP BY 1", "Not run: sum(indicators.value)"},
		{"OneFigure", "SELECT month, sum(value) FROM indicators WHERE metric = 'visits' GROUP BY 1", "Result "},
		{"LevelByHolding", "SELECT city, sum(seats) FROM shops GROUP BY 1", "Not run: sum(shops.seats)"},
		{"LevelInOneMonth", "SELECT city, sum(seats) FROM shops WHERE month = DATE '2026-08-01' GROUP BY 1", "Result "},
		{"LevelOfEachMonth", "SELECT month, sum(seats) FROM shops GROUP BY 1", "Result "},
		{"FlowOfAllMonths", "SELECT city, sum(sold) FROM shops GROUP BY 1", "Result "},
		{"RunningTotal", "SELECT sum(pulses) FROM meters", "Not run: sum(meters.pulses)"},
		{"LastReadingOfEach", "SELECT sum(c) FROM (SELECT meter_id, arg_max(pulses, read_on) AS c FROM meters GROUP BY 1)", "Result "},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var told []string
			_, err := turns.ask(t, analysttest.Job("a question"), func(results []string) (object, string) {
				if told = results; len(results) == 0 {
					return object{"sql": c.sql}, ""
				}
				return nil, "So much."
			})
			require.NoError(t, err)
			require.Contains(t, told[0], c.want)
			require.Equal(t, strings.HasPrefix(c.want, "Not run"), strings.Contains(told[0], "Not run"), told[0])
		})
	}
}
