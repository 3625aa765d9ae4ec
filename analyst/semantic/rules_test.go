package semantic_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/semantic"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// made is a table for a test: its columns as "name type least most values…", and its facts.
type made struct {
	name, dictionary, description string
	rows                          int64
	columns                       []string
	keys                          [][]string
	implied                       []domain.Implication
	panel                         *domain.PanelFacts
	running                       *domain.RunningFacts
}

// source makes a source of one or more tables.
func source(t *testing.T, id int64, tables ...made) semantic.Source {
	t.Helper()
	s := semantic.Source{ID: id, Facts: &domain.SourceFacts{}}
	for _, m := range tables {
		r := domain.DataResource{Table: m.name, Name: m.name, Details: m.dictionary, Description: m.description, Rows: m.rows}
		f := domain.TableFacts{Table: m.name, Rows: m.rows, Keys: m.keys, Implied: m.implied, Panel: m.panel, Running: m.running}
		for _, text := range m.columns {
			p := strings.Split(text, " ")
			c := domain.Column{Name: p[0], Type: domain.ColumnType(p[1]), Distinct: m.rows / 2}
			facts := domain.ColumnFacts{Name: p[0]}
			if len(p) > 2 && c.Type != domain.ColumnText {
				c.Min, c.Max = p[2], p[3]
				facts.Min, facts.Max = &p[2], &p[3]
				if len(p) > 4 {
					n, err := strconv.ParseInt(p[4], 10, 64)
					require.NoError(t, err)
					c.Distinct = n
				}
			} else if c.Type == domain.ColumnText {
				c.Values = p[2:]
				if len(c.Values) > 0 {
					c.Distinct = int64(len(c.Values))
				}
			}
			for _, k := range m.keys {
				if len(k) == 1 && k[0] == c.Name {
					c.Distinct = m.rows
				}
			}
			n := c.Distinct
			facts.Distinct = &n
			r.Columns, f.Columns = append(r.Columns, c), append(f.Columns, facts)
		}
		s.Resources, s.Facts.Tables = append(s.Resources, r), append(s.Facts.Tables, f)
	}
	return s
}

// derived is the meaning of one source.
func derived(s semantic.Source) *meaning.Meaning {
	return semantic.Derive(&semantic.Input{Sources: []semantic.Source{s}, Today: today()})
}

// columnOf finds a column.
func columnOf(t *testing.T, m *meaning.Meaning, table, column string) *meaning.Column {
	t.Helper()
	for i := range m.Tables {
		for j := range m.Tables[i].Columns {
			if m.Tables[i].Name == table && m.Tables[i].Columns[j].Name == column {
				return &m.Tables[i].Columns[j]
			}
		}
	}
	t.Fatalf("no column %s.%s", table, column)
	return nil
}

// verbOf finds a verb in the first table.
func verbOf(t *testing.T, m *meaning.Meaning, word string) meaning.Verb {
	t.Helper()
	for _, v := range m.Tables[0].Verbs {
		if v.Word == word {
			return v
		}
	}
	t.Fatalf("no verb %s", word)
	return meaning.Verb{}
}

// readings are meters that are read now and then.
func readings() made {
	return made{
		name: "readings", rows: 60,
		columns: []string{"meter_id text M1 M2 M3", "read_on date 2026-01-03 2026-11-20 55", "counter integer 10 900 60", "used integer 0 40 30"},
		keys:    [][]string{{"meter_id", "read_on"}},
		panel: &domain.PanelFacts{
			Entity: []string{"meter_id"}, Period: "read_on", Lived: 160,
			Series: []domain.SeriesFacts{
				{Column: "counter", Steps: 57, Rising: 50, Equal: 7, Values: 60},
				{Column: "used", Steps: 57, Rising: 25, Falling: 25, Equal: 7, Zero: 5, Values: 60},
			},
		},
	}
}

