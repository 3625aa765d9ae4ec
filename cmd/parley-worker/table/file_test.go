package table

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"parley.dev/parley/domain"
)

func options() Options {
	return Options{Line: 1 << 20, Columns: 2000, Rows: 1 << 30, Reserved: map[string]bool{"order": true}}
}

func openText(t require.TestingT, text string) *File {
	f, err := Open(strings.NewReader(text), options())
	require.NoError(t, err)
	return f
}

// TestOpen_Types: the type of a column follows from all of its cells.
func TestOpen_Types(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		cells string // one on each line
		want  string
		note  string
	}{
		{"whole numbers", "1\n-20\n+3\n0", "BIGINT", ""},
		{"whole numbers with gaps", "1\nN/A\n\n-\nnull\n3", "BIGINT", ""},
		{"grouped by comma", "\"1,234\"\n\"12,345,678\"\n7", "BIGINT", ""},
		{"decimals", "1.5\n2.25\n-3", "DECIMAL(18,2)", ""},
		{"grouped and decimal", "\"1,234.50\"\n\"-12.5\"", "DECIMAL(18,2)", ""},
		{"decimal comma", "\"1.234,50\"\n\"3,5\"", "DECIMAL(18,2)", ""},
		{"decimal comma alone", "\"3,5\"\n\"4,25\"", "DECIMAL(18,2)", ""},
		{"grouped by spaces", "1 234\n12 345 678", "BIGINT", ""},
		{"in brackets", "1500\n(1500)\n\"(1,250)\"", "BIGINT", ""},
		{"dollars in brackets", "$1.50\n($2.25)\n$(3)", "DECIMAL(18,2)", "in $"},
		{"trailing minus", "1500\n250-\n17 -", "BIGINT", "250- read as -250"},
		{"euros with a trailing minus", "\"1.234,56 €\"\n\"250,00- €\"", "DECIMAL(18,2)", "in €"},
		{"codes with a trailing minus", "A12-\n250-", "VARCHAR", ""},
		{"ranges", "10-20\n30-", "VARCHAR", ""},
		{"grouped by apostrophe", "1'234.5\n12'345", "DECIMAL(18,1)", ""},
		{"many decimals", "0.123456\n2", "DOUBLE", ""},
		{"exponents", "1e5\n2.5E-3", "DOUBLE", ""},
		{"dollars", "$1.50\n-$2\n$3", "DECIMAL(18,2)", "in $"},
		{"euros after the number", "1.50 €\n2 €", "DECIMAL(18,2)", "in €"},
		{"accountant's negatives", "$100\n($20)", "BIGINT", "in $"},
		{"percent", "12.5%\n3%", "DECIMAL(18,1)", "in %"},
		{"kilograms", "656.8 kg\n\"1,039.5 kg\"\n-3kg", "DECIMAL(18,1)", "in kg"},
		{"hours", "3h\n12h", "BIGINT", "in h"},
		{"one day and more", "1 day\n3 days", "BIGINT", "in days"},
		{"degrees", "21.5 °C\n-3 °C", "DECIMAL(18,1)", "in °C"},
		{"two units", "3 kg\n500 g", "VARCHAR", ""},
		{"with and without a unit", "3 kg\n4", "VARCHAR", ""},
		{"codes that end in a letter", "10A\n11A", "VARCHAR", ""},
		{"two currencies", "$1\n€2", "VARCHAR", ""},
		{"with and without percent", "3%\n4", "VARCHAR", ""},
		{"codes with leading zeros", "007\n012", "VARCHAR", ""},
		{"long identifiers", "1234567890123456789\n2", "VARCHAR", ""},
		{"broken groups", "\"1,23\"\n\"1,2345\"", "DECIMAL(18,4)", ""},
		{"versions", "1.2.3\n1.10.0", "VARCHAR", ""},
		{"addresses", "10.0.0.1\n192.168.1.1", "VARCHAR", ""},
		{"phones", "+49 30 1234567\n030/123", "VARCHAR", ""},
		{"true and false", "true\nFALSE\n", "BOOLEAN", ""},
		{"yes and no", "Yes\nno", "BOOLEAN", ""},
		{"y and n", "Y\nN\ny", "BOOLEAN", ""},
		{"only n", "N\nN", "VARCHAR", ""},
		{"y and yes", "y\nyes", "VARCHAR", ""},
		{"iso dates", "2025-12-31\n2024-02-29", "DATE", ""},
		{"iso dates with slashes", "2025/12/31\n2024/1/5", "DATE", ""},
		{"day first", "31/12/2025\n01/02/2025", "DATE", ""},
		{"month first", "12/31/2025\n01/02/2025", "DATE", ""},
		{"both orders possible", "01/02/2025\n03/04/2025", "DATE", "read as month/day/year"},
		{"dates with points", "31.12.2025\n1.2.2025", "DATE", ""},
		{"years of two digits", "31-Dec-25\n1-Jan-99", "DATE", ""},
		{"month names", "\"Dec 31, 2025\"\n\"January 1, 2024\"", "DATE", ""},
		{"German month names", "31 Dez 2025\n1 März 2024", "DATE", ""},
		{"three date formats", "2024-01-31\n31.01.2024\n01/31/2024", "DATE", "dates written in several ways"},
		{
			"three date formats, slashes ambiguous", "2024-01-31\n05.01.2024\n01/02/2024\n13.01.2024", "DATE",
			"dates written in several ways, those with “/” read as month/day/year",
		},
		{"two date formats with a time", "2024-01-31 10:00\n31.01.2024\n12/31/2024", "TIMESTAMP", "dates written in several ways"},
		{"orders that contradict each other", "31/01/2024\n01/31/2024", "VARCHAR", ""},
		{"months", "Jan 2024\nFebruary 2024\nMär 2024\n2024 Dez", "DATE", "months, as their first day"},
		{"months as in Excel", "Jan-24\nDec-99", "DATE", "months, as their first day"},
		{"months as in ISO 8601", "2024-01\n2024-12", "DATE", "months, as their first day"},
		{"not months", "2024-01\n2024-13", "VARCHAR", ""},
		{"months with slashes", "1/2024\n12/2024", "DATE", "months, as their first day"},
		{"euros in Windows-1252", "\"362,80 \x80\"\n\"1.207,76\xa0\x80\"", "DECIMAL(18,2)", "in €"},
		{"pounds in Windows-1252", "\xa31.50\n\xa32", "DECIMAL(18,2)", "in £"},
		{"no such day", "2025-02-30\n2025-01-01", "VARCHAR", ""},
		{"timestamps", "2025-12-31 10:20:30\n2025-12-31T10:20:30.5Z\n2025-01-01", "TIMESTAMP", ""},
		{"afternoons", "12/31/2025 1:05 PM\n1/2/2025 11:00 AM", "TIMESTAMP", ""},
		{"times without a date", "10:20\n11:30", "VARCHAR", ""},
		{"only empty cells", "\n\n", "VARCHAR", ""},
		{"words", "a\nb", "VARCHAR", ""},
		{"numbers and a word", "1\n2\nmany", "VARCHAR", ""},
		{"grades", "A\nB\nNA", "VARCHAR", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := openText(t, "id,thing\n"+prefixed(c.cells))
			require.Equal(t, c.want, f.Columns[1].Kind.SQL())
			require.Equal(t, c.note, f.Columns[1].Note)
		})
	}
}

