package builtin

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

// branches is a file with German headings, and a second one, staff, whose name is not a noun for its
// rows and whose headings have units.
func branches() []analyst.Table {
	tables := listOf("umsätze_2025_filialen",
		domain.Column{Name: "filiale", Type: domain.ColumnText, Description: "Filiale", Distinct: 2, Values: []string{"Köln", "Ulm"}},
		domain.Column{Name: "bundesland", Type: domain.ColumnText, Description: "Bundesland", Distinct: 2, Values: []string{"NRW", "BW"}},
		domain.Column{Name: "umsatz", Type: domain.ColumnNumber, Description: "Umsatz (€)", Distinct: 90, Min: "5", Max: "900"},
		domain.Column{Name: "kunden_nr", Type: domain.ColumnText, Description: "Kunden-Nr.", Distinct: 80},
	)
	tables[0].Title = "Umsätze 2025 Filialen"
	return tables
}

func staff() []analyst.Table {
	tables := listOf("staff_master_v2",
		domain.Column{Name: "dept", Type: domain.ColumnText, Description: "dept", Distinct: 3, Values: []string{"IT", "HR", "Ops"}},
		domain.Column{Name: "hire_date", Type: domain.ColumnDate, Description: "hire_date", Min: "2015-01-01", Max: "2025-05-04", Distinct: 90},
		domain.Column{
			Name: "exit_date", Type: domain.ColumnDate, Description: "exit_date", Min: "2016-01-01", Max: "2025-05-04", Distinct: 20,
			Nulls: 70,
		},
		domain.Column{
			Name: "annual_salary_gbp", Type: domain.ColumnNumber, Description: "annual_salary_gbp", Distinct: 80, Min: "24000",
			Max: "98000",
		},
		domain.Column{Name: "is_remote", Type: domain.ColumnBoolean, Description: "is_remote"},
		domain.Column{Name: "weekly_hours", Type: domain.ColumnInteger, Description: "weekly_hours", Distinct: 30, Min: "20", Max: "40"},
		domain.Column{Name: "commute_min", Type: domain.ColumnNumber, Description: "Commute (min)", Distinct: 60, Min: "5", Max: "90"},
		domain.Column{Name: "kwh_used", Type: domain.ColumnNumber, Description: "kWh used", Distinct: 60, Min: "5", Max: "90"},
		domain.Column{Name: "rent", Type: domain.ColumnNumber, Description: "Rent £", Distinct: 60, Min: "5", Max: "90"},
		domain.Column{
			Name: "note", Type: domain.ColumnText, Description: "note", Distinct: 2, Nulls: 30,
			Values: []string{"checked", "estimated"},
		},
	)
	tables[0].Title = tables[0].Name
	return tables
}

// survey is a file with names of one word, and with remarks in its headings.
func survey() []analyst.Table {
	tables := listOf("churndataset_2024",
		domain.Column{Name: "avgsession", Type: domain.ColumnNumber, Description: "avgSession", Distinct: 90, Min: "1", Max: "900"},
		domain.Column{
			Name: "how_happy_are_you_with_lunch_1_5", Type: domain.ColumnInteger, Description: "How happy are you with lunch? (1-5)",
			Distinct: 5, Min: "1", Max: "5",
		},
		domain.Column{Name: "height_in_cm", Type: domain.ColumnInteger, Description: "Height in cm", Distinct: 40, Min: "120", Max: "170"},
		domain.Column{Name: "churned", Type: domain.ColumnInteger, Description: "churned", Distinct: 2, Min: "0", Max: "1"},
		domain.Column{
			Name: "comments", Type: domain.ColumnText, Description: "comments", Distinct: 2, Nulls: 54,
			Values: []string{"ok", "more fruit"},
		},
	)
	tables[0].Title = "churnDataSet_2024"
	return tables
}

func shouted() []analyst.Table {
	return listOf("lager",
		domain.Column{Name: "bestand", Type: domain.ColumnNumber, Description: "BESTAND", Distinct: 90, Min: "1", Max: "900"},
		domain.Column{Name: "bezeichnung", Type: domain.ColumnText, Description: "BEZEICHNUNG", Distinct: 90})
}

