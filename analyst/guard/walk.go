package guard

// The walk through the plan, starting at the scans. Each operator becomes a relation, and each aggregate is judged at its
// operator.

import (
	"slices"
	"strconv"
	"strings"

	"parley.dev/parley/domain"
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
	// steps are the periods with a known step, and dateParts the parts of them that the statement uses.
	steps     map[symbol]string
	dateParts map[symbol]map[string]symbol
	// branchValues are the values of union columns in each branch.
	branchValues map[symbol][]branchValue
	// merges are the columns that full joins with USING merge.
	merges    map[symbol][]symbol
	evaluated map[evalKey]column
	// pending are the faults that a use of their total may correct.
	pending []*pendingFault
	// shapes are the forms of the interned expressions.
	shapes []shape
	nodes  int
	depth  int
	// failed is the reason why the walk was aborted.
	failed string
}

// Judge checks the plan of a statement.
func Judge(plan []byte, schema *Schema) Verdict {
	var v Verdict
	root, err := decode(plan)
	if err != nil {
		v.addUnchecked("its plan cannot be read")
		return v
	}
	w := &walk{
		schema: schema, verdict: &v, leaves: map[symbol]*leaf{}, names: map[string]symbol{}, ctes: map[int]*node{},
		steps: map[symbol]string{}, dateParts: map[symbol]map[string]symbol{}, evaluated: map[evalKey]column{},
		branchValues: map[symbol][]branchValue{}, merges: map[symbol][]symbol{},
	}
	w.countUse(w.relation(root))
	w.reportPending()
	if w.failed != "" {
		// Faults found so far are reported; the rest of the statement was not checked.
		v.addUnchecked(w.failed)
	}
	return v
}

func (w *walk) fail(why string) {
	if w.failed == "" {
		w.failed = why
	}
}

// addUnknown records an operator or an expression that is not supported.
func (w *walk) addUnknown(what string) { w.verdict.addUnchecked(what) }

func (w *walk) enter() {
	if w.depth++; w.depth > maxDepth {
		w.fail("it is nested too deeply")
	}
}

func (w *walk) leave() { w.depth-- }

// interned returns the symbol of an expression, which is the same for equal expressions of the same columns.
func (w *walk) interned(key string) (sym symbol, known bool) {
	if s, ok := w.names[key]; ok {
		return s, true
	}
	s := w.fresh()
	w.names[key] = s
	return s, false
}

// newLeaf creates a source of rows.
func (w *walk) newLeaf(name string) *leaf {
	l := &leaf{row: w.fresh(), name: name, keysKnown: true}
	w.leaves[l.row] = l
	return l
}

// relation walks an operator and all operators below it.
func (w *walk) relation(n *node) *relation {
	w.enter()
	defer w.leave()
	if w.nodes++; w.nodes > maxNodes {
		w.fail("it is too long")
	}
	if n == nil {
		w.fail("its plan has another form")
	}
	if w.failed != "" {
		return w.unknownRelation(nil)
	}
	switch n.Type {
	case "LOGICAL_GET":
		return w.scan(n)
	case "LOGICAL_EXPRESSION_GET":
		return w.valuesList(n)
	case "LOGICAL_DUMMY_SCAN", "LOGICAL_EMPTY_RESULT":
		return &relation{tableConditions: map[symbol][]tableCondition{}}
	case "LOGICAL_DELIM_GET":
		return w.outerValues(n)
	case "LOGICAL_MATERIALIZED_CTE", "LOGICAL_RECURSIVE_CTE", "LOGICAL_CTE_REF":
		return w.commonTable(n)
	case "LOGICAL_COMPARISON_JOIN", "LOGICAL_DELIM_JOIN", "LOGICAL_ANY_JOIN", "LOGICAL_ASOF_JOIN", "LOGICAL_CROSS_PRODUCT",
		"LOGICAL_POSITIONAL_JOIN":
		return w.join(n)
	case "LOGICAL_UNION", "LOGICAL_EXCEPT", "LOGICAL_INTERSECT":
		return w.setOperation(n)
	}
	return w.singleChild(n)
}