// prefixed puts an identifier before each cell, so that a row with an empty cell is not a blank row.
func prefixed(cells string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(cells, "\n") {
		b.WriteString("x" + "," + line + "\n")
	}
	return b.String()
}

func TestOpen_DayFirstWhereTheDelimiterIsASemicolon(t *testing.T) {
	t.Parallel()
	f := openText(t, "d;n\n01/02/2025;1,234\n03/04/2025;2,5\n")
	require.Equal(t, "read as day/month/year", f.Columns[0].Note)
	require.Equal(t, "DECIMAL(18,3)", f.Columns[1].Kind.SQL())
}

func TestOpen_HeadersOfNumbersWithUnits(t *testing.T) {
	t.Parallel()
	// "3 months" above plain numbers is a name. Above other cells with units it is data.
	f := openText(t, "rate,3 months,6 months\nEUR,2.1,2.4\nUSD,4.2,4.5\n")
	require.Equal(t, "n_3_months", f.Columns[1].Name)
	require.EqualValues(t, 2, f.Rows)
	f = openText(t, "apple,5 kg\npear,6 kg\n")
	require.EqualValues(t, 2, f.Rows)
}

func TestOpen_WordsForNothingInText(t *testing.T) {
	t.Parallel()
	f := openText(t, "id,station\n1,Shell\n2,NULL\n3,N/A\n4,\n")
	require.EqualValues(t, 2, f.Columns[1].Nulls, "NULL and the empty cell are missing values in text, N/A is not")
	require.False(t, f.Columns[1].Holds([]byte("NULL")))
	require.True(t, f.Columns[1].Holds([]byte("N/A")))
}

