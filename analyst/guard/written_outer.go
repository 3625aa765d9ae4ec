package guard

// eliminated writes the different values of the outer rows that a subquery uses: a row for each, as the engine computes the subquery.
func (w *writer) eliminated(n *node) (*written, error) {
	join := w.within[len(w.within)-1]
	if len(join.Eliminated) != len(n.ChunkTypes) {
		return nil, unwritten("a subquery that uses outer rows")
	}
	inside := w.within
	w.within = inside[:len(inside)-1]
	defer func() { w.within = inside }()
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
