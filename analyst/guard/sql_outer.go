package guard

// outerRows writes the distinct outer values that a correlated subquery uses: the engine computes the subquery once for each of
// them.
func (w *sqlWriter) outerRows(n *node) (*sqlRelation, error) {
	join := w.outerJoins[len(w.outerJoins)-1]
	if len(join.Eliminated) != len(n.ChunkTypes) {
		return nil, unsupported("a subquery that uses outer rows")
	}
	inside := w.outerJoins
	w.outerJoins = inside[:len(inside)-1]
	defer func() { w.outerJoins = inside }()
	r, err := w.rows(join.Children[0])
	if err != nil {
		return nil, err
	}
	values, err := w.values(r, join.Eliminated)
	if err != nil {
		return nil, err
	}
	return w.subquery(r, "SELECT DISTINCT ", values, make([]string, len(values)), "", len(values))
}