func TestOpen_CompactDatesNeedAHeader(t *testing.T) {
	t.Parallel()
	f := openText(t, "date,code\n20251231,20251231\n20240101,20240101\n")
	require.Equal(t, "DATE", f.Columns[0].Kind.SQL())
	require.Equal(t, "BIGINT", f.Columns[1].Kind.SQL())
}

func TestOpen_Header(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want string
		rows int64
	}{
		"words above numbers":          {"city,n\nBonn,1\nKiel,2\n", "city,n", 2},
		"all words":                    {"city,land\nBonn,NRW\nKiel,SH\n", "city,land", 2},
		"no header":                    {"Bonn,1\nKiel,2\n", "column_1,column_2", 2},
		"no header, all words":         {"Bonn,NRW\nKiel,SH\nBonn,NRW\n", "column_1,column_2", 3},
		"years":                        {"land,2023,2024\nNRW,1,2\n", "land,n_2023,n_2024", 1},
		"yes and no as names":          {"name,yes,no\nx,1,2\n", "name,yes,no", 1},
		"titles above the table":       {"Report 2025\n\nMonth,Revenue\nJan,1\nFeb,2\n", "month,revenue", 2},
		"header only":                  {"a,b\n", "a,b", 0},
		"delimiter at the end of rows": {"a,b,\n1,2,\n3,4,\n", "a,b", 2},
		"one column":                   {"city\nBonn\nKiel\n", "city", 2},
		"numbers only":                 {"1,2\n3,4\n", "column_1,column_2", 2},
		"a reserved word":              {"order,n\nx,1\n", "order_,n", 1},
		"blank rows between rows":      {"a,b\n\n1,2\n\n3,4\n", "a,b", 2},
		"quoted with line break":       {"\"a\nb\",c\n\"x\ny\",1\n", "a_b,c", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := openText(t, c.text)
			names := make([]string, len(f.Columns))
			for i, column := range f.Columns {
				names[i] = column.Name
			}
			require.Equal(t, c.want, strings.Join(names, ","))
			require.Equal(t, c.rows, f.Rows)
		})
	}
}

func TestOpen_Errors(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		o    func(*Options)
	}{
		"ErrRowTooLong":     {"a,b\n" + strings.Repeat("x", 200) + ",1\n", func(o *Options) { o.Line = 100 }},
		"ErrTooManyColumns": {"a,b,c,d\n1,2,3,4\n", func(o *Options) { o.Columns = 3 }},
		"ErrTooManyRows":    {"a\n1\n2\n3\n", func(o *Options) { o.Rows = 2 }},
		"ErrNoTable":        {"\n\n\n", func(*Options) {}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := options()
			c.o(&o)
			_, err := Open(strings.NewReader(c.text), o)
			require.Equal(t, domain.CodeInvalid, domain.CodeOf(err), "%v", err)
		})
	}
}