// TestDerive_Names says why a text that names the rows is a dimension: measured if each row has its own one, and never that its
// values repeat if it is not known.
func TestDerive_Names(t *testing.T) {
	t.Parallel()
	people := made{
		name: "customers", rows: 9, keys: [][]string{{"customer_id"}},
		columns: []string{"customer_id integer 1 9", "customer_name text"},
	}
	why := func(s semantic.Source) meaning.Reason {
		c := columnOf(t, derived(s), "customers", "customer_name")
		require.Equal(t, meaning.Dimension, c.Role)
		return c.Reasons["role"]
	}
	require.Equal(t, meaning.Reason{State: meaning.Inferred, Evidence: "Its values repeat."}, why(source(t, 1, people)))

	unmeasured := source(t, 1, people)
	unmeasured.Facts = nil
	unmeasured.Resources[0].Columns[1].Distinct = people.rows
	require.Equal(t, meaning.Reason{State: meaning.Inferred, Evidence: "It is named like the name of a row."}, why(unmeasured))

	people.keys = append(people.keys, []string{"customer_name"})
	require.Equal(t, meaning.Reason{State: meaning.Measured, Evidence: "Each of the 9 rows has its own value, and it is a name."},
		why(source(t, 1, people)))
}

// TestDerive_SharedVerbs says that a verb is shared if one rule finds two meanings, and not if a stronger rule has found one.
func TestDerive_SharedVerbs(t *testing.T) {
	t.Parallel()
	m := derived(source(t, 1, made{
		name: "orders", rows: 50, keys: [][]string{{"order_id"}},
		columns: []string{
			"order_id integer 1 50", "ship_date date 2026-01-01 2026-11-01", "order_status text Paid Shipped Returned",
			"payment_status text Paid Refunded",
		},
	}))
	pay := verbOf(t, m, "pay")
	require.True(t, pay.Shared)
	require.Equal(t, "order_status", pay.Column)
	require.False(t, verbOf(t, m, "return").Shared)
	require.Equal(t, meaning.Verb{
		Word: "ship", Language: "en", Time: "ship_date",
		Reason: meaning.Reason{State: meaning.Inferred, Evidence: "The name of ship_date has this verb."},
	}, verbOf(t, m, "ship"))
}

// TestDerive_Running says of running totals what was measured over all rows, of a sample, and outside of a panel.
func TestDerive_Running(t *testing.T) {
	t.Parallel()
	whole, sampled := readings(), readings()
	sampled.rows, sampled.panel.Lived, sampled.panel.Series[0].SampledEntities = 60_000_000, 160_000_000, 4
	log := readings()
	log.panel = nil
	log.running = &domain.RunningFacts{
		Entity: []string{"meter_id"}, Time: "read_on", Series: []domain.SeriesFacts{{Column: "counter", Steps: 57, Rising: 57}},
	}
	only := log
	only.columns = only.columns[:3]
	barrier := []meaning.Barrier{{Column: "read_on", Resolve: meaning.ByLastOfEntity}}
	for name, test := range map[string]struct {
		table    made
		state    meaning.State
		kind     meaning.TableKind
		snapshot *meaning.Snapshot
	}{
		"Panel":              {whole, meaning.Measured, meaning.SnapshotTable, nil},
		"PanelOfASample":     {sampled, meaning.Inferred, meaning.SnapshotTable, nil},
		"BesideOtherNumbers": {log, meaning.Measured, meaning.Event, nil},
		"NothingButReadings": {only, meaning.Measured, meaning.Event, &meaning.Snapshot{Entity: []string{"meter_id"}, Period: "read_on"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := derived(source(t, 1, test.table))
			c := columnOf(t, m, "readings", "counter")
			require.Equal(t, meaning.Level, c.Number.Adds)
			require.Equal(t, test.state, c.Reasons["adds"].State)
			require.Equal(t, test.kind, m.Tables[0].Kind)
			require.Len(t, c.Number.Barriers, 1)
			require.Equal(t, barrier[0].Column, c.Number.Barriers[0].Column)
			require.Equal(t, barrier[0].Resolve, c.Number.Barriers[0].Resolve)
			if test.kind == meaning.Event {
				require.Equal(t, test.snapshot, m.Tables[0].Snapshot)
			}
		})
	}
}

