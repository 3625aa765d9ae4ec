package guard

// Expressions: what a value is made of, and what determines it.

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parley.dev/parley/internal/sqltext"
)

// eval returns an expression as a column of a relation.
func (w *walk) eval(r *relation, e *expr) column {
	w.enter()
	defer w.leave()
	if e == nil {
		w.fail("its plan has another form")
	}
	if w.failed != "" {
		return column{sym: w.fresh()}
	}
	// An expression is evaluated many times, so its column is computed once.
	key := evalKey{r, e}
	if c, ok := w.evaluated[key]; ok {
		return c
	}
	c := w.compute(r, e)
	if c.count == nil {
		c.count = w.countOrZero(r, e)
	}
	w.evaluated[key] = c
	return c
}

// evalKey identifies an expression over a relation.
type evalKey struct {
	r *relation
	e *expr
}

func (w *walk) compute(r *relation, e *expr) column {
	switch e.Class {
	case "BOUND_REF":
		c, ok := r.at(e.Index)
		if !ok {
			w.fail("its plan has another form")
		}
		if c.pending != nil {
			c.pending.uses++
		}
		return c
	case "BOUND_CONSTANT":
		return w.constant(e)
	case "BOUND_CAST":
		if e.Child == nil {
			break
		}
		return w.cast(r, e)
	case "BOUND_FUNCTION":
		return w.function(r, e)
	case "BOUND_CASE":
		return w.caseColumn(r, e)
	case "BOUND_COMPARISON", "BOUND_CONJUNCTION", "BOUND_OPERATOR", "BOUND_BETWEEN":
		return w.composed(r, e, e.parts())
	}
	// An expression of an unknown class may use any column.
	w.addUnknown("an expression of the kind " + strings.ToLower(e.Class))
	return column{sym: w.fresh(), from: r.rows(), text: "…", doubt: &doubt{unproven: true, text: "an expression that is not known here"}}
}

// constant returns a constant of the statement.
func (w *walk) constant(e *expr) column {
	text := "NULL"
	if e.Value != nil && !e.Value.Null {
		text = string(e.Value.Value)
		var s string
		if json.Unmarshal(e.Value.Value, &s) == nil {
			text = sqltext.QuoteText(s)
		} else if t := e.Value.Type; t.ID == "DECIMAL" && t.Info != nil && t.Info.Scale > 0 {
			// The plan has a decimal without its point.
			text += "e-" + strconv.Itoa(t.Info.Scale)
		}
	}
	sym, known := w.interned("const " + text)
	if !known {
		w.deps = append(w.deps, dependency{to: []symbol{sym}, literal: true})
	}
	return column{sym: sym, literal: true, text: text}
}

// cast returns a change of type. The value keeps its meaning. The types decide whether the cast can be reversed.
func (w *walk) cast(r *relation, e *expr) column {
	in := w.eval(r, e.Child)
	if in.literal {
		return in
	}
	out := in
	if !keepsValue(e.Child.Returns.ID, e.Returns.ID) {
		// A control query would compute another value.
		out.origin, out.maximum = nil, nil
	}
	sym, known := w.interned("cast " + e.Returns.ID + " " + strconv.Itoa(int(in.sym)))
	out.sym = sym
	if !known {
		w.add([]symbol{in.sym}, sym)
		w.shapes = append(w.shapes, shape{sym: sym, name: "cast " + e.Returns.ID, inputs: []symbol{in.sym}})
		reversible := lossless(e.Child.Returns.ID, e.Returns.ID) || e.Returns.ID == "DATE" && atMidnight(e.Child)
		w.deps = append(w.deps, dependency{from: []symbol{sym}, to: []symbol{in.sym}, unproven: !reversible})
	}
	return out
}

// keepsValue reports whether a cast keeps the value of a column: an integer is the same number as a decimal.
func keepsValue(from, to string) bool {
	whole := []string{"TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"}
	return lossless(from, to) || slices.Contains(whole, from) && (to == "DOUBLE" || to == "DECIMAL") || from == "DECIMAL" && to == "DOUBLE" ||
		from == "FLOAT" && to == "DOUBLE"
}