// TestOpen_RoundTrip: a table of text that was written as CSV is read with the same cells.
func TestOpen_RoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		comma := rapid.SampledFrom([]rune{',', ';', '\t', '|'}).Draw(t, "comma")
		width := rapid.IntRange(2, 6).Draw(t, "width")
		cell := rapid.StringMatching(`[a-zé]{1,6}([ ,;|"'\n\t][a-z]{1,5}){0,2}`)
		rows := rapid.SliceOfN(rapid.SliceOfN(cell, width, width), 1, 20).Draw(t, "rows")
		var out bytes.Buffer
		w := csv.NewWriter(&out)
		w.Comma = comma
		header := make([]string, width)
		for i := range header {
			header[i] = "Header " + string(rune('A'+i))
		}
		require.NoError(t, w.Write(header))
		require.NoError(t, w.WriteAll(rows))
		o := options()
		o.Delimiter = byte(comma)
		f, err := Open(bytes.NewReader(out.Bytes()), o)
		require.NoError(t, err)
		require.Equal(t, int64(len(rows)), f.Rows)
		at := 0
		require.NoError(t, f.Each(func(cells func(int) []byte) error {
			for i := range width {
				require.Equal(t, rows[at][i], string(cells(i)))
			}
			at++
			return nil
		}))
		require.Equal(t, len(rows), at)
	})
}

// TestOpen_Anything: for any input the reader does not panic, and both passes find the same number of rows.
func TestOpen_Anything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(
			rapid.StringOf(rapid.SampledFrom([]rune("ab1,;\t|\"'\n\r.-/: €%0é\x00"))),
			rapid.Custom(func(t *rapid.T) string { return string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) }),
		).Draw(t, "text")
		f, err := Open(strings.NewReader(text), options())
		if err != nil {
			require.Equal(t, domain.CodeInvalid, domain.CodeOf(err), "%v", err)
			return
		}
		rows := int64(0)
		require.NoError(t, f.Each(func(cells func(int) []byte) error {
			for i := range f.Columns {
				_ = f.Columns[i].Parse(cells(i))
				require.True(t, domain.Storable(Text(cells(i))))
			}
			rows++
			return nil
		}))
		require.Equal(t, f.Rows, rows)
		require.True(t, domain.Storable(f.Preview))
	})
}

func TestOpen_MonthsAboveColumns(t *testing.T) {
	t.Parallel()
	f := openText(t, "region,Jan 2024,Feb 2024\nNorth,1,2\nSouth,3,4\n")
	require.EqualValues(t, 2, f.Rows)
	require.Equal(t, "jan_2024", f.Columns[1].Name)
	f = openText(t, "Jan 2024,1\nFeb 2024,2\n")
	require.EqualValues(t, 2, f.Rows, "months above other months are data")
}

func TestOpen_MostlyTyped(t *testing.T) {
	t.Parallel()
	f := openText(t, "d,n,t\n2024-01-01,1,a\n2024-01-02,2,b\n2024-01-03,3,1\n2024-01-04,4,d\nsoon,many,e\n2024-01-06,6,f\n")
	require.Equal(t, "mostly dates, kept as text because of “soon”", f.Columns[0].Note)
	require.Equal(t, "mostly numbers, kept as text because of “many”", f.Columns[1].Note)
	require.Equal(t, []bool{true, true, false}, []bool{f.Columns[0].Doubtful, f.Columns[1].Doubtful, f.Columns[2].Doubtful})
}

