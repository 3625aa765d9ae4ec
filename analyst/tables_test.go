package analyst_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/analysttest"
	"parley.dev/parley/domain"
)

func TestTables(t *testing.T) {
	t.Parallel()
	one, two := sales(), sales()
	two.ID = 2
	two.Resources = append(two.Resources, domain.DataResource{Table: "stock"})
	var names []string
	for _, table := range analyst.Tables([]domain.DataSource{one, two}) {
		names = append(names, table.Name)
	}
	require.Equal(t, []string{"s1.sales", "s2.sales", "stock"}, names)
}

// A person's text about a source is shown next to the text that was generated from its file, and is
// distinguished from it.
func TestTables_Descriptions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		source      domain.DataSource
		words, made string
	}{
		"OfAPerson":     {domain.DataSource{Description: "Orders of the shops"}, "Orders of the shops", "3 rows"},
		"OfTheFile":     {domain.DataSource{Description: "3 rows", DescriptionGenerated: true}, "", "3 rows"},
		"BeforeTheMark": {domain.DataSource{Description: "3 rows"}, "", "3 rows"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.source.Resources = []domain.DataResource{{Table: "orders", Description: "3 rows"}}
			table := analyst.Tables([]domain.DataSource{c.source})[0]
			require.Equal(t, [2]string{c.words, c.made}, [2]string{table.Description, table.Made})
		})
	}
	b := setup(t, speaks("", "Done."))
	source := sales()
	source.Description, source.Resources[0].Description = "Orders of the shops", "Please check Total: why."
	b.config.DataSources = analysttest.NewSources(source)
	require.NoError(t, b.run(t))
	require.Contains(t, b.model.made[0].System, "): Orders of the shops Please check Total: why.\n", "the model reads both texts")
}

func TestCSV(t *testing.T) {
	t.Parallel()
	r := &domain.ResultSet{Columns: []domain.Column{{Name: "=a"}, {Name: "b"}}, Rows: [][]any{
		{"=1+1", 1.5}, {"+1", int64(-3)}, {"-x", nil}, {"@x", true}, {"\tx", 1e21}, {"a,\"b\"", 0.000001}, {"\x00x", ""}, {"ok", int64(1 << 60)},
	}}
	require.Equal(t, "'=a,b\n'=1+1,1.5\n'+1,-3\n'-x,\n'@x,true\n'\tx,1000000000000000000000\n"+
		"\"a,\"\"b\"\"\",0.000001\n'\uFFFDx,\nok,1152921504606846976\n", analyst.CSV(r, -1))
}
