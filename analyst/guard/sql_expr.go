package guard

// Expressions of the bound plan as SQL.

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"parley.dev/parley/internal/sqltext"
)

// comparisons are the SQL operators of the plan's comparisons.
func comparisons() map[string]string {
	return map[string]string{
		"COMPARE_EQUAL": "=", "COMPARE_NOTEQUAL": "<>", "COMPARE_LESSTHAN": "<", "COMPARE_GREATERTHAN": ">",
		"COMPARE_LESSTHANOREQUALTO": "<=", "COMPARE_GREATERTHANOREQUALTO": ">=",
		"COMPARE_DISTINCT_FROM": "IS DISTINCT FROM", "COMPARE_NOT_DISTINCT_FROM": "IS NOT DISTINCT FROM",
	}
}

// plainName reports whether a function name is a word and not an operator symbol.
func plainName(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(c rune) bool { return c != '_' && (c < 'a' || c > 'z') && (c < '0' || c > '9') })
}

// value writes an expression over a relation.
func (w *sqlWriter) value(r *sqlRelation, e *expr) (sqlValue, error) {
	if w.depth++; w.depth > maxDepth || e == nil {
		return sqlValue{}, unsupported("it is nested too deeply")
	}
	defer func() { w.depth-- }()
	switch e.Class {
	case "BOUND_REF":
		if e.Index < 0 || e.Index >= len(r.columns) {
			return sqlValue{}, errPlan
		}
		c := r.columns[e.Index]
		if c.sql == "" {
			return sqlValue{}, unsupported(c.text)
		}
		return c, nil
	case "BOUND_CONSTANT":
		sql, ok := literal(e.Value)
		if !ok {
			return sqlValue{}, unsupported("a constant")
		}
		return sqlValue{sql: sql, text: sql}, nil
	case "BOUND_CAST":
		return w.cast(r, e)
	case "BOUND_FUNCTION":
		return w.call(r, e)
	case "BOUND_COMPARISON":
		op := comparisons()[e.Type]
		if op == "" {
			break
		}
		return w.combine(r, []*expr{e.Left, e.Right}, func(p []string) string { return "(" + p[0] + " " + op + " " + p[1] + ")" })
	case "BOUND_CONJUNCTION":
		op := map[string]string{"CONJUNCTION_AND": " AND ", "CONJUNCTION_OR": " OR "}[e.Type]
		if op == "" || len(e.Children) == 0 {
			break
		}
		return w.combine(r, e.Children, func(p []string) string { return "(" + strings.Join(p, op) + ")" })
	case "BOUND_OPERATOR":
		return w.operator(r, e)
	case "BOUND_CASE":
		return w.cases(r, e)
	}
	return sqlValue{}, unsupported("an expression of the kind " + strings.ToLower(e.Class))
}

// combine writes the operands of an expression and joins them.
func (w *sqlWriter) combine(r *sqlRelation, parts []*expr, join func([]string) string) (sqlValue, error) {
	out := sqlValue{text: "…"}
	texts := make([]string, len(parts))
	for i, p := range parts {
		c, err := w.value(r, p)
		if err != nil {
			return sqlValue{}, err
		}
		texts[i] = c.sql
		out.sources, out.countedSources = union(out.sources, c.sources), union(out.countedSources, c.countedSources)
		out.addsSources = out.addsSources || c.addsSources
	}
	out.sql = join(texts)
	return out, nil
}

func (w *sqlWriter) cast(r *sqlRelation, e *expr) (sqlValue, error) {
	c, err := w.value(r, e.Child)
	if err != nil {
		return sqlValue{}, err
	}
	name, ok := typeName(e.Returns)
	if !ok {
		return sqlValue{}, unsupported("a type")
	}
	verb := "CAST("
	if e.TryCast {
		verb = "TRY_CAST("
	}
	c.sql = verb + c.sql + " AS " + name + ")"
	if e.Child == nil || !keepsValue(e.Child.Returns.ID, e.Returns.ID) {
		c.column = ""
	}
	return c, nil
}

// typeName writes a type.
func typeName(t typeID) (string, bool) {
	switch t.ID {
	case "BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "FLOAT", "DOUBLE", "VARCHAR", "DATE", "TIME", "TIMESTAMP",
		"INTERVAL", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT":
		return t.ID, true
	case "TIMESTAMP WITH TIME ZONE":
		return t.ID, true
	case "DECIMAL":
		if t.Info == nil || t.Info.Width <= 0 || t.Info.Width > 38 || t.Info.Scale < 0 || t.Info.Scale > t.Info.Width {
			return "", false
		}
		return "DECIMAL(" + strconv.Itoa(t.Info.Width) + ", " + strconv.Itoa(t.Info.Scale) + ")", true
	}
	return "", false
}

