package guard

import "slices"

// leaf is a source of rows: a base table, the groups of an aggregate, the elements of a list.
type leaf struct {
	row   symbol
	table *Table // nil if it is no base table
	// name is the name for people: the table, or a description of the rows.
	name string
	// columns are the symbols of a base table's columns, by their folded names.
	columns map[string]symbol
	// keysKnown is false if the keys are unknown; then unknownReason is set.
	keysKnown     bool
	unknownReason string
	// opaque rows may repeat the rows that they are made of, so a total of them cannot be checked.
	opaque bool
	// distinctBranches is set for a union each of whose branches has no duplicate rows.
	distinctBranches bool
	// overlapReason is set if several branches of a union read the same table.
	overlapReason string
	// listed is the number of rows that are written in the statement, as in VALUES; 0 for other rows.
	listed int
	// scalar is set for the single row of an aggregate without groups.
	scalar bool
	// groups are the texts of the GROUP BY expressions.
	groups []string
}

// column is one column of a relation.
type column struct {
	sym symbol
	// from are the identities of the rows from which the value comes; none for a constant.
	from []symbol
	// literal is a constant of the statement.
	literal bool
	// constants are the values of a column of listed rows, one for each row; nil if they are not known.
	constants []string
	// plain is a value of the row itself, which is NULL where an outer join did not find the row.
	plain   bool
	text    string // as people read it: departments.budget
	measure measure
	// origin is the base table's column that is passed through unchanged.
	origin *origin
	// maximum is the column of a table whose highest value over all rows this is; nil for another value.
	maximum *origin
	// sum is what would be said of a sum of the values that a list has; nil if nothing would be.
	sum *Verdict
	// doubt is the problem, if any, of adding up the column.
	doubt *doubt
	rank  *ranking
	mark  *existsMark
	// pending is the fault that forming a mean would remove; count is set for the result of a COUNT.
	pending *pendingFault
	count   *countResult
	// single is set for a value that represents all rows of a group.
	single *single
}

type origin struct {
	leaf   *leaf
	column string
}

// measure is what adding up a value means.
type measure struct {
	kind   Adds
	period symbol
	// entity are the values that identify what has a level.
	entity   []symbol
	barriers []barrier
	// unclear says why it is not known what adding up an expression means, although its parts have a meaning; else it is empty.
	unclear string
	// origin is the base column of a level, for the control query.
	origin *origin
}

type barrier struct {
	sym       symbol
	separates string
}

// doubt is a fault, or a reason why a check is impossible, that a column adds to every total of it.
type doubt struct {
	kind     Kind
	text     string
	unproven bool
	// overlap means that branches of a union may contain the same rows.
	overlap bool
}

// ranking is the number of a row in its partition.
type ranking struct {
	partition []symbol
	// same is what determines the rows of one rank: the rows themselves for row_number, the ORDER BY values for a rank with
	// ties.
	same []symbol
}

// existsMark is the result of IN or EXISTS. If a filter keeps it, the pairs are equal. The symbols of the other side then
// represent the row found there.
type existsMark struct {
	pairs [][2]symbol
}

// relation is the output of an operator.
type relation struct {
	columns []column
	// leaves identify a row together.
	leaves []*leaf
	// present are the identities of rows that exist in every row, after outer joins.
	present []symbol
	// anyColumn represents each column of an operator that is not supported.
	anyColumn *column
	// filtered means that a condition that uses more than one base table removed rows.
	filtered bool
	// tableConditions are the conditions on one base table only, by the identity of its row.
	tableConditions map[symbol][]tableCondition
}

// tableCondition is a condition on one column of a base table.
type tableCondition struct {
	text   string
	column symbol
}

// at returns a column; false if the index is outside the columns.
func (r *relation) at(i int) (column, bool) {
	if i >= 0 && i < len(r.columns) {
		return r.columns[i], true
	}
	if r.anyColumn != nil {
		return *r.anyColumn, true
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

// sources returns the identities of the leaves and of the rows from which the columns come. A value of one of them proves that
// the row exists.
func (r *relation) sources() []symbol {
	out := r.rows()
	for i := range r.columns {
		if r.columns[i].doubt == nil {
			out = union(out, r.columns[i].from)
		}
	}
	return out
}

// selectColumns returns some columns in a new order; an empty list keeps all.
func (r *relation) selectColumns(list []int) *relation {
	if len(list) == 0 || r.anyColumn != nil {
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

// product returns the combinations of the rows of two relations.
func product(a, b *relation) *relation {
	out := &relation{
		columns: append(slices.Clone(a.columns), b.columns...), leaves: append(slices.Clone(a.leaves), b.leaves...),
		present: append(slices.Clone(a.present), b.present...), anyColumn: a.anyColumn, filtered: a.filtered || b.filtered,
		tableConditions: map[symbol][]tableCondition{},
	}
	if out.anyColumn == nil {
		out.anyColumn = b.anyColumn
	}
	for _, r := range []*relation{a, b} {
		for k, v := range r.tableConditions {
			out.tableConditions[k] = append(out.tableConditions[k], v...)
		}
	}
	return out
}

// union returns the elements of some lists without duplicates.
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
