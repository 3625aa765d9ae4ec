package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/connectors/workbench"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/demo"
	"parley.dev/parley/internal/sqltext"
)

// measured returns the facts of a source, each of them checked by the oracle.
func measured(t *testing.T, b *bundle, source domain.DataSource) *domain.SourceFacts {
	t.Helper()
	facts, err := b.bench.MeasureFacts(t.Context(), &source, nil)
	require.NoError(t, err)
	require.Empty(t, facts.Unmeasured)
	require.Len(t, facts.Tables, len(source.Resources))
	for i := range facts.Tables {
		oracleOf(t, b, source, facts.Tables[i].Table).checkFacts(t, &facts.Tables[i])
	}
	for i := range facts.Links {
		l := &facts.Links[i]
		checkLinkFacts(t, oracleOf(t, b, source, l.FromTable), oracleOf(t, b, source, l.ToTable), l)
	}
	return facts
}

func factsSetup(t *testing.T) *bundle {
	t.Helper()
	return setup(t, func(c *workbench.Config) {
		c.Rows, c.Bytes, c.Queue, c.Wait = 1_000_000, 256<<20, 10_000, 10*time.Minute
		c.FactsDeadline = 5 * time.Minute // a busy machine
	})
}

func TestFacts_Tables(t *testing.T) {
	t.Parallel()
	b := factsSetup(t)
	panel := "id,shop,month,stock,sold\n"
	for i, row := range []string{
		"A,2025-01-01,10,0", "A,2025-02-01,8,-2", "A,2025-03-01,9,1", "A,2025-04-01,9,0",
		"B,2025-01-01,5,0", "B,2025-02-01,5,0", "B,2025-03-01,2,-3", "B,2025-04-01,,4",
	} {
		panel += string(rune('1'+i)) + "," + row + "\n"
	}
	for name, test := range map[string]struct {
		text    string
		keys    [][]string
		implied []domain.Implication
		panel   *domain.PanelFacts
	}{
		"one key":       {text: "id,name\n1,a\n2,a\n3,b\n", keys: [][]string{{"id"}}},
		"case matters":  {text: "code,n\nab,1\nAB,1\nAb,2\n", keys: [][]string{{"code"}}},
		"twice":         {text: "id,name\n1,a\n1,a\n2,b\n"},
		"missing":       {text: "id,n\n1,5\n2,5\n,5\n"},
		"fractions":     {text: "price,kind\n1.25,a\n2.5,a\n3.125,b\n"},
		"one row":       {text: "id,name\n7,x\n", keys: [][]string{{"id"}, {"name"}}},
		"days":          {text: "day,visits\n2025-01-01,5\n2025-01-02,5\n2025-01-03,7\n", keys: [][]string{{"day"}}},
		"dates as text": {text: "begun,n\nMay 25,1\nJune 25,1\nsometime,2\n", keys: [][]string{{"begun"}}},
		"pair":          {text: "order_id,line,qty\n1,1,5\n1,2,5\n2,1,5\n2,2,6\n", keys: [][]string{{"order_id", "line"}}},
		"triple": {
			text: "a_id,b_id,c_id\n1,1,1\n1,1,2\n1,2,1\n1,2,2\n2,1,1\n2,1,2\n2,2,1\n2,2,2\n", keys: [][]string{{"a_id", "b_id", "c_id"}},
		},
		"odd names":           {text: "\"a \"\"b\"\" id\",\"select\",\"Größe; x\"\n1,x,1\n2,x,2\n3,y,2\n", keys: [][]string{{"a_b_id"}}},
		"the best name first": {text: "name,id\na,1\nb,2\nc,3\n", keys: [][]string{{"id"}, {"name"}}},
		"the table's key": {
			text: "email,city_id,implied_id\na@x,1,1\nb@x,1,2\nc@x,2,3\n", keys: [][]string{{"implied_id"}, {"email"}},
		},
		"implied": {
			text:    "order_id,day,sku,qty\n1,2025-01-01,a,1\n1,2025-01-01,b,2\n2,2025-01-02,a,1\n2,2025-01-02,c,1\n",
			keys:    [][]string{{"order_id", "sku"}, {"day", "sku"}},
			implied: []domain.Implication{{By: []string{"order_id"}, Columns: []string{"day"}}},
		},
		"implied with missing values": {
			text: "id,team_id,lead,room\n1,1,x,\n2,1,x,\n3,2,y,5\n4,2,,5\n5,,z,7\n6,,z,8\n", keys: [][]string{{"id"}},
		},
		"panel beside an id": {
			text: panel, keys: [][]string{{"id"}, {"shop", "month"}},
			panel: &domain.PanelFacts{Entity: []string{"shop"}, Period: "month", Series: []domain.SeriesFacts{
				{Column: "stock", SampledEntities: 2, Steps: 5, Equal: 2, Falling: 2, Rising: 1, Values: 7, ChangeColumn: "sold"},
				{Column: "sold", SampledEntities: 2, Steps: 6, Equal: 1, Falling: 3, Rising: 2, Zero: 4, Values: 8},
			}, Recent: []domain.PeriodFacts{
				{Period: "2025-01-01", Rows: 2}, {Period: "2025-02-01", Rows: 2}, {Period: "2025-03-01", Rows: 2}, {Period: "2025-04-01", Rows: 2},
			}, Lived: 8},
		},
		"entities that come and go": {
			text: "unit,month,since,gone,seen,on_hand\nA,2025-01,2025-02-20,no,1,5\nA,2025-02,2025-02-20,no,0,5\nA,2025-04,2025-02-20,yes,0,0\n" +
				"B,2025-02,2025-02-20,no,1,5\nB,2025-03,2025-02-20,no,0,5\nB,2025-04,2025-02-20,no,0,5\n" +
				"C,2025-01,2025-03-03,no,0,2\nC,2025-02,2025-03-03,no,1,2\nC,2025-03,2025-03-03,yes,1,0\n",
			keys: [][]string{{"unit", "month"}},
			panel: &domain.PanelFacts{
				Entity: []string{"unit"}, Period: "month",
				Series: []domain.SeriesFacts{
					{Column: "seen", SampledEntities: 3, Steps: 6, Equal: 3, Falling: 2, Rising: 1, Zero: 5, Values: 9},
					{Column: "on_hand", SampledEntities: 3, Steps: 6, Equal: 4, Falling: 2, Zero: 2, Values: 9},
				},
				Recent: []domain.PeriodFacts{
					{Period: "2025-01-01", Rows: 2}, {Period: "2025-02-01", Rows: 3}, {Period: "2025-03-01", Rows: 2}, {Period: "2025-04-01", Rows: 2},
				},
				Lived: 10, Flags: []domain.FlagFacts{{Column: "gone", Yes: 2, Last: 2}, {Column: "seen", Yes: 4, Last: 1}},
				// Only B begins after the first month, and C says of itself that it began later than it did.
				Births: []domain.BirthFacts{{Column: "since", Entities: 1, Equal: 1}},
			},
		},
		"a pair that is no panel": {
			text: "salary,applied,name\n10,2025-01-01,a\n20,2025-01-02,b\n10,2025-01-03,c\n30,2025-01-04,d\n20,2025-01-05,e\n10,2025-01-06,f\n",
			keys: [][]string{{"name"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source, _ := b.prepare(t, "implied.csv", test.text)
			facts := measured(t, b, source).Tables[0]
			require.Equal(t, test.keys, facts.Keys)
			if test.implied != nil {
				require.Subset(t, facts.Implied, test.implied)
			}
			require.Equal(t, test.panel, facts.Panel)
		})
	}
}

// TestFacts_Oracle compares the facts of eight related tables, each a file, with their rows, and the links between them.
func TestFacts_Oracle(t *testing.T) {
	t.Parallel()
	b := factsSetup(t)
	files, err := filepath.Glob("testdata/facts/*.csv")
	require.NoError(t, err)
	require.Len(t, files, 8)
	sources := map[string]domain.DataSource{}
	facts := map[string]*domain.SourceFacts{}
	for _, file := range files {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		name := strings.TrimSuffix(filepath.Base(file), ".csv")
		sources[name], _ = b.prepare(t, filepath.Base(file), string(content))
		facts[name] = measured(t, b, sources[name])
		require.NotEmpty(t, facts[name].Tables[0].Keys, name)
	}
	for pair, want := range map[[2]string][]string{
		{"order_items", "orders"}:      {"order_items.order_id → orders.order_id"},
		{"order_items", "products"}:    {"order_items.product_id → products.product_id"},
		{"orders", "customers"}:        {"orders.customer_id → customers.customer_id"},
		{"employees", "departments"}:   {"employees.department_id → departments.department_id"},
		{"payments", "orders"}:         nil,
		{"products", "employees"}:      {},
		{"departments", "order_items"}: {},
	} {
		links := linksBetween(t, b, sources, facts, pair)
		if want != nil {
			require.Equal(t, want, links, pair)
		}
	}
}

// TestFacts_Running finds the numbers that never fall along the times of an entity, where the table is no panel.
func TestFacts_Running(t *testing.T) {
	t.Parallel()
	b := factsSetup(t)
	// table has for each of six meters the numbers of value, read on days that no other meter has.
	table := func(value func(meter, n int) string) string {
		text := "reading_id,meter_id,read_on,total_kwh,cost\n"
		for n := range 8 {
			for meter := range 6 {
				day := time.Date(2025, 1, 1+9*n+meter, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
				text += fmt.Sprintf("%d,M%d,%s,%s,%d\n", 6*n+meter, meter, day, value(meter, n), (7*n+5*meter)%9)
			}
		}
		return text
	}
	running := func(steps, values int64) *domain.RunningFacts {
		return &domain.RunningFacts{Entity: []string{"meter_id"}, Time: "read_on", Series: []domain.SeriesFacts{
			{Column: "total_kwh", SampledEntities: 6, Steps: steps, Rising: steps, Values: values},
		}}
	}
	for name, test := range map[string]struct {
		text string
		want *domain.RunningFacts
	}{
		"OK":            {table(func(meter, n int) string { return strconv.Itoa(100*(6-meter) + 10*n) }), running(42, 48)},
		"FallsOnce":     {table(func(meter, n int) string { return strconv.Itoa(100 + 10*n - 15*(n/7)*(meter/5)) }), nil},
		"HardlyRises":   {table(func(meter, n int) string { return strconv.Itoa(100 + meter + n/4) }), nil},
		"TwiceOnOneDay": {table(func(_, n int) string { return strconv.Itoa(100 + 10*n) }) + "99,M0,2025-01-01,100,3\n", nil},
		"RunsOverMissing": {
			table(func(_, n int) string { return map[bool]string{true: "", false: strconv.Itoa(100 + 10*n)}[n == 4] }),
			running(30, 42),
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source, _ := b.prepare(t, "readings.csv", test.text)
			facts := measured(t, b, source).Tables[0]
			require.Nil(t, facts.Panel)
			require.Equal(t, test.want, facts.Running)
		})
	}
}

// TestFacts_LinkNames links columns of equal names only if the name says what it names.
func TestFacts_LinkNames(t *testing.T) {
	t.Parallel()
	b := factsSetup(t)
	const keys = "a1,x\nb2,y\nc3,z\n"
	const rows = "1,a1\n2,a1\n3,b2\n4,c3\n"
	for name, links := range map[string]bool{
		"sku": true, "isbn": true, "ean": true, "item_id": true, "id": false, "code": false, "name": false,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home, _ := b.prepare(t, "items.csv", name+",color\n"+keys)
			child, _ := b.prepare(t, "shipments.csv", "shipment,"+name+"\n"+rows)
			sources := map[string]domain.DataSource{"items": home, "shipments": child}
			facts := map[string]*domain.SourceFacts{"items": measured(t, b, home), "shipments": measured(t, b, child)}
			want := []string{}
			if links {
				want = []string{"shipments." + name + " → items." + name}
			}
			require.Equal(t, want, linksBetween(t, b, sources, facts, [2]string{"shipments", "items"}))
		})
	}
}