// TestDerive_Barriers says over what a number must not be added up.
func TestDerive_Barriers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		table  made
		column string
		adds   meaning.Adds
		want   []meaning.Barrier
	}{
		{
			"MixedCurrencies",
			made{name: "invoices", rows: 50, columns: []string{
				"invoice_id integer 1 50", "amount number 5 900",
				"currency text EUR USD GBP",
			}, keys: [][]string{{"invoice_id"}}},
			"amount", meaning.Amount,
			[]meaning.Barrier{{Column: "currency", Resolve: meaning.FixOrGroup, Of: "currencies"}},
		},
		{
			"OneCurrency",
			made{name: "invoices", rows: 50, columns: []string{
				"invoice_id integer 1 50", "amount number 5 900",
				"currency text EUR",
			}, keys: [][]string{{"invoice_id"}}},
			"amount", meaning.Amount, nil,
		},
		{
			"NamesAndValues",
			made{name: "kpis", rows: 80, columns: []string{
				"month date 2026-01-01 2026-10-01 10",
				"metric text visits orders revenue", "value number 1 9000",
			}, keys: [][]string{{"month", "metric"}}},
			"value", meaning.Amount,
			[]meaning.Barrier{{Column: "metric", Resolve: meaning.FixOrGroup, Of: "figures"}},
		},
		{
			"MixedUnits",
			made{name: "deliveries", rows: 80, columns: []string{
				"delivery_id integer 1 80", "quantity number 1 90",
				"unit text kg pcs litres",
			}, keys: [][]string{{"delivery_id"}}},
			"quantity", meaning.Amount,
			[]meaning.Barrier{{Column: "unit", Resolve: meaning.FixOrGroup, Of: "units"}},
		},
		{
			"ATotalBesideItsParts",
			made{name: "sales_by_region", rows: 40, columns: []string{
				"region text North South Total",
				"month date 2026-01-01 2026-10-01 10", "sales number 1 90",
			}, keys: [][]string{{"region", "month"}}},
			"sales", meaning.Amount,
			[]meaning.Barrier{{Column: "region", Resolve: meaning.FixOrGroup, Of: "a total and its parts"}},
		},
		{
			"ACompanyCalledTotal",
			made{name: "refuels", rows: 40, columns: []string{
				"refuel_id integer 1 40", "station text Shell Total Esso",
				"litres number 1 90",
			}, keys: [][]string{{"refuel_id"}}},
			"litres", meaning.Amount, nil,
		},
		{
			"ARunningTotalReadNowAndThen", readings(), "counter", meaning.Level,
			[]meaning.Barrier{{Column: "read_on", Resolve: meaning.ByLastOfEntity, Of: "periods"}},
		},
		{"WhatWasUsed", readings(), "used", meaning.Amount, nil},
		{
			"ABalanceAfterABooking",
			made{name: "bookings", rows: 40, columns: []string{
				"booking_date date 2026-01-01 2026-10-01",
				"amount number -50 90", "balance number -5 900",
			}},
			"balance", meaning.Level,
			[]meaning.Barrier{{Column: "booking_date", Resolve: meaning.ByLastOfEntity, Of: "periods"}},
		},
		{
			"TheBalanceOfACustomer",
			made{
				name: "customers", rows: 40, columns: []string{"customer_id integer 1 40", "balance number -5 900"},
				keys: [][]string{{"customer_id"}},
			},
			"balance", meaning.Level, nil,
		},
		{
			"TheOpenBalanceOfAnInvoice",
			made{name: "invoices", rows: 40, columns: []string{
				"invoice_id integer 1 40", "invoice_date date 2026-01-01 2026-10-01", "invoice_amount number 5 900", "open_balance number 0 800",
			}, keys: [][]string{{"invoice_id"}}},
			"open_balance", meaning.Amount, nil,
		},
		{
			"WhatIsOutstandingAfterAPayment",
			made{name: "payments", rows: 40, columns: []string{
				"payment_id integer 1 40", "paid_on date 2026-01-01 2026-10-01", "amount number 5 900", "outstanding_balance number 0 9000",
			}, keys: [][]string{{"payment_id"}}},
			"outstanding_balance", meaning.Level,
			[]meaning.Barrier{{Column: "paid_on", Resolve: meaning.ByLastOfEntity, Of: "periods"}},
		},
		{
			"SeatsOfABooking",
			made{name: "bookings", rows: 40, columns: []string{
				"booking_id integer 1 40",
				"booking_date date 2026-01-01 2026-10-01", "seats integer 1 9",
			}, keys: [][]string{{"booking_id"}}},
			"seats", meaning.Amount, nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			n := columnOf(t, derived(source(t, 1, c.table)), c.table.name, c.column).Number
			require.NotNil(t, n)
			require.Equal(t, c.adds, n.Adds)
			require.Equal(t, c.want, n.Barriers)
		})
	}
}

