package guard

// The walk from the scans upwards. Each operator becomes a relation; aggregates are judged where they stand.

import (
	"slices"
	"strconv"
	"strings"
)

// maxDepth is the maximum depth of operators and of expressions.
const maxDepth = 400

// walk is the state of one judgement.
type walk struct {
	store

	schema  *Schema
	verdict *Verdict
	leaves  map[symbol]*leaf
	names   map[string]symbol // interned expressions
	ctes    map[int]*node
	// steps are the periods whose distance is known, and parts the parts of them that the statement uses.
	steps map[symbol]string
	parts map[symbol]map[string]symbol
	// branches are the values of the columns of unions.
	branches map[symbol][]branch
	// merges are the parts of the columns that full joins merge.
	merges map[symbol][]symbol
	done   map[evaluated]column
	// owed are the faults that a use of their total may mend.
	owed []*owed
	// shapes are the expressions behind the interned symbols.
	shapes []shape
	nodes  int
	depth  int
	// failed says why the walk was given up.
	failed string
}

// Judge checks the plan of a statement.
func Judge(plan []byte, schema *Schema) Verdict {
	var v Verdict
	root, err := decode(plan)
	if err != nil {
		v.unsure("its plan cannot be read")
		return v
	}
	w := &walk{
		schema: schema, verdict: &v, leaves: map[symbol]*leaf{}, names: map[string]symbol{}, ctes: map[int]*node{},
		steps: map[symbol]string{}, parts: map[symbol]map[string]symbol{}, done: map[evaluated]column{},
		branches: map[symbol][]branch{}, merges: map[symbol][]symbol{},
	}
	w.uses(w.relation(root))
	w.settle()
	if w.failed != "" {
		// Faults that were found stand; the rest of the statement was not seen.
		v.unsure(w.failed)
	}
	return v
}

func (w *walk) fail(why string) {
	if w.failed == "" {
		w.failed = why
	}
}

// unknown notes an operator or an expression that the walk does not know.
func (w *walk) unknown(what string) { w.verdict.unsure(what) }

func (w *walk) deeper() {
	if w.depth++; w.depth > maxDepth {
		w.fail("it is nested too deeply")
	}
}

func (w *walk) higher() { w.depth-- }

// interned returns the symbol of an expression, the same for equal expressions of the same columns.
func (w *walk) interned(key string) (sym symbol, known bool) {
	if s, ok := w.names[key]; ok {
		return s, true
	}
	s := w.fresh()
	w.names[key] = s
	return s, false
}

// newLeaf makes a source of rows.
func (w *walk) newLeaf(name string) *leaf {
	l := &leaf{row: w.fresh(), name: name, keys: true}
	w.leaves[l.row] = l
	return l
}

// relation walks an operator and everything below it.
func (w *walk) relation(n *node) *relation {
	w.deeper()
	defer w.higher()
	if w.nodes++; w.nodes > maxNodes {
		w.fail("it is too long")
	}
	if n == nil {
		w.fail("its plan has another form")
	}
	if w.failed != "" {
		return w.blank(nil)
	}
	switch n.Type {
	case "LOGICAL_GET":
		return w.scan(n)
	case "LOGICAL_EXPRESSION_GET":
		return w.values(n)
	case "LOGICAL_DUMMY_SCAN", "LOGICAL_EMPTY_RESULT":
		return &relation{wheres: map[symbol][]where{}}
	case "LOGICAL_DELIM_GET":
		return w.correlated(n)
	case "LOGICAL_MATERIALIZED_CTE", "LOGICAL_RECURSIVE_CTE", "LOGICAL_CTE_REF":
		return w.common(n)
	case "LOGICAL_COMPARISON_JOIN", "LOGICAL_DELIM_JOIN", "LOGICAL_ANY_JOIN", "LOGICAL_ASOF_JOIN", "LOGICAL_CROSS_PRODUCT",
		"LOGICAL_POSITIONAL_JOIN":
		return w.join(n)
	case "LOGICAL_UNION", "LOGICAL_EXCEPT", "LOGICAL_INTERSECT":
		return w.combination(n)
	}
	return w.single(n)
}