// linksBetween measures the links between two sources, checks them with the oracle, and returns them as text.
func linksBetween(
	t *testing.T, b *bundle, sources map[string]domain.DataSource, facts map[string]*domain.SourceFacts, pair [2]string,
) []string {
	t.Helper()
	two := [2]domain.DataSource{sources[pair[0]], sources[pair[1]]}
	links, err := b.bench.MeasureLinks(t.Context(), two, [2]domain.SourceFacts{*facts[pair[0]], *facts[pair[1]]})
	require.NoError(t, err)
	out := []string{}
	for _, l := range links {
		from := slices.IndexFunc(two[:], func(d domain.DataSource) bool { return d.ID == l.FromSource })
		require.Equal(t, two[1-from].ID, l.ToSource)
		checkLinkFacts(t, oracleOf(t, b, two[from], l.FromTable), oracleOf(t, b, two[1-from], l.ToTable), &l.LinkFacts)
		out = append(out, l.FromTable+"."+strings.Join(l.From, "+")+" → "+l.ToTable+"."+strings.Join(l.To, "+"))
	}
	return out
}

// TestFacts_Samples compares the facts of the sample sources with their rows.
func TestFacts_Samples(t *testing.T) {
	t.Parallel()
	b := factsSetup(t)
	for _, s := range demo.Sources() {
		name := s.Name
		var text bytes.Buffer
		require.NoError(t, s.WriteCSV(&text))
		source, _ := b.prepare(t, s.FileName, text.String())
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			facts := measured(t, b, source).Tables[0]
			require.NotEmpty(t, facts.Keys)
			if name == "Retail orders" {
				require.Equal(t, [][]string{{"order_id", "order_line"}}, facts.Keys)
			}
			if name != "Subscription revenue" {
				return
			}
			require.NotNil(t, facts.Panel)
			require.Equal(t, []string{"account_id"}, facts.Panel.Entity)
			require.Equal(t, "month", facts.Panel.Period)
			at := slices.IndexFunc(facts.Panel.Series, func(s domain.SeriesFacts) bool { return s.Column == "mrr" })
			require.Equal(t, "mrr_change", facts.Panel.Series[at].ChangeColumn)
		})
	}
}