// singleChild walks an operator with one child.
func (w *walk) singleChild(n *node) *relation {
	if len(n.Children) != 1 {
		return w.unknownRelation(n)
	}
	switch n.Type {
	case "LOGICAL_PROJECTION":
		return w.project(w.relation(n.Children[0]), n.list())
	case "LOGICAL_FILTER":
		r := w.relation(n.Children[0])
		return w.filter(r, n.list()).selectColumns(n.Projection)
	case "LOGICAL_AGGREGATE_AND_GROUP_BY":
		return w.aggregate(w.relation(n.Children[0]), n)
	case "LOGICAL_WINDOW":
		return w.window(w.relation(n.Children[0]), n.list())
	case "LOGICAL_DISTINCT":
		return w.distinct(n)
	case "LOGICAL_ORDER_BY":
		return w.ordered(w.relation(n.Children[0]), n)
	case "LOGICAL_SAMPLE":
		return w.subset(w.relation(n.Children[0]))
	case "LOGICAL_LIMIT":
		return w.limit(w.relation(n.Children[0]), n)
	case "LOGICAL_UNNEST":
		return w.unnest(w.relation(n.Children[0]), n.list())
	}
	return w.unknownRelation(n)
}

// unknownRelation represents an operator that is not supported. Its rows may contain duplicates of any row.
func (w *walk) unknownRelation(n *node) *relation {
	what := "an unknown operation"
	if n != nil {
		what = strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(n.Type, "LOGICAL_"), "_", " "))
		w.addUnknown(what)
		for _, c := range n.Children {
			w.countUse(w.relation(c))
		}
	}
	l := w.newLeaf(what)
	l.keysKnown, l.unknownReason, l.opaque = false, what, true
	return &relation{
		leaves: []*leaf{l}, present: []symbol{l.row}, tableConditions: map[symbol][]tableCondition{}, filtered: true,
		anyColumn: &column{sym: w.fresh(), from: []symbol{l.row}, text: "…", doubt: &doubt{unproven: true, text: what}},
	}
}

// scan reads a base table, or the rows of a table function.
func (w *walk) scan(n *node) *relation {
	if n.Function == nil || n.Function.Table == "" {
		return w.tableFunction(n)
	}
	t := w.schema.table(n.Function.Catalog, n.Function.Schema, n.Function.Table)
	l := w.newLeaf(n.Function.Table)
	l.columns = map[string]symbol{}
	if l.table = t; t == nil {
		l.table = &Table{Source: n.Function.Catalog, Name: n.Function.Table}
	}
	if l.keysKnown = l.table.Measured; !l.keysKnown {
		l.unknownReason = "the keys of " + l.name + " are not measured"
	}
	r := &relation{leaves: []*leaf{l}, present: []symbol{l.row}, tableConditions: map[symbol][]tableCondition{}}
	for _, name := range n.Names {
		s := w.fresh()
		l.columns[fold(name)] = s
		w.add([]symbol{l.row}, s)
	}
	w.tableFacts(l)
	if l.table.declared {
		w.possibleKeys(l, n)
	}
	for _, i := range n.Indexes {
		if i.Index >= uint64(len(n.Names)) {
			r.columns = append(r.columns, w.hiddenColumn(l, i.Index))
			continue
		}
		r.columns = append(r.columns, w.baseColumn(l, n.Names[i.Index]))
	}
	return r.selectColumns(n.Projected)
}