// single walks an operator with one child.
func (w *walk) single(n *node) *relation {
	if len(n.Children) != 1 {
		return w.blank(n)
	}
	switch n.Type {
	case "LOGICAL_PROJECTION":
		return w.project(w.relation(n.Children[0]), n.list())
	case "LOGICAL_FILTER":
		r := w.relation(n.Children[0])
		return w.filter(r, n.list()).mapped(n.Projection)
	case "LOGICAL_AGGREGATE_AND_GROUP_BY":
		return w.aggregate(w.relation(n.Children[0]), n)
	case "LOGICAL_WINDOW":
		return w.window(w.relation(n.Children[0]), n.list())
	case "LOGICAL_DISTINCT":
		return w.distinct(n)
	case "LOGICAL_ORDER_BY":
		return w.ordered(w.relation(n.Children[0]), n)
	case "LOGICAL_SAMPLE":
		return w.part(w.relation(n.Children[0]))
	case "LOGICAL_LIMIT":
		return w.limit(w.relation(n.Children[0]), n)
	case "LOGICAL_UNNEST":
		return w.unnest(w.relation(n.Children[0]), n.list())
	}
	return w.blank(n)
}

// blank stands for an operator that is not known: its rows may repeat anything.
func (w *walk) blank(n *node) *relation {
	what := "an unknown operation"
	if n != nil {
		what = strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(n.Type, "LOGICAL_"), "_", " "))
		w.unknown(what)
		for _, c := range n.Children {
			w.uses(w.relation(c))
		}
	}
	l := w.newLeaf(what)
	l.keys, l.why, l.opaque = false, what, true
	return &relation{
		leaves: []*leaf{l}, present: []symbol{l.row}, wheres: map[symbol][]where{}, filtered: true,
		any: &column{sym: w.fresh(), from: []symbol{l.row}, text: "…", doubt: &doubt{unsure: true, text: what}},
	}
}

// scan reads a base table, or the rows of a table function.
func (w *walk) scan(n *node) *relation {
	if n.Function == nil || n.Function.Table == "" {
		return w.generated(n)
	}
	t := w.schema.table(n.Function.Catalog, n.Function.Table)
	l := w.newLeaf(n.Function.Table)
	l.columns = map[string]symbol{}
	if l.table = t; t == nil {
		l.table = &Table{Source: n.Function.Catalog, Name: n.Function.Table}
	}
	if l.keys = l.table.Measured; !l.keys {
		l.why = "the keys of " + l.name + " are not measured"
	}
	r := &relation{leaves: []*leaf{l}, present: []symbol{l.row}, wheres: map[symbol][]where{}}
	for _, name := range n.Names {
		s := w.fresh()
		l.columns[fold(name)] = s
		w.add([]symbol{l.row}, s)
	}
	w.tableFacts(l)
	for _, i := range n.Indexes {
		if i.Index >= uint64(len(n.Names)) {
			r.columns = append(r.columns, w.hidden(l, i.Index))
			continue
		}
		r.columns = append(r.columns, w.base(l, n.Names[i.Index]))
	}
	return r.mapped(n.Projected)
}

// hidden is a column that the engine adds to a table.
func (w *walk) hidden(l *leaf, index uint64) column {
	out := column{plain: true, sym: l.row, from: []symbol{l.row}, text: l.name + ".rowid"}
	if index != rowNumber {
		out.sym, out.text = w.fresh(), "…"
		w.add([]symbol{l.row}, out.sym)
	}
	return out
}

// tableFacts adds the keys and the dependencies of a base table.
func (w *walk) tableFacts(l *leaf) {
	for _, k := range l.table.Keys {
		if from, ok := l.symbols(k); ok && len(from) > 0 {
			w.add(from, l.row)
		}
	}
	for _, i := range l.table.Implied {
		from, ok := l.symbols(i.By)
		to, all := l.symbols(i.Columns)
		if ok && all && len(from) > 0 {
			w.add(from, to...)
		}
	}
	for _, c := range l.table.Columns {
		if p, ok := l.columns[fold(c.Period)]; ok && c.Adds == Level && c.Step != "" {
			w.steps[p] = c.Step
		}
	}
}

// symbols returns the symbols of columns of a base table.
func (l *leaf) symbols(names []string) ([]symbol, bool) {
	out := make([]symbol, 0, len(names))
	for _, n := range names {
		s, ok := l.columns[fold(n)]
		if !ok {
			return nil, false
		}
		out = append(out, s)
	}
	return out, true
}