func TestFacts_Lost(t *testing.T) {
	t.Parallel()
	b := factsSetup(t)
	before, _ := b.prepare(t, "people.csv", "id,name,mail\n1,a,x\n2,b,y\n3,c,z\n")
	old := measured(t, b, before)
	after, _ := b.prepare(t, "people.csv", "id,name,age\n1,a,5\n1,b,6\n2,b,5\n2,c,6\n,d,7\n")
	facts, err := b.bench.MeasureFacts(t.Context(), &after, old)
	require.NoError(t, err)
	require.ElementsMatch(t, []domain.LostKey{
		{Table: "people", Columns: []string{"id"}, Repeated: 2, Missing: 1}, {Table: "people", Columns: []string{"name"}, Repeated: 1},
	}, facts.Lost)
}

// TestFacts_Limits lets a measurement run out of its time: it answers with what it has and names the rest.
func TestFacts_Limits(t *testing.T) {
	t.Parallel()
	b := factsSetup(t)
	source, _ := b.prepare(t, "t.csv", "id,n\n1,1\n2,1\n")
	s := &survey{db: openedAt(t, source.WorkKey), end: time.Now().Add(time.Minute)}
	table, err := s.open("f0", "t")
	require.NoError(t, err)
	require.NoError(t, table.count())
	s.end = time.Now()
	for _, c := range table.columns {
		c.Distinct = nil
	}
	require.NoError(t, table.findKeys())
	require.Empty(t, table.facts.Keys)
	require.Equal(t, []domain.FactPart{domain.FactKeys}, table.facts.Unmeasured)
	_, whole, err := s.links([]*linkCandidate{{child: table, home: table, from: table.columns[:1], to: table.columns[1:]}})
	require.NoError(t, err)
	require.False(t, whole)
}