// lossless reports whether different values of a type remain different in another type.
func lossless(from, to string) bool {
	order := []string{"BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "VARCHAR"}
	a, b := slices.Index(order, from), slices.Index(order, to)
	switch {
	case from == to:
		return true
	case a >= 0 && b >= 0:
		return a <= b
	case from == "DATE":
		return to == "TIMESTAMP" || to == "VARCHAR" || to == "TIMESTAMP WITH TIME ZONE"
	}
	return from == "TIMESTAMP" && to == "VARCHAR" || from == "UUID" && to == "VARCHAR"
}

// atMidnight reports whether a timestamp is always the beginning of a day, so that it is equivalent to a date.
func atMidnight(e *expr) bool {
	for e.Class == "BOUND_CAST" && e.Child != nil && lossless(e.Child.Returns.ID, e.Returns.ID) {
		e = e.Child
	}
	return e.Class == "BOUND_FUNCTION" && e.Name == "date_trunc" && len(e.Children) == 2 &&
		slices.Contains([]string{"day", "week", "month", "quarter", "year"}, textOf(e.Children[0]))
}

// function returns a function call. Its arguments determine its value.
func (w *walk) function(r *relation, e *expr) column {
	if slices.Contains([]string{"random", "uuid", "gen_random_uuid", "nextval"}, e.Name) {
		return column{sym: w.fresh(), from: r.rows(), text: e.Name + "()"}
	}
	out := w.composed(r, e, e.Children)
	switch {
	case len(e.Children) == 2 && (e.Name == "+" || e.Name == "-" || e.Name == "*" || e.Name == "/" || e.Name == "//"):
		a, b := w.eval(r, e.Children[0]), w.eval(r, e.Children[1])
		out.text = a.text + " " + e.Name + " " + b.text
		out.measure = w.arithmeticMeasure(e.Name, a, b)
		w.checkMean(r, e)
		w.checkTimes(r, e)
	default:
		out.measure = w.functionMeasure(r, e)
	}
	w.listFigure(r, e, &out)
	w.calendarDependencies(r, e, out.sym)
	return out
}

// caseColumn returns a CASE.
func (w *walk) caseColumn(r *relation, e *expr) column {
	out := w.composed(r, e, e.parts())
	out.from, out.literal = nil, true
	branches := make([]*expr, 0, len(e.Cases)+1)
	for _, c := range e.Cases {
		branches = append(branches, c.Then)
	}
	// The conditions only choose a value, so only the values determine the origin.
	var measures []measure
	out.doubt = nil
	if e.Else != nil && len(e.Cases) == 1 && e.Cases[0].Then != nil && uncast(e.Cases[0].Then).Name == "error" {
		// The engine refuses a subquery with several values like this.
		out.maximum = w.eval(r, e.Else).maximum
	}
	for _, b := range append(branches, e.Else) {
		if b == nil {
			continue
		}
		v := w.eval(r, b)
		out.from = union(out.from, v.from)
		out.literal = out.literal && v.literal
		if !v.literal {
			measures = append(measures, v.measure)
			out.doubt = stricter(out.doubt, v.doubt)
		}
	}
	out.measure = oneOf(measures)
	if out.literal {
		// It is a constant that differs from row to row: its total counts the rows that satisfy the condition.
		return column{sym: out.sym, literal: true, text: "…"}
	}
	return out
}

// composed returns a value that its parts determine.
func (w *walk) composed(r *relation, e *expr, parts []*expr) column {
	out := column{literal: true}
	key := e.Class + " " + e.Type + " " + e.Name
	var inputs, columns []symbol
	var texts []string
	certain := false
	for _, p := range parts {
		c := w.eval(r, p)
		inputs = append(inputs, c.sym)
		key += " " + strconv.Itoa(int(c.sym))
		texts = append(texts, c.text)
		out.from = union(out.from, c.from)
		if c.doubt != nil {
			out.doubt = stricter(out.doubt, c.doubt)
		} else if !c.literal {
			certain = true
		}
		if !c.literal {
			columns = append(columns, c.sym)
			out.literal = false
		}
	}
	if d := out.doubt; d != nil && certain && !d.unproven {
		// A value that represents many rows may be weighted by their number.
		out.doubt = &doubt{unproven: true, kind: d.kind, text: "a value that is weighted by another"}
	}
	if e.Class == "BOUND_OPERATOR" && e.Type == "OPERATOR_COALESCE" && len(parts) > 0 {
		out.measure = oneOf(w.measuresOf(r, parts))
	}
	sym, known := w.interned(key)
	out.sym = sym
	if !known {
		w.add(inputs, sym)
		w.shapes = append(w.shapes, shape{sym: sym, name: e.Class + " " + e.Type + " " + e.Name, inputs: inputs})
		if len(columns) == 1 && !lossy(e) {
			w.deps = append(w.deps, dependency{from: []symbol{sym}, to: columns, unproven: true})
		}
	}
	out.text = "…"
	if e.Name != "" {
		out.text = e.Name + "(" + strings.Join(texts, ", ") + ")"
	}
	return out
}

// lossy reports whether an expression certainly maps different values to the same one, so that it does not determine its
// column.
func lossy(e *expr) bool {
	if e.Class != "BOUND_FUNCTION" {
		return true
	}
	return slices.Contains([]string{
		"year", "month", "quarter", "week", "weekday", "dayofweek", "day", "dayofmonth", "hour", "date_part", "date_trunc", "strftime",
		"floor", "ceil", "round", "trunc", "abs", "sign", "length", "strlen", "left", "right", "substring", "substr", "%", "mod", "monthname",
		"dayname", "last_day", "isodow", "yearweek", "//", "&", "starts_with", "contains", "~~",
	}, e.Name)
}

// calendarDependencies adds which parts of a date determine a period with a known step: for monthly periods, the month of the
// date, or its year and its month number together.
func (w *walk) calendarDependencies(r *relation, e *expr, sym symbol) {
	part, arg := "", (*expr)(nil)
	switch {
	case len(e.Children) == 1:
		part, arg = e.Name, e.Children[0]
	case len(e.Children) == 2 && (e.Name == "date_part" || e.Name == "date_trunc"):
		part, arg = textOf(e.Children[0]), e.Children[1]
		if e.Name == "date_trunc" {
			part = "trunc " + part
		}
	case len(e.Children) == 2 && e.Name == "strftime":
		part, arg = "format "+textOf(e.Children[1]), e.Children[0]
	}
	if arg == nil || part == "" {
		return
	}
	for arg.Class == "BOUND_CAST" && arg.Child != nil {
		arg = arg.Child
	}
	p := w.eval(r, arg).sym
	step, ok := w.steps[p]
	if !ok {
		return
	}
	if w.dateParts[p] == nil {
		w.dateParts[p] = map[string]symbol{}
	}
	w.dateParts[p][part] = sym
	for _, together := range wholePeriod(step) {
		var from []symbol
		for _, name := range together {
			if s, ok := w.dateParts[p][name]; ok {
				from = append(from, s)
			}
		}
		if len(from) == len(together) {
			w.add(from, p)
		}
	}
}

// wholePeriod lists the combinations of date parts that determine a period.
func wholePeriod(step string) [][]string {
	year, quarter, month := [][]string{{"year"}, {"trunc year"}, {"format %Y"}}, [][]string{{"year", "quarter"}, {"trunc quarter"}},
		[][]string{
			{"year", "month"},
			{"trunc month"},
			{"format %Y-%m"},
			{"format %Y-%m-%d"},
			{"format %b %Y"},
			{"format %B %Y"},
			{"format %Y%m"},
			{"last_day"},
			{"year", "monthname"},
			{"format %m/%Y"},
		}
	switch step {
	case "year":
		return slices.Concat(year, quarter, month)
	case "quarter":
		return slices.Concat(quarter, month)
	case "month":
		return month
	case "week", "day":
		return [][]string{{"trunc day"}, {"format %Y-%m-%d"}}
	}
	return nil
}

// textOf returns a text constant, also inside a cast; "" if there is none.
func textOf(e *expr) string {
	for e != nil && e.Class == "BOUND_CAST" {
		e = e.Child
	}
	if e == nil || e.Class != "BOUND_CONSTANT" || e.Value == nil || e.Value.Null {
		return ""
	}
	var s string
	if json.Unmarshal(e.Value.Value, &s) != nil {
		return ""
	}
	return s
}

// joinNames returns names as a list in words.
func joinNames(names []string) string {
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0]
	}
	return fmt.Sprintf("%s and %s", strings.Join(names[:len(names)-1], ", "), names[len(names)-1])
}
