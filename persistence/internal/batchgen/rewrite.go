package main

// Changes of sqlc's output, as edits of its source text. The syntax tree only says where to edit.

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// edit replaces a part of a file by text.
type edit struct {
	from, to int
	text     string
}

// file is one of sqlc's files while it is being changed.
type file struct {
	source []byte
	set    *token.FileSet
	tree   *ast.File
	edits  []edit
}

// rewrite changes the queries in one of sqlc's files as their marks say. Each step starts
// from the output of the step before.
// A later step needs the positions of the file as the earlier one has left it, so each one parses
// it again.
func rewrite(source []byte, all *asked) ([]byte, error) {
	for _, step := range []func(*file) error{
		func(f *file) error { return f.rows(all) },
		(*file).methods,
		(*file).dropImports,
	} {
		f, err := parse(source)
		if err != nil {
			return nil, err
		}
		if err := step(f); err != nil {
			return nil, err
		}
		if source, err = f.applied(); err != nil {
			return nil, err
		}
	}
	return source, nil
}

// parse reads one file with its comments, which carry the marks.
func parse(source []byte) (*file, error) {
	f := &file{source: source, set: token.NewFileSet()}
	var err error
	if f.tree, err = parser.ParseFile(f.set, "", source, parser.ParseComments); err != nil {
		return nil, fmt.Errorf("parse: %w", err)
	}
	return f, nil
}

// text returns a part of the file.
func (f *file) text(from, to token.Pos) string {
	return string(f.source[f.set.Position(from).Offset:f.set.Position(to).Offset])
}

// replace notes an edit. Edits of one step must not overlap.
func (f *file) replace(from, to token.Pos, text string) {
	f.edits = append(f.edits, edit{f.set.Position(from).Offset, f.set.Position(to).Offset, text})
}

// applied returns the file with its edits.
func (f *file) applied() ([]byte, error) {
	// The edits are applied from the beginning to the end, so the positions stay those of the
	// source.
	slices.SortFunc(f.edits, func(a, b edit) int { return a.from - b.from })
	var out bytes.Buffer
	at := 0
	for _, e := range f.edits {
		out.Write(f.source[at:e.from])
		out.WriteString(e.text)
		at = e.to
	}
	out.Write(f.source[at:])
	source, err := format.Source(out.Bytes())
	if err != nil {
		return nil, fmt.Errorf("format: %w", err)
	}
	return source, nil
}

// methods changes the methods of marked queries.
func (f *file) methods() error {
	for _, d := range f.tree.Decls {
		method, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		if err := f.method(method); err != nil {
			return fmt.Errorf("%s: %w", method.Name.Name, err)
		}
	}
	return nil
}

// method replaces the method of a marked query by what the marks ask for.
func (f *file) method(method *ast.FuncDecl) error {
	m, doc, err := marksOf(method.Doc)
	if err != nil || m == (marks{}) {
		return err
	}
	name, text := method.Name.Name, ""
	switch {
	case m.text:
		text = fmt.Sprintf("%s// %sSQL is for a caller that binds and scans by itself.\nconst %sSQL = %s", doc, name, name, constant(name))
	case m.batch:
		q, err := f.queryOf(method)
		if err != nil {
			return err
		}
		text = doc + q.queued(m.total) + "\n\n"
	}
	// A query with the mark batch keeps its method only if it is called alone as well.
	if m.call || !m.batch && !m.text {
		text += doc + f.text(method.Pos(), method.End())
	}
	f.replace(method.Doc.Pos(), method.End(), text)
	return nil
}

// constant is the name that sqlc gives a query's text.
func constant(query string) string { return strings.ToLower(query[:1]) + query[1:] }

// dropImports removes the imports that only the removed methods have used.
func (f *file) dropImports() error {
	used := make(map[string]bool)
	ast.Inspect(f.tree, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				used[x.Name] = true
			}
		}
		return true
	})
	kept := 0
	for _, i := range f.tree.Imports {
		if used[packageName(i)] {
			kept++
		}
	}
	for _, d := range f.tree.Decls {
		imports, ok := d.(*ast.GenDecl)
		if !ok || imports.Tok != token.IMPORT {
			continue
		}
		// Without any imports the declaration itself would be left over.
		if kept == 0 {
			f.replace(imports.Pos(), imports.End(), "")
			continue
		}
		for _, s := range imports.Specs {
			if i, ok := s.(*ast.ImportSpec); ok && !used[packageName(i)] {
				f.replace(i.Pos(), i.End(), "")
			}
		}
	}
	return nil
}

// packageName is the name by which a file refers to a package that it imports.
func packageName(i *ast.ImportSpec) string {
	if i.Name != nil {
		return i.Name.Name
	}
	path, err := strconv.Unquote(i.Path.Value)
	if err != nil {
		return ""
	}
	parts := strings.Split(path, "/")
	name := parts[len(parts)-1]
	// The last part of a path may be a major version.
	if len(parts) > 1 && len(name) > 1 && name[0] == 'v' && strings.Trim(name[1:], "0123456789") == "" {
		name = parts[len(parts)-2]
	}
	return name
}