func TestOpen_Total(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		rows       int64
		kinds      []string
		leftOut    bool
	}{
		{"left out", "month,amount\nJan 2024,10\nFeb 2024,\"1,000.50\"\nTotal,\"1,010.50\"\n", 2, []string{"DATE", "DECIMAL(18,2)"}, true},
		{"German", "Region;Umsatz\nNord;1,5\nSüd;2,5\nSumme:;4\n", 2, []string{"VARCHAR", "DECIMAL(18,1)"}, true},
		{"after an empty cell", "a,b,n\nx,y,1\nx,z,2\n,Grand Total,3\n", 2, []string{"VARCHAR", "VARCHAR", "BIGINT"}, true},
		{"rounded", "a,n\nx,1.004\ny,2.004\nTotal,3.01\n", 2, []string{"VARCHAR", "DECIMAL(18,3)"}, true},
		{"does not add up", "a,n\nx,1\ny,2\nTotal,4\n", 3, []string{"VARCHAR", "BIGINT"}, false},
		{"not the last row", "a,n\nx,1\nTotal,1\ny,2\n", 3, []string{"VARCHAR", "BIGINT"}, false},
		{"only text", "a,b\nx,y\nTotal,z\n", 2, []string{"VARCHAR", "VARCHAR"}, false},
		{"without a name", "a,n\nx,1\ny,2\nz,4\n,7\n", 3, []string{"VARCHAR", "BIGINT"}, true},
		{"only totals", "a,n\nTotal,3\n", 1, []string{"VARCHAR", "BIGINT"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := openText(t, c.text)
			require.Equal(t, c.leftOut, f.Total)
			require.Equal(t, c.rows, f.Rows)
			kinds := make([]string, len(f.Columns))
			for i := range f.Columns {
				kinds[i] = f.Columns[i].Kind.SQL()
			}
			require.Equal(t, c.kinds, kinds)
			var read int64
			require.NoError(t, f.Each(func(func(int) []byte) error { read++; return nil }))
			require.Equal(t, c.rows, read)
			require.Equal(t, c.leftOut, !strings.Contains(strings.ToLower(f.Preview), "total") && !strings.Contains(f.Preview, "Summe"))
		})
	}
}

// TestOpen_TotalsAmongRows: rows that are called totals and are not left out are counted, so that the description of the
// file can mention them.
func TestOpen_TotalsAmongRows(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"a,n\nx,1\nTotal,1\ny,2\nTotal,4\n":                   1,
		"a,n\nx,1\nx total,1\ny,2\ny total,2\nz,4\n":          2,
		"a;n\nx;1\nZwischensumme;1\ny;2\nGesamt 2024;3\n":     2,
		"a,n\nTotally,1\nSubtotals of x,1\nTotalEnergies,2\n": 0,
		"a,n\nx,1\ny,2\n": 0,
	} {
		require.Equal(t, want, openText(t, text).Totals, text)
	}
}

// TestOpen_NoTotal: a last row without a name is data, unless it has only sums of at least three rows above it.
func TestOpen_NoTotal(t *testing.T) {
	t.Parallel()
	for text, rows := range map[string]int64{
		"a,n\nx,1\ny,2\nz,4\n,8\n":           4,
		"a,n\nx,1\ny,2\n,3\n":                3,
		"a,b,n\nx,p,1\ny,q,2\nz,r,4\n,s,7\n": 4,
	} {
		f := openText(t, text)
		require.False(t, f.Total, text)
		require.Equal(t, rows, f.Rows, text)
	}
}

// TestOpen_DatesThatContradict: a column that needs both orders of day and month is text, and a note says why.
func TestOpen_DatesThatContradict(t *testing.T) {
	t.Parallel()
	f := openText(t, "d,n\n13/02/2024,1\n04/23/2024,2\n05/06/2024,3\n")
	require.Equal(t, "mostly dates, kept as text because of “04/23/2024”", f.Columns[0].Note)
	require.True(t, f.Columns[0].Doubtful)
}

// TestOpen_BelowZero reads negative numbers in all notations.
func TestOpen_BelowZero(t *testing.T) {
	t.Parallel()
	for cells, want := range map[string]int64{
		"1500\n(1500)":                   -1500,
		"1500\n\"(1,250)\"":              -1250,
		"1500\n250-":                     -250,
		"1500\n17 -":                     -17,
		"\"$1,500\"\n\"($1,250)\"":       -1250,
		"\"$1,500\"\n$(3)":               -3,
		"1500 €\n250- €":                 -250,
		"\"1.234,56\"\n\"1.000,50-\"":    -100050,
		"\"1.234,56 €\"\n\"(250,00 €)\"": -25000,
	} {
		f := openText(t, "id,thing\n"+prefixed(cells))
		var last Value
		require.NoError(t, f.Each(func(cell func(int) []byte) error {
			last = f.Columns[1].Parse(cell(1))
			return nil
		}), cells)
		require.Equal(t, Value{Int: want}, last, cells)
	}
}