// TestFacts_Memory gives the engine too little memory for its groups and no room to spill.
func TestFacts_Memory(t *testing.T) {
	t.Parallel()
	db := openedAt(t, "")
	for _, sql := range []string{
		"SET memory_limit = '20MB'", "SET max_temp_directory_size = '1MB'",
		"CREATE TABLE f0.main.t AS SELECT 'a long text in front of ' || range AS id FROM range(500000)",
	} {
		require.NoError(t, db.exec(sql))
	}
	s := &survey{db: db, end: time.Now().Add(time.Minute)}
	table, err := s.open("f0", "t")
	require.NoError(t, err)
	require.NoError(t, table.count())
	require.NoError(t, table.findKeys())
	require.Equal(t, int64(500_000), table.facts.Rows)
	require.Empty(t, table.facts.Keys)
	require.Contains(t, table.facts.Unmeasured, domain.FactDistinct)
	require.Contains(t, table.facts.Unmeasured, domain.FactKeys)
}

// openedAt opens the engine in this process, with a prepared file as f0, or with an empty database in memory.
func openedAt(t *testing.T, path string) *database {
	t.Helper()
	db, err := openMemory()
	require.NoError(t, err)
	if path == "" {
		require.NoError(t, db.exec("ATTACH ':memory:' AS f0"))
		return db
	}
	require.NoError(t, db.exec("ATTACH "+sqltext.QuoteText(path)+" AS f0 (READ_ONLY)"))
	return db
}