// TestNarrate_Words checks the names, units and sides in titles and answers.
func TestNarrate_Words(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tables        []analyst.Table
		question      string
		rows          [][]any
		title, answer string
	}{
		"RowsOfAnyName": {
			branches(), "How many rows are there by Bundesland?",
			[][]any{{"NRW", int64(6)}, {"BW", int64(3)}},
			"Number of rows of Umsätze 2025 Filialen by Bundesland",
			"**NRW** has the highest number of rows of Umsätze 2025 Filialen: **6**. BW has 3, a difference of 3: NRW has 100% more.",
		},
		"NounsOfAGermanTable": {
			branches(), "average Umsatz by Filiale",
			[][]any{{"Ulm", 100.0}},
			"Average Umsatz (€) by Filiale",
			"**Ulm** has the highest average Umsatz: **€100**.\n\nIt is the only Filiale there is here.",
		},
		"ValuesOfAnyName": {
			branches(), "How many different Kunden are there?",
			[][]any{{int64(80)}},
			"Number of different values of Kunden-Nr.", "The number of different values of Kunden-Nr. is **80**.",
		},
		"UnitInBrackets": {
			staff(), "average commute", [][]any{{12.5}}, "Average commute (min)", "The average commute is **12.5 min**.",
		},
		"SignBehindTheName": {
			staff(), "total rent", [][]any{{1250.0}}, "Total rent (£)", "The total rent is **£1,250**.",
		},
		"CapitalsInsideAWord": {
			staff(), "total kwh used", [][]any{{1250.0}}, "Total kWh used", "The total kWh used is **1,250**.",
		},
		"WeeklyHoursKeepTheirNoun": {
			staff(), "average weekly hours", [][]any{{32.5}}, "Average weekly hours", "The average weekly hours is **32.5**.",
		},
		"NameOfAFlag": {
			staff(), "share of remote by dept",
			[][]any{{"HR", int64(3), int64(4), 75.0}, {"IT", int64(1), int64(4), 25.0}},
			"Share where remote is yes by dept",
			"The share where remote is yes is highest for **HR**: **75%** (3 of 4).\n\nIt is lowest for IT with 25%.",
		},
		"ADateThatIsNotTheMainOne": {
			staff(), "how many left in 2020?",
			[][]any{{int64(2)}},
			"Number of rows of staff master v2, 2020 by exit date",
			"The number of rows of staff master v2 in 2020 by exit date is **2**.",
		},
		"Correlation": {
			staff(), "correlation of salary and commute",
			[][]any{{0.1, int64(100)}},
			"Annual salary and commute",
			"The correlation of annual salary and commute is **0.1** over 100 pairs. They hardly go together.\n\nThat does not tell which one is " +
				"the cause, if any.",
		},
		"CorrelationWithItsPValue": {
			staff(), "is the correlation of salary and commute significant?",
			[][]any{{0.1, int64(100), 0.32225}},
			"Annual salary and commute",
			"The correlation of annual salary and commute is **0.1** over 100 pairs. They hardly go together. The p-value is **0.322** " +
				"(two-sided, of Pearson's correlation).\n\nThat does not tell which one is the cause, if any.",
		},
		"CorrelationWithATinyPValue": {
			staff(), "p-value of the correlation of salary and commute",
			[][]any{{0.9, int64(100), 1.25e-37}},
			"Annual salary and commute",
			"The correlation of annual salary and commute is **0.9** over 100 pairs. They go together strongly: where one is higher, so is " +
				"the other. The p-value is **1.2e-37** (two-sided, of Pearson's correlation).\n\nThat does not tell which one is the cause, if any.",
		},
		"RunningTotal": {
			staff(), "running total of rent by month",
			[][]any{{"2025-01-01", 10.0, 10.0}, {"2025-02-01", 30.0, 20.0}},
			"Running total rent (£) by month",
			"Up to February 2025, the running total of rent comes to **£30**; it starts with £10 in January 2025.",
		},
		"MoneyHasTwoDecimals": {staff(), "average rent", [][]any{{655.3}}, "Average rent (£)", "The average rent is **£655.30**."},
		"ShortenedWords": {
			survey(), "average session", [][]any{{12.5}}, "Average session", "The average session is **12.5**.",
		},
		"RemarkInBrackets": {
			survey(), "average happy with lunch",
			[][]any{{3.5}},
			"Average how happy are you with lunch",
			"The average how happy are you with lunch is **3.5**.",
		},
		"UnitBehindIn": {survey(), "average height", [][]any{{140.5}}, "Average height (cm)", "The average height is **140.5 cm**."},
		"FlagOfOnes": {
			survey(), "average height by churned",
			[][]any{{int64(1), 150.0}, {int64(0), 140.0}},
			"Average height (cm) by churned",
			"**churned** has the highest average height: **150 cm**. not churned has 140 cm, a difference of 10 cm: churned has 7.14% more.",
		},
		"TitleSaysTheFilter": {
			survey(), "how many have no comments?",
			[][]any{{int64(54)}},
			"Number of rows of churnDataSet 2024, comments is empty",
			"The number of rows of churnDataSet 2024 where comments is empty is **54**.",
		},
		"LettersOfAShoutedGermanTable": {
			shouted(), "average bestand", [][]any{{12.5}}, "Average Bestand", "The average Bestand is **12.5**.",
		},
		"RankedRowsSayByWhat": {
			staff(), "list the top 3 rows by rent", [][]any{}, "Staff master v2 by rent (£)", "No rows match.\n\nYou could widen the filter, or " +
				"ask for the values that there are.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f, n := narrated(c.tables, c.question, c.rows...)
			require.Equal(t, c.title, title(f))
			require.Equal(t, c.answer, n.answer)
		})
	}
	t.Run("HavingAnEmptyOne", func(t *testing.T) {
		t.Parallel()
		f, _ := narrated(staff(), "how many rows have note empty?", []any{int64(30)})
		require.NotContains(t, sql(f), "<> ''", "no cell is empty and filled at once")
		require.Contains(t, sql(f), "note IS NULL")
	})
	t.Run("RemarkOfAHeadingCutOtherwise", func(t *testing.T) {
		t.Parallel()
		require.Empty(t, tableOf(staff(), 0, nil).columns[7].remark())
	})
}