// hiddenColumn returns a column that the engine adds to a table.
func (w *walk) hiddenColumn(l *leaf, index uint64) column {
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

// possibleKeys adds that columns that a statement uses of a remote table may be keys that nobody has declared: each column of
// which no value is known to repeat, and each pair of columns.
func (w *walk) possibleKeys(l *leaf, n *node) {
	var used []string
	for _, i := range n.Indexes {
		if i.Index < uint64(len(n.Names)) && len(used) < possibleMax {
			used = append(used, n.Names[i.Index])
		}
	}
	for i, name := range used {
		if from := l.columns[fold(name)]; !l.table.repeats[fold(name)] {
			w.deps = append(w.deps, dependency{from: []symbol{from}, to: []symbol{l.row}, unproven: true})
		}
		for _, other := range used[i+1:] {
			pair := []symbol{l.columns[fold(name)], l.columns[fold(other)]}
			w.deps = append(w.deps, dependency{from: pair, to: []symbol{l.row}, unproven: true})
		}
	}
}

// symbols returns the symbols of some columns of a base table.
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

// baseColumn returns a column of a base table with its measure.
func (w *walk) baseColumn(l *leaf, name string) column {
	sym := l.columns[fold(name)]
	o := &origin{leaf: l, column: name}
	c := column{plain: true, sym: sym, from: []symbol{l.row}, text: l.name + "." + name, origin: o}
	described := l.table.Columns[fold(name)]
	c.measure = measure{kind: described.Adds, origin: o, unclear: described.Unclear}
	if described.Adds == Level {
		c.measure.period = l.columns[fold(described.Period)]
		if c.measure.period == 0 {
			// A level without a known period cannot be checked.
			c.measure.kind, c.measure.unclear = Unknown, "the periods of "+c.text+" are not known"
		}
		c.measure.entity, _ = l.symbols(entityOf(l.table, described))
	}
	for _, b := range described.Barriers {
		if s, ok := l.columns[fold(b.Column)]; ok {
			c.measure.barriers = append(c.measure.barriers, barrier{sym: s, separates: b.Of})
		}
	}
	return c
}

// entityOf returns the columns that identify what has a level.
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

// tableFunction returns the rows of a table function. Numbers and dates of a range are distinct; nothing is known about other
// functions.
func (w *walk) tableFunction(n *node) *relation {
	l := w.newLeaf("the rows of " + n.Name + "()")
	r := &relation{leaves: []*leaf{l}, present: []symbol{l.row}, tableConditions: map[symbol][]tableCondition{}}
	for _, i := range n.Indexes {
		s := w.fresh()
		w.add([]symbol{l.row}, s)
		if (n.Name == "range" || n.Name == "generate_series") && i.Index == 0 {
			w.add([]symbol{s}, l.row)
		}
		r.columns = append(r.columns, column{plain: true, sym: s, from: []symbol{l.row}, text: n.Name})
	}
	// The arguments may come from another relation, whose rows then each have rows here.
	if len(n.Children) == 1 {
		in := w.relation(n.Children[0])
		w.add([]symbol{l.row}, in.rows()...)
		if len(n.Indexes) == 0 {
			return w.unknownRelation(nil)
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
	return r.selectColumns(n.Projected)
}

// valuesList returns a list of rows in the statement.
func (w *walk) valuesList(n *node) *relation {
	l := w.newLeaf("the listed values")
	r := &relation{leaves: []*leaf{l}, present: []symbol{l.row}, tableConditions: map[symbol][]tableCondition{}}
	rows := n.rows()
	if len(rows) == 0 {
		return w.unknownRelation(n)
	}
	l.listed = len(rows)
	empty := &relation{}
	for i := range rows[0] {
		s := w.fresh()
		w.add([]symbol{l.row}, s)
		var constants []string
		for _, row := range rows {
			if i >= len(row) || row[i] == nil {
				return w.unknownRelation(n)
			}
			if c := w.eval(empty, row[i]); c.literal && c.text != "…" {
				constants = append(constants, c.text)
			}
		}
		if len(constants) == len(rows) && allDifferent(constants) {
			w.add([]symbol{s}, l.row)
		}
		r.columns = append(r.columns, column{
			plain: true, sym: s, from: []symbol{l.row}, text: "value " + strconv.Itoa(i+1), constants: constants,
		})
	}
	if len(rows) == 1 {
		w.add(nil, l.row)
	}
	return r
}

// allDifferent reports whether constants are certainly different values. Constants of different types may be equal: 1 and 1.0, or
// a date and the midnight of it.
func allDifferent(constants []string) bool {
	seen := map[string]bool{}
	for _, text := range constants {
		text = strings.ToLower(strings.Trim(text, "'"))
		if day, err := domain.DayOfFact(text); err == nil {
			text = day.Format("2006-01-02")
		} else if n, err := strconv.ParseFloat(text, 64); err == nil {
			text = strconv.FormatFloat(n, 'g', -1, 64)
		}
		if seen[text] {
			return false
		}
		seen[text] = true
	}
	return len(constants) > 0
}

// outerValues represents the outer values that a subquery uses; each combination occurs once.
func (w *walk) outerValues(n *node) *relation {
	l := w.newLeaf("the outer rows")
	r := &relation{leaves: []*leaf{l}, present: []symbol{l.row}, tableConditions: map[symbol][]tableCondition{}}
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

// commonTable walks a common table expression once for each use, because each use has its own rows.
func (w *walk) commonTable(n *node) *relation {
	switch {
	case n.Type == "LOGICAL_MATERIALIZED_CTE" && len(n.Children) == 2:
		// An unused one is checked too.
		w.relation(n.Children[0])
		w.ctes[n.TableIndex] = n.Children[0]
		return w.relation(n.Children[1])
	case n.Type == "LOGICAL_RECURSIVE_CTE" && len(n.Children) == 2:
		w.ctes[n.TableIndex] = nil
		w.relation(n.Children[0])
		w.relation(n.Children[1])
		return w.recursiveRows(n.ColumnCount)
	case n.Type == "LOGICAL_CTE_REF":
		definition, ok := w.ctes[n.CTEIndex]
		switch {
		case definition != nil:
			return w.relation(definition)
		case ok:
			return w.recursiveRows(len(n.ChunkTypes))
		}
	}
	return w.unknownRelation(n)
}

// recursiveRows returns the result of a recursive query. Which rows it repeats is unknown.
func (w *walk) recursiveRows(columns int) *relation {
	l := w.newLeaf("the rows of a recursive query")
	l.keysKnown, l.unknownReason, l.opaque = false, "a recursive query", true
	r := &relation{leaves: []*leaf{l}, present: []symbol{l.row}, tableConditions: map[symbol][]tableCondition{}, filtered: true}
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
	out.columns, out.anyColumn = nil, nil
	for _, e := range list {
		c := w.eval(r, e)
		if c.pending != nil {
			// Its value is passed through unchanged.
			c.pending.uses--
		}
		out.columns = append(out.columns, c)
	}
	return &out
}

// ordered sorts the rows. The order may use a total that is not in the result.
func (w *walk) ordered(r *relation, n *node) *relation {
	if slices.ContainsFunc(r.columns, func(c column) bool { return c.pending != nil }) {
		for _, o := range n.Orders {
			w.eval(r, o.Expression)
		}
	}
	return r.selectColumns(n.Projections)
}

// subset is a sample of rows: which of them it contains is not known from conditions.
func (w *walk) subset(r *relation) *relation {
	out := *r
	out.filtered = true
	return &out
}

// limit keeps the first rows. A limit of one row determines all values of that row.
func (w *walk) limit(r *relation, n *node) *relation {
	if n.Limit != nil && n.Limit.Type == "CONSTANT_VALUE" && n.Limit.Constant <= 1 {
		w.add(nil, r.rows()...)
	}
	return w.subset(r)
}

// unnest returns a row for each element of a list.
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
		values := column{text: "a list"}
		if e.Child != nil {
			values = w.eval(r, e.Child)
			// UNPIVOT creates its names from a constant list, so a row and a name identify an element.
			if values.literal && (distinctList(values.text) || w.distinctItems(r, e.Child)) {
				w.add(append(r.rows(), s), l.row)
			}
		}
		out.columns = append(out.columns, element(&values, s, l))
	}
	return &out
}

// distinctItems reports whether a list in the statement consists of distinct constants.
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

// distinctList reports whether a constant list has distinct elements.
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