// TestDerive_Snapshot says what the last complete period is, and whether the rows are regular.
func TestDerive_Snapshot(t *testing.T) {
	t.Parallel()
	stock := func(recent []domain.PeriodFacts, lived int64, flags ...domain.FlagFacts) made {
		return made{
			name: "stock", rows: 100,
			columns: []string{"shop text A B C", "month date 2026-01-01 2026-11-01 11", "stock integer 0 90", "closed boolean"},
			keys:    [][]string{{"shop", "month"}},
			panel:   &domain.PanelFacts{Entity: []string{"shop"}, Period: "month", Lived: lived, Recent: recent, Flags: flags},
		}
	}
	months := func(rows ...int64) []domain.PeriodFacts {
		var out []domain.PeriodFacts
		for i, n := range rows {
			out = append(out, domain.PeriodFacts{Period: time.Date(2026, time.Month(12-len(rows)+i), 1, 0, 0, 0, 0,
				time.UTC).Format(time.DateOnly), Rows: n})
		}
		return out
	}
	for _, c := range []struct {
		name    string
		table   made
		last    string
		regular bool
		exit    string
	}{
		{"TheMonthThatIsNotOver", stock(months(10, 10, 10, 10, 10, 10, 10), 100), "2026-10-01", true, ""},
		{"TheMonthWithFewRows", stock(months(10, 10, 10, 10, 10, 6, 10), 100), "2026-09-01", true, ""},
		{"JustEnoughRows", stock(months(10, 10, 10, 10, 10, 7, 10), 100), "2026-10-01", true, ""},
		{"NoPeriodIsOver", stock(months(10), 100), "", true, ""},
		{"GapsAreFew", stock(months(10, 10, 10), 105), "2026-10-01", true, ""},
		{"GapsAreMany", stock(months(10, 10, 10), 106), "2026-10-01", false, ""},
		{"NotMeasured", stock(nil, 0), "", false, ""},
		{"Exit", stock(months(10, 10), 100, domain.FlagFacts{Column: "closed", Yes: 200, Last: 198}), "2026-10-01", true, "closed"},
		{"NoExit", stock(months(10, 10), 100, domain.FlagFacts{Column: "closed", Yes: 200, Last: 197}), "2026-10-01", true, ""},
		{"NeverClosed", stock(months(10, 10), 100, domain.FlagFacts{Column: "closed"}), "2026-10-01", true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			table := derived(source(t, 1, c.table)).Tables[0]
			s := table.Snapshot
			require.NotNil(t, s)
			require.Equal(t, meaning.SnapshotTable, table.Kind)
			require.Equal(t, meaning.Month, s.Step)
			require.Equal(t, c.last, s.Last)
			require.Equal(t, c.regular, s.Regular)
			require.Equal(t, c.exit, s.Exit)
		})
	}
}

