package main

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"strings"
)

// rowTypes are the fields of the types that several queries share, as source text.
type rowTypes map[string]string

// asked collects what the queries of all files ask for.
type asked struct {
	rows  rowTypes
	pairs []pair
}

// rows changes the row types of marked queries: it removes the total from them, and
// replaces their own type by the type that queries share.
func (f *file) rows(all *asked) error {
	renamed := make(map[string]string)
	for _, d := range f.tree.Decls {
		method, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		m, _, err := marksOf(method.Doc)
		if err != nil {
			return fmt.Errorf("%s: %w", method.Name.Name, err)
		}
		// sqlc names the row of a query by the query.
		own := method.Name.Name + "Row"
		// The functions that copy fields are written when all files have been read, since they may
		// use rows of other files.
		if m.from != "" {
			all.pairs = append(all.pairs, pair{noun: m.from, params: method.Name.Name + "Params"})
		}
		if m.into != "" {
			all.pairs = append(all.pairs, pair{noun: m.into, row: cmp.Or(m.row, own)})
		}
		if !m.total && m.row == "" {
			continue
		}
		// A query whose row is a table's type has none of its own, and nothing can be changed in
		// it.
		decl, fields := f.structOf(own)
		if decl == nil {
			return fmt.Errorf("%s has no row of its own", method.Name.Name)
		}
		var kept []string
		for _, field := range fields {
			name := field.Names[0].Name
			if m.total && name == "Total" {
				// The total is scanned into a variable of its own, so it must not be in the rows.
				continue
			}
			kept = append(kept, name+" "+f.text(field.Type.Pos(), field.Type.End()))
		}
		if m.total && len(kept) == len(fields) {
			return fmt.Errorf("%s has no column total", method.Name.Name)
		}
		text, name := strings.Join(kept, "\n"), own
		if m.row != "" {
			name = m.row
			renamed[own] = name
			// The first query with a shared row declares it; the others must have the same columns
			// and lose their own type.
			if known, ok := all.rows[name]; ok {
				if known != text {
					return fmt.Errorf("%s: its columns are not those of %s:\n%s\n\nbut\n%s", method.Name.Name, name, text, known)
				}
				f.replace(decl.Pos(), decl.End(), "")
				continue
			}
			all.rows[name] = text
		}
		f.replace(decl.Pos(), decl.End(), fmt.Sprintf("type %s struct {\n%s\n}", name, text))
	}
	// The uses of the old names are replaced as well.
	ast.Inspect(f.tree, func(n ast.Node) bool {
		if decl, ok := n.(*ast.GenDecl); ok && decl.Tok == token.TYPE {
			return false // type declarations are already changed above
		}
		if i, ok := n.(*ast.Ident); ok && renamed[i.Name] != "" {
			f.replace(i.Pos(), i.End(), renamed[i.Name])
		}
		return true
	})
	return nil
}

// structOf finds the declaration of a struct.
func (f *file) structOf(name string) (*ast.GenDecl, []*ast.Field) {
	for _, d := range f.tree.Decls {
		decl, ok := d.(*ast.GenDecl)
		if !ok || decl.Tok != token.TYPE || len(decl.Specs) != 1 {
			continue
		}
		spec, ok := decl.Specs[0].(*ast.TypeSpec)
		if !ok || spec.Name.Name != name {
			continue
		}
		if s, ok := spec.Type.(*ast.StructType); ok {
			return decl, s.Fields.List
		}
	}
	return nil, nil
}
