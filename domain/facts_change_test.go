package domain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestCompareFacts(t *testing.T) {
	t.Parallel()
	table := func(name string, columns []string, keys ...[]string) domain.TableFacts {
		out := domain.TableFacts{Table: name, Rows: 3, Keys: keys}
		for _, c := range columns {
			out.Columns = append(out.Columns, domain.ColumnFacts{Name: c})
		}
		return out
	}
	of := func(tables ...domain.TableFacts) domain.SourceFacts { return domain.SourceFacts{Tables: tables} }
	link := domain.LinkFacts{FromTable: "o", From: []string{"c"}, ToTable: "k", To: []string{"id"}}
	orphaned := link
	orphaned.Orphans = 12
	both := func(links ...domain.LinkFacts) domain.SourceFacts {
		f := of(table("o", []string{"c"}), table("k", []string{"id"}, []string{"id"}))
		f.Links = links
		return f
	}
	unlinked := both()
	unlinked.Unmeasured = []domain.FactPart{domain.FactLinks}
	unknown := table("o", []string{"id"})
	unknown.Unmeasured = []domain.FactPart{domain.FactKeys}
	repeated := of(table("o", []string{"id"}))
	repeated.Lost = []domain.LostKey{{Table: "o", Columns: []string{"id"}, Repeated: 1, Missing: 2}}
	panel := table("o", []string{"a", "b"}, []string{"a", "b"})
	panel.Panel = &domain.PanelFacts{Entity: []string{"a"}, Period: "b"}
	unfollowed := of(table("o", []string{"a", "b"}, []string{"a", "b"}))
	unproven := of(table("o", []string{"a", "b"}))
	unproven.Lost = []domain.LostKey{{Table: "o", Columns: []string{"b", "a"}, Repeated: 2}}
	notMeasured := table("o", []string{"a", "b"}, []string{"a", "b"})
	notMeasured.Unmeasured = []domain.FactPart{domain.FactPanel}
	for name, test := range map[string]struct {
		before, after domain.SourceFacts
		want          []string
	}{
		"nothing": {before: both(link), after: both(link)},
		"tables":  {before: of(table("a", nil)), after: of(table("b", nil)), want: []string{"The table a is gone.", "The table b is new."}},
		"columns": {
			before: of(table("a", []string{"x", "y"})), after: of(table("a", []string{"y", "z"})),
			want: []string{"a has lost columns: x.", "a has new columns: z."},
		},
		"lost panel":  {before: of(panel), after: unfollowed, want: []string{"o no longer follows each a over its b."}},
		"found panel": {before: unfollowed, after: of(panel), want: []string{"o now follows each a over its b."}},
		"panel of a lost key": {
			before: of(panel), after: unproven, want: []string{"b + a no longer identifies each row of o: 2 values are in several rows."},
		},
		"panel not measured": {before: of(panel), after: of(notMeasured)},
		"lost key": {
			before: of(table("o", []string{"id"}, []string{"id"})), after: repeated,
			want: []string{"id no longer identifies each row of o: 1 value is in several rows, 2 rows have none."},
		},
		"found key": {
			before: of(table("o", []string{"a", "b"})), after: of(table("o", []string{"a", "b"}, []string{"a", "b"})),
			want: []string{"a + b now identifies each row of o."},
		},
		"unknown key": {before: of(unknown), after: of(table("o", []string{"id"}, []string{"id"}))},
		"lost link":   {before: both(link), after: both(), want: []string{"o.c no longer links to k.id."}},
		"found link":  {before: both(), after: both(link), want: []string{"o.c now links to k.id."}},
		"orphans":     {before: both(link), after: both(orphaned), want: []string{"12 rows of o have a value in c that k.id does not have."}},
		"not measured": {
			before: both(link), after: unlinked,
		},
		"a link of a column that is gone": {
			before: both(link), after: of(table("o", []string{"d"}), table("k", []string{"id"}, []string{"id"})),
			want: []string{"o has lost columns: c.", "o has new columns: d."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, c := range domain.CompareFacts(&test.before, &test.after) {
				got = append(got, c.String())
			}
			require.Equal(t, test.want, got)
		})
	}
}

func TestCompareLinks(t *testing.T) {
	t.Parallel()
	link := domain.SourceLink{FromSource: 1, ToSource: 2, LinkFacts: domain.LinkFacts{
		FromTable: "o", From: []string{"c"}, ToTable: "k", To: []string{"id"},
	}}
	orphaned, back := link, link
	orphaned.Orphans, back.FromSource, back.ToSource = 1, 2, 1
	require.Empty(t, domain.CompareLinks([]domain.SourceLink{link}, []domain.SourceLink{link}))
	lost := domain.CompareLinks([]domain.SourceLink{link}, []domain.SourceLink{back})
	require.Equal(t, domain.LinkLost, lost[0].Kind)
	require.Equal(t, "1 row of o has a value in c that k.id does not have.",
		domain.CompareLinks([]domain.SourceLink{link}, []domain.SourceLink{orphaned})[0].String())
}