// TestDerive_Documented reads the plain sentences that a dictionary may have.
func TestDerive_Documented(t *testing.T) {
	t.Parallel()
	of := func(dictionary string) *meaning.Meaning {
		orders := made{
			name: "facts", rows: 50, dictionary: dictionary, keys: [][]string{{"id"}},
			columns: []string{"id integer 1 50", "who integer 1 9", "day date 2026-01-01 2026-10-01", "figure number 5 900", "rev number 0 9"},
		}
		people := made{name: "people", rows: 9, columns: []string{"id integer 1 9", "name text a b"}, keys: [][]string{{"id"}}}
		return derived(source(t, 1, orders, people))
	}
	number := func(t *testing.T, dictionary string) (*meaning.Column, *meaning.Number) {
		t.Helper()
		c := columnOf(t, of(dictionary), "facts", "figure")
		require.NotNil(t, c.Number)
		return c, c.Number
	}
	for text, adds := range map[string]meaning.Adds{
		"figure: what is on the account at the end of the month":          meaning.Level,
		"figure: customers at month-end":                                  meaning.Level,
		"figure = a number; its sum over months makes no sense":           meaning.Level,
		"Do not add figure up over months.":                               meaning.Level,
		"figure: points; do not add up":                                   meaning.Rate,
		"figure: a score. The sum of figure makes no sense.":              meaning.Rate,
		"figure: points that may be added up":                             meaning.Amount,
		"figure: points, at the end of the day, that may be summed":       meaning.Amount,
		"figure: a number":                                                meaning.Unknown,
		"Nobody knows whether sums over months make sense for other ones": meaning.Unknown,
	} {
		c, n := number(t, text)
		require.Equal(t, adds, n.Adds, text)
		if adds != meaning.Unknown {
			require.Equal(t, meaning.Documented, c.Reasons["adds"].State, text)
			require.NotEmpty(t, c.Reasons["adds"].Evidence)
		}
	}
	for text, unit := range map[string]meaning.Unit{
		"figure: what was paid, in US dollars": {Kind: meaning.Money, Symbol: "USD"},
		"figure: paid in euros":                {Kind: meaning.Money, Symbol: "EUR"},
		"figure: time to the answer, in hours": {Kind: meaning.Duration, Symbol: "hours"},
		"figure: Minutes to the answer":        {Kind: meaning.Duration, Symbol: "minutes"},
		"figure: a share in percent":           {Kind: meaning.Percent, Symbol: "%"},
		"figure: a number":                     {},
	} {
		_, n := number(t, text)
		require.Equal(t, unit, n.Unit, text)
	}
	_, n := number(t, "figure: revenue in thousands")
	require.InDelta(t, 1000, n.Scale, 0)
	_, n = number(t, "figure: Umsatz in Mio €")
	require.InDelta(t, 1e6, n.Scale, 0)
	_, n = number(t, "figure: points. Use the average.")
	require.Equal(t, meaning.Mean, n.Default)

	m := of("One row per person and day\nwho: references people.id\nrev: income, also called turnover or sales.")
	require.Equal(t, "person in a day", m.Tables[0].Row)
	require.Equal(t, "people in a day", m.Tables[0].Plural)
	require.Equal(t, meaning.Documented, m.Tables[0].RowReason.State)
	require.Equal(t, meaning.Foreign, columnOf(t, m, "facts", "who").Role)
	require.Len(t, m.Links, 1)
	require.Equal(t, meaning.ManyToOne, m.Links[0].Cardinality)
	require.Equal(t, meaning.Documented, m.Links[0].Reason.State)
	texts := []string{}
	for _, w := range m.Words {
		if w.Column == "rev" && w.Reason.State == meaning.Documented {
			texts = append(texts, w.Text)
		}
	}
	require.Equal(t, []string{"turnover", "sales"}, texts)
	// A column that is not a key there is named by many rows.
	require.Equal(t, meaning.ManyToMany, of("who: references people.name").Links[0].Cardinality)
	require.Empty(t, of("who: references nobody.id").Links)
}

// TestDerive_Power checks that power which is installed is no rate, as power which is drawn is.
func TestDerive_Power(t *testing.T) {
	t.Parallel()
	sites := made{name: "sites", rows: 50, keys: [][]string{{"id"}}, columns: []string{
		"id integer 1 50", "connected_capacity_kw number 11 90", "installed_kw number 11 90", "load_kw number 2 80", "kw number 2 80",
	}}
	m := derived(source(t, 1, sites))
	for column, rate := range map[string]bool{"connected_capacity_kw": false, "installed_kw": false, "load_kw": true, "kw": true} {
		require.Equal(t, rate, columnOf(t, m, "sites", column).Number.Adds == meaning.Rate, column)
	}
}