// TestFacts_Deadline ends a worker in the middle of its measurement: the caller gets an error, nothing stays in its folder,
// and the next measurement works.
func TestFacts_Deadline(t *testing.T) {
	t.Parallel()
	b := factsSetup(t)
	source, _ := b.prepare(t, "t.csv", "id,n\n1,1\n2,1\n")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(domain.Errorf(domain.CodeUnavailable, "stopped"))
	_, err := b.bench.MeasureFacts(ctx, &source, nil)
	require.ErrorContains(t, err, "stopped")
	measured(t, b, source)
	late := setup(t, func(c *workbench.Config) { c.FactsDeadline = time.Nanosecond })
	source, _ = late.prepare(t, "t.csv", "id,n\n1,1\n2,1\n")
	facts, err := late.bench.MeasureFacts(t.Context(), &source, nil)
	if err == nil { // the worker has answered within the moment that it has after its deadline
		require.Equal(t, []domain.FactPart{domain.FactTables}, facts.Unmeasured)
		require.Empty(t, facts.Tables)
	} else {
		require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
	}
}

func TestFacts_Folder(t *testing.T) {
	t.Parallel()
	b := factsSetup(t)
	source, _ := b.prepare(t, "t.csv", "id,n\n1,1\n2,1\n")
	measured(t, b, source)
	// Nothing of the measurement stays in the folder of the workers.
	left, err := filepath.Glob(filepath.Join(b.dir, "bench", "bench-*", "w*", "spill"))
	require.NoError(t, err)
	require.Empty(t, left)
	source.WorkKey = ""
	_, err = b.bench.MeasureFacts(t.Context(), &source, nil)
	require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
}