// base is a column of a base table with what adding it up means.
func (w *walk) base(l *leaf, name string) column {
	sym := l.columns[fold(name)]
	o := &origin{leaf: l, column: name}
	c := column{plain: true, sym: sym, from: []symbol{l.row}, text: l.name + "." + name, origin: o}
	said := l.table.Columns[fold(name)]
	c.adds = measure{adds: said.Adds, of: o}
	if said.Adds == Level {
		c.adds.period = l.columns[fold(said.Period)]
		if c.adds.period == 0 {
			// A level without a known period cannot be judged by it.
			c.adds.adds = Unknown
		}
		c.adds.entity, _ = l.symbols(entityOf(l.table, said))
	}
	for _, b := range said.Barriers {
		if s, ok := l.columns[fold(b.Column)]; ok {
			c.adds.barriers = append(c.adds.barriers, barrier{sym: s, of: b.Of})
		}
	}
	return c
}

// entityOf returns the columns that name what has a level.
func entityOf(t *Table, c Column) []string {
	if len(c.Entity) > 0 {
		return c.Entity
	}
	for _, k := range t.Keys {
		is := func(name string) bool { return fold(name) == fold(c.Period) }
		if len(k) > 1 && slices.ContainsFunc(k, is) {
			return slices.DeleteFunc(slices.Clone(k), is)
		}
	}
	return nil
}

// generated is a table function. Numbers and dates of a range are different from each other; of other functions nothing is
// known.
func (w *walk) generated(n *node) *relation {
	l := w.newLeaf("the rows of " + n.Name + "()")
	r := &relation{leaves: []*leaf{l}, present: []symbol{l.row}, wheres: map[symbol][]where{}}
	for _, i := range n.Indexes {
		s := w.fresh()
		w.add([]symbol{l.row}, s)
		if (n.Name == "range" || n.Name == "generate_series") && i.Index == 0 {
			w.add([]symbol{s}, l.row)
		}
		r.columns = append(r.columns, column{plain: true, sym: s, from: []symbol{l.row}, text: n.Name})
	}
	// The arguments may come from another relation; then each of its rows has rows here.
	if len(n.Children) == 1 {
		in := w.relation(n.Children[0])
		w.add([]symbol{l.row}, in.rows()...)
		if len(n.Indexes) == 0 {
			return w.blank(nil)
		}
		for _, i := range n.Lateral {
			c, ok := in.at(i)
			if !ok {
				w.fail("its plan has another form")
				return r
			}
			r.columns = append(r.columns, c)
		}
		r.leaves = append(r.leaves, in.leaves...)
		r.present = append(r.present, in.present...)
		r.filtered = true
	}
	return r.mapped(n.Projected)
}

// values is a list of rows in the statement.
func (w *walk) values(n *node) *relation {
	l := w.newLeaf("the listed values")
	r := &relation{leaves: []*leaf{l}, present: []symbol{l.row}, wheres: map[symbol][]where{}}
	rows := n.rows()
	if len(rows) == 0 {
		return w.blank(n)
	}
	empty := &relation{}
	for i := range rows[0] {
		s := w.fresh()
		w.add([]symbol{l.row}, s)
		seen := map[string]bool{}
		for _, row := range rows {
			if i >= len(row) || row[i] == nil {
				return w.blank(n)
			}
			if c := w.eval(empty, row[i]); c.literal && c.text != "NULL" {
				seen[c.text] = true
			}
		}
		if len(seen) == len(rows) {
			w.add([]symbol{s}, l.row)
		}
		r.columns = append(r.columns, column{plain: true, sym: s, from: []symbol{l.row}, text: "value " + strconv.Itoa(i+1)})
	}
	if len(rows) == 1 {
		w.add(nil, l.row)
	}
	return r
}

// correlated stands for the values of an outer row that a subquery uses, each combination once.
func (w *walk) correlated(n *node) *relation {
	l := w.newLeaf("the outer rows")
	r := &relation{leaves: []*leaf{l}, present: []symbol{l.row}, wheres: map[symbol][]where{}}
	key := make([]symbol, 0, len(n.ChunkTypes))
	for range n.ChunkTypes {
		s := w.fresh()
		key = append(key, s)
		r.columns = append(r.columns, column{plain: true, sym: s, from: []symbol{l.row}, text: "an outer value"})
	}
	w.add([]symbol{l.row}, key...)
	w.add(key, l.row)
	return r
}

