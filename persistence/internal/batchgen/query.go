package main

// Reading of sqlc's methods. Their shape is checked at each point: a new version of sqlc that
// writes them differently ends the generation, and does not generate wrong code.

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// query is what is read from sqlc's method for a query, as source text.
type query struct {
	name string
	// parameter is the declaration of the method's parameter, "arg *FooParams" or
	// "id int64"; args are the arguments of the statement, in its order. Both are empty if
	// there are no parameters.
	parameter string
	args      []string
	// row is the type of a row, empty for a statement without rows; many says that there
	// may be more than one; scans are the scan targets of its columns, in order, in which
	// variable is the name of the row.
	row, variable string
	many          bool
	scans         []string
}

var errShape = errors.New("the method does not look like one of sqlc's")

// queryOf reads a method.
func (f *file) queryOf(method *ast.FuncDecl) (*query, error) {
	q := &query{name: method.Name.Name}
	params := method.Type.Params.List
	// A method has the context, the connection, and at most one parameter.
	if len(params) < 2 || len(params) > 3 {
		return nil, errShape
	}
	if len(params) == 3 {
		q.parameter = f.text(params[2].Pos(), params[2].End())
	}
	call := f.call(method, "db", "Query", "QueryRow", "Exec")
	if call == nil || len(call.Args) < 2 {
		return nil, errShape
	}
	// The first argument after the context is the text of the query.
	if text, ok := call.Args[1].(*ast.Ident); !ok || text.Name != constant(q.name) {
		return nil, errShape
	}
	for _, a := range call.Args[2:] {
		q.args = append(q.args, f.text(a.Pos(), a.End()))
	}
	results := method.Type.Results.List
	// The call that the method makes says how many rows there are.
	switch which := selected(call); {
	case which == "Exec" && len(results) == 1:
		return q, nil
	case which == "Exec":
		return nil, errors.New("a statement in a batch counts no rows: make it :exec")
	default:
		q.many = which == "Query"
	}
	return q, f.rowOf(q, method, results)
}

// rowOf reads the type of a row and the scan targets of its columns.
func (f *file) rowOf(q *query, method *ast.FuncDecl, results []*ast.Field) error {
	scan := f.call(method, "", "Scan")
	// A row is scanned by one call, into the addresses of its fields.
	if scan == nil || len(scan.Args) == 0 || len(results) != 2 {
		return errShape
	}
	for _, a := range scan.Args {
		place, ok := a.(*ast.UnaryExpr)
		if !ok || place.Op != token.AND {
			return fmt.Errorf("%w: it scans by %s", errShape, f.text(a.Pos(), a.End()))
		}
		q.scans = append(q.scans, f.text(place.X.Pos(), place.X.End()))
	}
	// All fields are of one variable, which is named before the first dot.
	q.variable, _, _ = strings.Cut(q.scans[0], ".")
	// If a query returns its own parameter type, sqlc scans into the parameter.
	q.row = strings.TrimPrefix(f.text(results[0].Type.Pos(), results[0].Type.End()), "[]")
	ast.Inspect(method.Body, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && len(v.Names) == 1 && v.Names[0].Name == q.variable {
			q.row = f.text(v.Type.Pos(), v.Type.End())
		}
		return true
	})
	return nil
}

// call finds the first call of one of some methods; of any value if on is empty.
func (f *file) call(method *ast.FuncDecl, on string, names ...string) *ast.CallExpr {
	var found *ast.CallExpr
	ast.Inspect(method.Body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || found != nil {
			return found == nil
		}
		s, ok := c.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, ok := s.X.(*ast.Ident)
		if !ok || on != "" && x.Name != on {
			return true
		}
		for _, name := range names {
			if s.Sel.Name == name {
				found = c
			}
		}
		return true
	})
	return found
}

// selected is the name of the method that a call selects.
func selected(c *ast.CallExpr) string {
	if s, ok := c.Fun.(*ast.SelectorExpr); ok {
		return s.Sel.Name
	}
	return ""
}

// queued is the method of Batch. With total, the column total is scanned into a separate variable.
func (q *query) queued(total bool) string {
	var (
		b    strings.Builder
		args = strings.Join(append([]string{constant(q.name)}, q.args...), ", ")
		list []string
	)
	if q.parameter != "" {
		list = append(list, q.parameter)
	}
	if q.row == "" {
		fmt.Fprintf(&b, "func (b *Batch) %s(%s) {\n\tb.Queue(%s)\n}", q.name, strings.Join(list, ", "), args)
		return b.String()
	}
	queue, into := "queueOne", "into **"+q.row
	if q.many {
		queue, into = "queueMany", "into *[]"+q.row
	}
	list = append(list, into)
	if total {
		list = append(list, "total *int64")
	}
	fmt.Fprintf(&b, "func (b *Batch) %s(%s) {\n", q.name, strings.Join(list, ", "))
	if total {
		b.WriteString("\t*total = 0\n")
	}
	fmt.Fprintf(&b, "\t%s(b, into, func(row *%s) []any {\n\t\treturn []any{%s}\n\t}, %s)\n}", queue, q.row, q.places(total), args)
	return b.String()
}

// places are the addresses of the fields of a row to which the caller has a pointer.
func (q *query) places(total bool) string {
	list := make([]string, len(q.scans))
	for i, s := range q.scans {
		switch {
		case s == q.variable:
			list[i] = "row"
		case total && s == q.variable+".Total":
			list[i] = "total"
		default:
			list[i] = "&row" + strings.TrimPrefix(s, q.variable)
		}
	}
	return strings.Join(list, ", ")
}