// TestDerive_Where distinguishes what is in a place from what comes in.
func TestDerive_Where(t *testing.T) {
	t.Parallel()
	goods := made{name: "articles", rows: 50, keys: [][]string{{"article_id"}}, columns: []string{
		"article_id integer 1 50", "pieces_in_stock integer 0 400", "units_in_inventory integer 0 400", "pieces_in integer 0 90",
		"stock_in integer 0 90",
	}}
	m := derived(source(t, 1, goods))
	for column, want := range map[string]meaning.Adds{
		"pieces_in_stock": meaning.Level, "units_in_inventory": meaning.Level, "pieces_in": meaning.Amount, "stock_in": meaning.Amount,
	} {
		require.Equal(t, want, columnOf(t, m, "articles", column).Number.Adds, column)
	}
}

// TestDerive_Corrected says that people are believed before documents and names, and that nobody can deny a measurement.
func TestDerive_Corrected(t *testing.T) {
	t.Parallel()
	of := func(said ...meaning.Correction) *meaning.Meaning {
		orders := made{
			name: "orders", rows: 50, dictionary: "points: do not add up", keys: [][]string{{"order_id"}},
			columns: []string{
				"order_id integer 1 50", "customer_id integer 1 9", "ordered_on date 2026-01-01 2026-10-01", "due_on date 2026-01-01 2026-11-01",
				"points number 5 900", "weight number 1 9", "paid boolean", "note text a b c",
			},
		}
		people := made{
			name: "customers", rows: 9, columns: []string{"customer_id integer 1 9", "name text a b"},
			keys: [][]string{{"customer_id"}},
		}
		s := source(t, 1, orders, people)
		s.Facts.Links = []domain.LinkFacts{{
			FromTable: "orders", From: []string{"customer_id"}, ToTable: "customers",
			To: []string{"customer_id"}, Distinct: 9, Matched: 9,
		}}
		for i := range said {
			said[i].Source = 1
			if said[i].Table == "" {
				said[i].Table = "orders"
			}
		}
		s.Corrections = said
		return derived(s)
	}
	about := func(column string, field meaning.Field, value string) meaning.Correction {
		return meaning.Correction{Column: column, Field: field, Value: value, ByName: "Mara"}
	}
	column := func(t *testing.T, name string, said ...meaning.Correction) *meaning.Column {
		t.Helper()
		return columnOf(t, of(said...), "orders", name)
	}
	require.Equal(t, meaning.Rate, column(t, "points").Number.Adds)

	t.Run("Numbers", func(t *testing.T) {
		t.Parallel()
		c := column(t, "points", about("points", meaning.FieldAdds, "amount"))
		require.Equal(t, meaning.Amount, c.Number.Adds)
		require.Equal(t, meaning.Sum, c.Number.Default)
		require.Equal(t, meaning.Reason{State: meaning.Said, Evidence: "Mara said so."}, c.Reasons["adds"])
		require.Equal(t, meaning.Mean, column(t, "points", about("points", meaning.FieldDefault, "mean"), about("points", meaning.FieldAdds,
			"amount")).Number.Default)
		require.Equal(t, meaning.Unit{Kind: meaning.Money, Symbol: "USD"}, column(t, "points", about("points", meaning.FieldUnit,
			"USD")).Number.Unit)
		require.Equal(t, meaning.Unit{}, column(t, "points", about("points", meaning.FieldUnit, "-")).Number.Unit)
		require.InDelta(t, 1000, column(t, "points", about("points", meaning.FieldScale, "1000")).Number.Scale, 0)
		require.InDelta(t, 1, column(t, "points", about("points", meaning.FieldScale, "-5")).Number.Scale, 0)
		require.Equal(t, "weight", column(t, "points", about("points", meaning.FieldWeight, "weight")).Number.Weight)
		require.Empty(t, column(t, "points", about("points", meaning.FieldWeight, "note")).Number.Weight)
		require.Nil(t, column(t, "note", about("note", meaning.FieldAdds, "amount")).Number, "a text is no number")
	})
	t.Run("Roles", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, meaning.Dimension, column(t, "points", about("points", meaning.FieldRole, "dimension")).Role)
		require.Nil(t, column(t, "points", about("points", meaning.FieldRole, "dimension")).Number)
		require.NotEqual(t, meaning.Key, column(t, "customer_id", about("customer_id", meaning.FieldRole, "key")).Role,
			"measured: its values repeat")
		for _, said := range []struct{ name, role, why string }{
			{"customer_id", "key", "A person said key, but its values repeat."},
			{"note", "measure", "A person said measure, but it has no numbers."},
			{"weight", "time", "A person said time, but it has no times."},
			{"note", "flag", "A person said flag, but it has no two values of which one means yes."},
		} {
			without, with := column(t, said.name), column(t, said.name, about(said.name, meaning.FieldRole, said.role))
			require.Equal(t, without.Role, with.Role)
			require.Equal(t, without.Reasons["role"].State, with.Reasons["role"].State)
			require.Contains(t, with.Reasons["role"].Evidence, said.why)
			require.Contains(t, with.Reasons["role"].Evidence, without.Reasons["role"].Evidence)
		}
		require.Equal(t, meaning.Dimension, column(t, "note", about("note", meaning.FieldRole, "measure")).Role)
		c := column(t, "customer_id", about("customer_id", meaning.FieldRole, "measure"))
		require.Equal(t, meaning.Measure, c.Role)
		require.NotNil(t, c.Number)
	})
	t.Run("Tables", func(t *testing.T) {
		t.Parallel()
		m := of(about("", meaning.FieldRow, "web order"), about("", meaning.FieldTime, "due_on"), about("", meaning.FieldWords, "sales, deals"))
		require.Equal(t, "web order", m.Tables[0].Row)
		require.Equal(t, "web orders", m.Tables[0].Plural)
		require.Equal(t, "due_on", m.Tables[0].Time)
		require.Equal(t, "deals", m.Words[len(m.Words)-1].Text)
		require.Equal(t, "ordered_on", of(about("", meaning.FieldTime, "nothing")).Tables[0].Time)
		require.Equal(t, "ordered_on", of(meaning.Correction{Table: "another", Field: meaning.FieldTime, Value: "due_on"}).Tables[0].Time,
			"it rests")
	})
	t.Run("Verbs", func(t *testing.T) {
		t.Parallel()
		m := of(about("paid", meaning.FieldVerbs, "settled, opened"), about("due_on", meaning.FieldVerbs, "ordered"))
		verbs := map[string]meaning.Verb{}
		for _, v := range m.Tables[0].Verbs {
			require.Empty(t, verbs[v.Word].Word, "a verb means one thing")
			verbs[v.Word] = v
		}
		require.Equal(t, "paid", verbs["settle"].Column)
		require.Equal(t, "true", verbs["open"].Value)
		require.Equal(t, "due_on", verbs["order"].Time)
	})
	t.Run("VerbsOfTheTime", func(t *testing.T) {
		t.Parallel()
		m := of(about("paid", meaning.FieldVerbs, "settled"), about("", meaning.FieldTime, "due_on"))
		require.Equal(t, "due_on", verbOf(t, m, "settle").Time, "the default time can be said after the verb")
		require.Equal(t, "due_on", verbOf(t, m, "begin").Time)
	})
	t.Run("VerbsOfNoFlag", func(t *testing.T) {
		t.Parallel()
		m := of(about("note", meaning.FieldVerbs, "paid"))
		require.Equal(t, "paid", verbOf(t, m, "pay").Column, "what has no effect removes nothing")
	})
	t.Run("Links", func(t *testing.T) {
		t.Parallel()
		require.Len(t, of().Links, 1)
		require.Empty(t, of(about("customer_id", meaning.FieldLink, "- customers.customer_id")).Links)
		require.True(t, of(about("customer_id", meaning.FieldLink, "!customers.customer_id")).Links[0].Preferred)
		m := of(about("points", meaning.FieldLink, "customers.customer_id"))
		require.Len(t, m.Links, 2)
		require.Equal(t, meaning.Said, m.Links[1].Reason.State)
		require.Len(t, of(about("points", meaning.FieldLink, "nothing.customer_id")).Links, 1)
		both := of(about("points", meaning.FieldLink, "!customers.customer_id"), about("customer_id", meaning.FieldLink,
			"!customers.customer_id")).Links
		require.Len(t, both, 2)
		for _, l := range both {
			require.Equal(t, l.From.Columns[0] == "customer_id", l.Preferred, "of two links to one table, the later one is preferred")
		}
	})
	t.Run("TheLaterOneHolds", func(t *testing.T) {
		t.Parallel()
		c := column(t, "points", about("points", meaning.FieldAdds, "amount"), about("points", meaning.FieldAdds, "level"))
		require.Equal(t, meaning.Level, c.Number.Adds)
	})
}

