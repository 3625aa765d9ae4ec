package guard

import "slices"

// leaf is a source of rows: a base table, the groups of an aggregate, the elements of a list.
type leaf struct {
	row   symbol
	table *Table // nil if it is no base table
	// name is for people: the table, or what the rows are.
	name string
	// columns are the symbols of a base table by the folded names of its columns.
	columns map[string]symbol
	// keys is false if nothing is known of its keys, and why says why not.
	keys bool
	why  string
	// opaque rows may repeat what they are made of, so a total of them cannot be checked.
	opaque bool
	// branches is true for a union whose branches have no equal rows within them.
	branches bool
	// twice says which table the branches of a union read more than once.
	twice string
	// scalar is a single row with the value of an ungrouped aggregate.
	scalar bool
	// groups are the names of what the rows are grouped by.
	groups []string
}

// column is one column of a relation.
type column struct {
	sym symbol
	// from are the identities of the rows that the value comes from; none for a constant.
	from []symbol
	// literal is a constant of the statement itself.
	literal bool
	// plain is a value of the rows themselves, which is missing where an outer join has left them out.
	plain bool
	text  string // as people read it: departments.budget
	adds  measure
	// origin is the base table's column that the value is, unchanged.
	origin *origin
	// doubt is what adding up the column means beside its rows: nil means nothing.
	doubt *doubt
	rank  *ranking
	mark  *marked
	// owed is a fault of the column that one way to use it mends, and tally says what the column counts.
	owed  *owed
	tally *tally
}

type origin struct {
	leaf   *leaf
	column string
}

// measure says what adding up a value means.
type measure struct {
	adds   Adds
	period symbol
	// entity determines the thing that has a level.
	entity   []symbol
	barriers []barrier
	// levels of a base column keep it, for the control query.
	of *origin
}

type barrier struct {
	sym symbol
	of  string
}

// doubt is a fault, or a reason not to check, that a column brings to every total of it.
type doubt struct {
	kind   Kind
	text   string
	unsure bool
	// again is the doubt of a union whose branches may have the same rows.
	again bool
}

// ranking is the number of a row in its partition.
type ranking struct {
	partition []symbol
	// same is what the rows of one rank have in common: everything for a number of the row, and what they are ordered by
	// for a rank with ties.
	same []symbol
}

// marked is the result of IN or EXISTS: when it is kept by a filter, the pairs are equal. The symbols of the other side then
// stand for the row that was found there.
type marked struct {
	pairs [][2]symbol
}

// relation is the output of an operator.
type relation struct {
	columns []column
	// leaves together identify a row.
	leaves []*leaf
	// present are the identities that no row lacks, after outer joins.
	present []symbol
	// any stands for each column of an operator that is not known here.
	any *column
	// filtered says that rows were left out by a condition that is not on one base table alone.
	filtered bool
	// wheres are the conditions on one base table alone, by the identity of its row.
	wheres map[symbol][]where
}

// where is a condition on one column of a base table.
type where struct {
	text   string
	column symbol
}

// at returns a column; a plan with an index outside the columns has another form.
func (r *relation) at(i int) (column, bool) {
	if i >= 0 && i < len(r.columns) {
		return r.columns[i], true
	}
	if r.any != nil {
		return *r.any, true
	}
	return column{}, false
}

// rows returns the identities of the leaves.
func (r *relation) rows() []symbol {
	out := make([]symbol, len(r.leaves))
	for i, l := range r.leaves {
		out[i] = l.row
	}
	return out
}

// sources returns the identities of the leaves and of the rows that the columns come from. A value of one of them shows that
// the row is there.
func (r *relation) sources() []symbol {
	out := r.rows()
	for i := range r.columns {
		if r.columns[i].doubt == nil {
			out = union(out, r.columns[i].from)
		}
	}
	return out
}

// mapped keeps some columns in a new order; an empty list keeps all.
func (r *relation) mapped(list []int) *relation {
	if len(list) == 0 || r.any != nil {
		return r
	}
	out := *r
	out.columns = nil
	for _, i := range list {
		c, ok := r.at(i)
		if !ok {
			return r
		}
		out.columns = append(out.columns, c)
	}
	return &out
}

// joined puts two relations side by side.
func joined(a, b *relation) *relation {
	out := &relation{
		columns: append(slices.Clone(a.columns), b.columns...), leaves: append(slices.Clone(a.leaves), b.leaves...),
		present: append(slices.Clone(a.present), b.present...), any: a.any, filtered: a.filtered || b.filtered,
		wheres: map[symbol][]where{},
	}
	if out.any == nil {
		out.any = b.any
	}
	for _, r := range []*relation{a, b} {
		for k, v := range r.wheres {
			out.wheres[k] = append(out.wheres[k], v...)
		}
	}
	return out
}

// union joins lists, of symbols or of places, without repeating one.
func union[T comparable](lists ...[]T) []T {
	var out []T
	for _, l := range lists {
		for _, x := range l {
			if !slices.Contains(out, x) {
				out = append(out, x)
			}
		}
	}
	return out
}