// common walks a common table expression once for each use, because each use has rows of its own.
func (w *walk) common(n *node) *relation {
	switch {
	case n.Type == "LOGICAL_MATERIALIZED_CTE" && len(n.Children) == 2:
		// One that nothing uses is checked as well.
		w.relation(n.Children[0])
		w.ctes[n.TableIndex] = n.Children[0]
		return w.relation(n.Children[1])
	case n.Type == "LOGICAL_RECURSIVE_CTE" && len(n.Children) == 2:
		w.ctes[n.TableIndex] = nil
		w.relation(n.Children[0])
		w.relation(n.Children[1])
		return w.recursive(n.ColumnCount)
	case n.Type == "LOGICAL_CTE_REF":
		definition, ok := w.ctes[n.CTEIndex]
		switch {
		case definition != nil:
			return w.relation(definition)
		case ok:
			return w.recursive(len(n.ChunkTypes))
		}
	}
	return w.blank(n)
}

// recursive is the result of a recursive query: what its rows repeat is not known.
func (w *walk) recursive(columns int) *relation {
	l := w.newLeaf("the rows of a recursive query")
	l.keys, l.why, l.opaque = false, "a recursive query", true
	r := &relation{leaves: []*leaf{l}, present: []symbol{l.row}, wheres: map[symbol][]where{}, filtered: true}
	for range min(columns, maxNodes) {
		s := w.fresh()
		w.add([]symbol{l.row}, s)
		r.columns = append(r.columns, column{plain: true, sym: s, from: []symbol{l.row}, text: "a value of a recursive query"})
	}
	return r
}

// project computes columns.
func (w *walk) project(r *relation, list []*expr) *relation {
	out := *r
	out.columns, out.any = nil, nil
	for _, e := range list {
		c := w.eval(r, e)
		if c.owed != nil {
			// It is only handed on.
			c.owed.uses--
		}
		out.columns = append(out.columns, c)
	}
	return &out
}

// ordered sorts the rows. The order may be by a total that is not shown.
func (w *walk) ordered(r *relation, n *node) *relation {
	if slices.ContainsFunc(r.columns, func(c column) bool { return c.owed != nil }) {
		for _, o := range n.Orders {
			w.eval(r, o.Expression)
		}
	}
	return r.mapped(n.Projections)
}

// part keeps some rows, chosen by no condition.
func (w *walk) part(r *relation) *relation {
	out := *r
	out.filtered = true
	return &out
}

// limit keeps the first rows. A single row determines everything.
func (w *walk) limit(r *relation, n *node) *relation {
	if n.Limit != nil && n.Limit.Type == "CONSTANT_VALUE" && n.Limit.Constant <= 1 {
		w.add(nil, r.rows()...)
	}
	return w.part(r)
}

// unnest makes a row of each element of a list.
func (w *walk) unnest(r *relation, list []*expr) *relation {
	l := w.newLeaf("the elements of a list")
	out := *r
	out.leaves = append(slices.Clone(r.leaves), l)
	out.present = append(slices.Clone(r.present), l.row)
	out.columns = slices.Clone(r.columns)
	w.add([]symbol{l.row}, r.rows()...)
	for _, e := range list {
		s := w.fresh()
		w.add([]symbol{l.row}, s)
		if e.Child != nil {
			// UNPIVOT makes its names from a constant list: a row and a name are one element.
			if names := w.eval(r, e.Child); names.literal && (distinctList(names.text) || w.distinctItems(r, e.Child)) {
				w.add(append(r.rows(), s), l.row)
			}
		}
		out.columns = append(out.columns, column{plain: true, sym: s, from: []symbol{l.row}, text: "an element of a list"})
	}
	return &out
}

// distinctItems reports whether a list that the statement writes has different constants.
func (w *walk) distinctItems(r *relation, e *expr) bool {
	seen := map[string]bool{}
	for _, item := range e.Children {
		c := w.eval(r, item)
		if !c.literal || seen[c.text] {
			return false
		}
		seen[c.text] = true
	}
	return e.Name == "list_value" && len(seen) > 0
}

// distinctList reports whether a constant list has different elements.
func distinctList(text string) bool {
	seen := map[string]bool{}
	parts := strings.Split(text, `"value":`)
	for _, p := range parts[1:] {
		end := strings.IndexAny(p, "}]")
		if end < 0 || seen[p[:end]] {
			return false
		}
		seen[p[:end]] = true
	}
	return len(seen) > 0
}