// literal writes a constant.
func literal(v *value) (string, bool) {
	if v == nil {
		return "", false
	}
	if v.Null {
		return "NULL", true
	}
	switch v.Type.ID {
	case "VARCHAR":
		var s string
		if json.Unmarshal(v.Value, &s) != nil || strings.ContainsRune(s, 0) {
			return "", false
		}
		return sqltext.QuoteText(s), true
	case "BOOLEAN":
		var b bool
		if json.Unmarshal(v.Value, &b) != nil {
			return "", false
		}
		return strconv.FormatBool(b), true
	case "TINYINT", "SMALLINT", "INTEGER", "BIGINT":
		var n int64
		if json.Unmarshal(v.Value, &n) != nil {
			return "", false
		}
		return strconv.FormatInt(n, 10), true
	case "DOUBLE", "FLOAT":
		var f float64
		if json.Unmarshal(v.Value, &f) != nil {
			return "", false
		}
		return "CAST(" + strconv.FormatFloat(f, 'g', -1, 64) + " AS DOUBLE)", true
	case "DECIMAL":
		// The plan contains a decimal without its decimal point.
		var n int64
		name, ok := typeName(v.Type)
		if !ok || json.Unmarshal(v.Value, &n) != nil {
			return "", false
		}
		return "CAST(" + decimalText(n, v.Type.Info.Scale) + " AS " + name + ")", true
	}
	return "", false
}

// decimalText returns a number with its last digits, as many as scale, after the point.
func decimalText(n int64, scale int) string {
	sign := ""
	text := strconv.FormatInt(n, 10)
	if strings.HasPrefix(text, "-") {
		sign, text = "-", text[1:]
	}
	if scale == 0 {
		return sign + text
	}
	if len(text) <= scale {
		text = strings.Repeat("0", scale-len(text)+1) + text
	}
	return sign + text[:len(text)-scale] + "." + text[len(text)-scale:]
}

// call writes a function.
func (w *sqlWriter) call(r *sqlRelation, e *expr) (sqlValue, error) {
	switch {
	case slices.Contains([]string{"random", "uuid", "gen_random_uuid", "uuidv4", "uuidv7", "nextval", "setseed"}, e.Name):
		return sqlValue{}, unsupported("a random value")
	case e.Operator && len(e.Children) == 2 && slices.Contains([]string{
		"+", "-", "*", "/", "//", "%", "**", "^", "||", "~~", "!~~", "~~*", "!~~*", "&", "|", "<<", ">>",
	}, e.Name):
		out, err := w.combine(r, e.Children, func(p []string) string { return "(" + p[0] + " " + e.Name + " " + p[1] + ")" })
		out.addsSources = out.addsSources || (e.Name == "+" || e.Name == "-") && len(out.countedSources) > 1
		return out, err
	case e.Operator && e.Name == "-" && len(e.Children) == 1:
		return w.combine(r, e.Children, func(p []string) string { return "(- " + p[0] + ")" })
	case !plainName(e.Name):
		return sqlValue{}, unsupported("the function " + e.Name)
	}
	return w.combine(r, e.Children, func(p []string) string { return e.Name + "(" + strings.Join(p, ", ") + ")" })
}

func (w *sqlWriter) operator(r *sqlRelation, e *expr) (sqlValue, error) {
	n := len(e.Children)
	switch {
	case e.Type == "OPERATOR_NOT" && n == 1:
		return w.combine(r, e.Children, func(p []string) string { return "(NOT " + p[0] + ")" })
	case e.Type == "OPERATOR_IS_NULL" && n == 1:
		return w.combine(r, e.Children, func(p []string) string { return "(" + p[0] + " IS NULL)" })
	case e.Type == "OPERATOR_IS_NOT_NULL" && n == 1:
		return w.combine(r, e.Children, func(p []string) string { return "(" + p[0] + " IS NOT NULL)" })
	case e.Type == "OPERATOR_COALESCE" && n > 0:
		return w.combine(r, e.Children, func(p []string) string { return "coalesce(" + strings.Join(p, ", ") + ")" })
	case (e.Type == "COMPARE_IN" || e.Type == "COMPARE_NOT_IN") && n > 1:
		op := " IN ("
		if e.Type == "COMPARE_NOT_IN" {
			op = " NOT IN ("
		}
		return w.combine(r, e.Children, func(p []string) string { return "(" + p[0] + op + strings.Join(p[1:], ", ") + "))" })
	}
	return sqlValue{}, unsupported("an operator")
}