func TestTable_RowsNamed(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"retail_orders": "retail orders", "order": "orders", "survey_2025": "rows of survey 2025", "HomeListings": "home listings",
		"headeronly": "rows of headeronly", "energy_analysis": "rows of energy analysis", "sales_data": "rows of sales data",
		"player_stats": "rows of player stats", "kunden": "rows of kunden", "orders_2025": "orders", "v2": "rows of v2", "people": "people",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, want, tableOf(listOf(name), 0, nil).rowsNamed())
		})
	}
}

// Questions that are offered use the names that people use, and no question is offered twice.
func TestSuggest_Words(t *testing.T) {
	t.Parallel()
	offers := newPlanner(newLanguage(), branches(), nil, date(2025, 10, 15), nil).suggest(12)
	require.Contains(t, offers, "What is the total Umsatz by Filiale?")
	require.Contains(t, offers, "Which Bundesland has the highest Umsatz?")
	require.Contains(t, offers, "How many rows are there?")
	require.Contains(t, offers, "Describe the data in Umsätze 2025 Filialen")
	offers = newPlanner(newLanguage(), staff(), nil, date(2025, 10, 15), nil).suggest(30)
	require.Contains(t, offers, "What is the average annual salary by dept?")
	require.NotContains(t, offers, "What is the average annual salary gbp by dept?")
}

func TestFollowing_Words(t *testing.T) {
	t.Parallel()
	f, _ := narrated(staff(), "average salary by dept")
	next := following(f, nil)
	require.NotContains(t, next, "As a share of the total?", "means are not parts of a whole")
	require.NotContains(t, next, "And the annual salary?", "this was already asked")
	require.Contains(t, next, "And the commute?")
	f, _ = narrated(staff(), "total rent by dept")
	require.Contains(t, following(f, nil), "As a share of the total?")
}