// TestDerive_Unmeasured says that names are enough for suggestions, and never for keys.
func TestDerive_Unmeasured(t *testing.T) {
	t.Parallel()
	s := source(
		t, 1, made{name: "customers", rows: 9, columns: []string{"id integer 1 9", "name text a b"}},
		made{name: "orders", rows: 50, columns: []string{
			"id integer 1 50", "customer_id integer 1 9", "home_customer_id integer 1 9",
			"amount number 1 9",
		}},
	)
	s.Facts = nil
	m := derived(s)
	require.False(t, m.Tables[1].KeysKnown)
	require.Empty(t, m.Tables[1].Keys)
	require.Len(t, m.Links, 2)
	for _, l := range m.Links {
		require.Equal(t, meaning.Inferred, l.Reason.State)
		require.Equal(t, "customers", l.To.Table)
	}
	require.Equal(t, "home", m.Links[1].Part)
}

// TestInput_Hash says that the hash changes with everything that changes a meaning, and with nothing else.
func TestInput_Hash(t *testing.T) {
	t.Parallel()
	of := func(change func(*semantic.Input)) string {
		in := measuredInput(t, "asked")
		change(in)
		return in.Hash()
	}
	same := of(func(*semantic.Input) {})
	require.Equal(t, same, of(func(in *semantic.Input) { in.Today = in.Today.Add(5 * time.Hour) }))
	require.Equal(t, same, of(func(in *semantic.Input) { in.Sources[0].Resources[0].Preview = "other rows" }))
	for name, change := range map[string]func(*semantic.Input){
		"the day":       func(in *semantic.Input) { in.Today = in.Today.AddDate(0, 0, 1) },
		"a link":        func(in *semantic.Input) { in.Links[0].Orphans++ },
		"a dictionary":  func(in *semantic.Input) { in.Sources[1].Resources[0].Details = "region: where it is" },
		"a fact":        func(in *semantic.Input) { in.Sources[1].Facts.Tables[0].Rows++ },
		"a correction":  func(in *semantic.Input) { in.Sources[1].Corrections = []meaning.Correction{{ID: 1}} },
		"the measuring": func(in *semantic.Input) { in.Sources[1].Facts = nil },
	} {
		require.NotEqual(t, same, of(change), name)
	}
}

func TestCache(t *testing.T) {
	t.Parallel()
	c := semantic.NewCache()
	in := measuredInput(t, "asked")
	first := c.Of(in)
	require.Same(t, first, c.Of(measuredInput(t, "asked")), "equal inputs are derived once")
	require.Equal(t, in.Hash(), first.Hash)
	// The meanings that were used longest ago go first.
	for day := 1; day < semantic.CachedMax; day++ {
		in.Today = today().AddDate(0, 0, day)
		c.Of(in)
	}
	require.Same(t, first, c.Of(measuredInput(t, "asked")))
	in.Today = today().AddDate(0, 0, semantic.CachedMax)
	c.Of(in)
	require.Same(t, first, c.Of(measuredInput(t, "asked")))
	for day := 1; day <= semantic.CachedMax; day++ {
		in.Today = today().AddDate(1, 0, day)
		c.Of(in)
	}
	require.NotSame(t, first, c.Of(measuredInput(t, "asked")))
}

func BenchmarkDerive(b *testing.B) {
	in := measuredInput(b, "files")
	for b.Loop() {
		semantic.Derive(in)
	}
}