func (w *sqlWriter) cases(r *sqlRelation, e *expr) (sqlValue, error) {
	var parts []*expr
	for _, c := range e.Cases {
		parts = append(parts, c.When, c.Then)
	}
	if e.Else != nil {
		parts = append(parts, e.Else)
	}
	out, err := w.combine(r, parts, func(p []string) string {
		text := "CASE"
		for i := range e.Cases {
			text += " WHEN " + p[2*i] + " THEN " + p[2*i+1]
		}
		if e.Else != nil {
			text += " ELSE " + p[len(p)-1]
		}
		return "(" + text + " END)"
	})
	if err != nil {
		return out, err
	}
	// The conditions only choose a value and are not counted.
	out.countedSources, out.addsSources = nil, false
	for i, p := range parts {
		if i%2 == 0 && i < 2*len(e.Cases) {
			continue
		}
		c, err := w.value(r, p)
		if err != nil {
			return out, err
		}
		out.countedSources, out.addsSources = union(out.countedSources, c.countedSources), out.addsSources || c.addsSources
	}
	return out, nil
}

// predicate writes one condition, with its text for people if it compares a column with constants.
func (w *sqlWriter) predicate(r *sqlRelation, e *expr) (predicate, error) {
	c, err := w.value(r, e)
	if err != nil {
		return predicate{}, err
	}
	out := predicate{sql: c.sql, sources: c.sources}
	if len(out.sources) == 1 && w.sources[out.sources[0]].base {
		out.column, out.text = w.readable(r, e)
	}
	return out, nil
}

// readable returns the column of a comparison with constants and its text for people; empty for another condition.
func (w *sqlWriter) readable(r *sqlRelation, e *expr) (column, text string) {
	words := map[string]string{
		"COMPARE_EQUAL": " is ", "COMPARE_NOTEQUAL": " is not ", "COMPARE_LESSTHAN": " is below ", "COMPARE_GREATERTHAN": " is above ",
		"COMPARE_LESSTHANOREQUALTO": " is at most ", "COMPARE_GREATERTHANOREQUALTO": " is at least ",
	}
	switch {
	case e.Class == "BOUND_COMPARISON" && words[e.Type] != "":
		c, err := w.value(r, e.Left)
		if t, ok := readableConstant(e.Right); err == nil && ok && c.column != "" {
			return c.column, c.column + words[e.Type] + t
		}
	case e.Class == "BOUND_OPERATOR" && e.Type == "COMPARE_IN" && len(e.Children) > 1:
		c, err := w.value(r, e.Children[0])
		if err != nil || c.column == "" {
			return "", ""
		}
		var list []string
		for _, item := range e.Children[1:] {
			t, ok := readableConstant(item)
			if !ok {
				return "", ""
			}
			list = append(list, t)
		}
		return c.column, c.column + " is " + strings.Join(list, " or ")
	case e.Class == "BOUND_FUNCTION" && e.Name == "~~" && len(e.Children) == 2:
		c, err := w.value(r, e.Children[0])
		if t, ok := readableConstant(e.Children[1]); err == nil && ok && c.column != "" {
			return c.column, c.column + " is like " + t
		}
	}
	return "", ""
}

// readableConstant returns a constant as people read it.
func readableConstant(e *expr) (string, bool) {
	for e != nil && e.Class == "BOUND_CAST" {
		e = e.Child
	}
	if e == nil || e.Class != "BOUND_CONSTANT" || e.Value == nil || e.Value.Null {
		return "", false
	}
	var s string
	if e.Value.Type.ID == "VARCHAR" && json.Unmarshal(e.Value.Value, &s) == nil {
		return s, true
	}
	if e.Value.Type.ID == "DECIMAL" {
		var n int64
		if e.Value.Type.Info == nil || json.Unmarshal(e.Value.Value, &n) != nil {
			return "", false
		}
		return decimalText(n, e.Value.Type.Info.Scale), true
	}
	return string(e.Value.Value), true
}
