package semantic_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/semantic"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

// TestDerive_Declared checks that the constraints of a remote database are keys and links, with their reason, and that its
// names decide nothing against them.
func TestDerive_Declared(t *testing.T) {
	t.Parallel()
	s := semantic.Source{ID: 1, Declared: true, Resources: []domain.DataResource{
		{Table: "clients", Rows: 3, Columns: []domain.Column{
			{Name: "number", Type: domain.ColumnInteger, Distinct: 3}, {Name: "name", Type: domain.ColumnText, Distinct: 3},
		}, Declared: domain.Declared{Keys: [][]string{{"number"}}}},
		{Table: "visits", Rows: 9, Columns: []domain.Column{
			{Name: "id", Type: domain.ColumnInteger, Distinct: 9},
			{Name: "buyer", Type: domain.ColumnInteger, Distinct: 3, Repeats: true},
			{Name: "clinic_id", Type: domain.ColumnInteger, Distinct: 2, Repeats: true},
		}, Declared: domain.Declared{
			Keys: [][]string{{"id"}}, References: []domain.Reference{
				{Columns: []string{"buyer"}, Table: "clients", To: []string{"number"}},
				{Columns: []string{"buyer"}, Table: "gone", To: []string{"number"}},
			},
		}},
		{
			Table: "badges", Rows: 3, Columns: []domain.Column{{Name: "client", Type: domain.ColumnInteger, Distinct: 3, Estimated: true}},
			Declared: domain.Declared{
				Keys: [][]string{{"client"}}, References: []domain.Reference{{Columns: []string{"client"}, Table: "clients", To: []string{"number"}}},
			},
		},
	}}
	m := derived(s)
	require.Equal(t, [][]string{{"id"}}, m.Tables[1].Keys)
	require.False(t, m.Tables[1].KeysKnown, "it can have others")
	id := columnOf(t, m, "visits", "id")
	require.Equal(t, meaning.Key, id.Role)
	require.Equal(t, meaning.Reason{State: meaning.Declared, Evidence: "It is unique by a constraint of the database."}, id.Reasons["role"])
	require.Equal(t, meaning.Reason{State: meaning.Declared, Evidence: "id is unique by a constraint of the database."}, m.Tables[1].RowReason)
	require.Equal(t, meaning.Foreign, columnOf(t, m, "visits", "buyer").Role)
	require.Len(t, m.Links, 2)
	badge, buyer := m.Links[0], m.Links[1]
	require.Equal(t, meaning.OneToOne, badge.Cardinality)
	require.Zero(t, badge.Distinct, "an estimate is no count")
	require.Equal(t, meaning.ManyToOne, buyer.Cardinality)
	require.Equal(t, []string{"number"}, buyer.To.Columns)
	require.Equal(t, int64(3), buyer.Distinct)
	require.Equal(t, meaning.Reason{State: meaning.Declared, Evidence: "It is a foreign key of the database."}, buyer.Reason)
	require.Contains(t, semantic.AboutTable(&m.Tables[1], nil), "key: id (a constraint of the database)")
}

// TestDerive_NoRows checks that nothing is said of the values of a file that has none.
func TestDerive_NoRows(t *testing.T) {
	t.Parallel()
	empty := domain.DataResource{Table: "empty", Columns: []domain.Column{{Name: "remark", Type: domain.ColumnText}}}
	m := derived(semantic.Source{ID: 1, Resources: []domain.DataResource{empty}})
	c := columnOf(t, m, "empty", "remark")
	require.Equal(t, meaning.Text, c.Role)
	require.Equal(t, "It is a text; there are no rows that would say more.", c.Reasons["role"].Evidence)
}
