// Command releasegen writes down what a release expects of the database, so that later migrations
// are tried against it (persistence/release_test.go). `make release/schema` runs it when a release
// is made:
//
//	releasegen DBSQLC MIGRATIONS FOLDER VERSION
//
// It writes three files into FOLDER: statements.sql has every generated statement, migrations.sum
// the name and the hash of every migration, and version the release's name.
package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// marker begins each statement of sqlc.
const marker = "-- name: "

func main() {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "usage: releasegen DBSQLC MIGRATIONS FOLDER VERSION")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		fmt.Fprintln(os.Stderr, "releasegen:", err)
		os.Exit(1)
	}
}

func run(generated, migrations, folder, version string) error {
	statements, err := statementsOf(generated)
	if err != nil {
		return err
	}
	sums, err := sumsOf(migrations)
	if err != nil {
		return err
	}
	for name, body := range map[string][]byte{
		"statements.sql": statements, "migrations.sum": sums, "version": []byte(version + "\n"),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), body, 0o644); err != nil { //nolint:gosec // a file of the repository
			return fmt.Errorf("write: %w", err)
		}
	}
	return nil
}

// statementsOf collects the statements of sqlc's files, in their order. A statement is a constant
// whose text begins with the marker.
func statementsOf(folder string) ([]byte, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.sql.go"))
	if err != nil {
		return nil, fmt.Errorf("list the files of sqlc: %w", err)
	}
	var out bytes.Buffer
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("parse: %w", err)
		}
		for _, d := range f.Decls {
			for _, text := range constantsOf(d) {
				if strings.HasPrefix(text, marker) {
					out.WriteString(strings.TrimSpace(text) + "\n\n")
				}
			}
		}
	}
	if out.Len() == 0 {
		return nil, errors.New(folder + " holds no statement of sqlc")
	}
	return out.Bytes(), nil
}

// constantsOf returns the values of the text constants of a declaration.
func constantsOf(d ast.Decl) []string {
	g, ok := d.(*ast.GenDecl)
	if !ok || g.Tok != token.CONST {
		return nil
	}
	var texts []string
	for _, s := range g.Specs {
		v, ok := s.(*ast.ValueSpec)
		if !ok {
			continue
		}
		for _, x := range v.Values {
			literal, ok := x.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				continue
			}
			if text, err := strconv.Unquote(literal.Value); err == nil {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// sumsOf writes a line for each migration, like sha256sum.
func sumsOf(folder string) ([]byte, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.sql"))
	if err != nil {
		return nil, fmt.Errorf("list the migrations: %w", err)
	}
	if len(files) == 0 {
		return nil, errors.New(folder + " holds no migration")
	}
	var out bytes.Buffer
	for _, name := range files {
		body, err := os.ReadFile(name) //nolint:gosec // a folder of the repository
		if err != nil {
			return nil, fmt.Errorf("read: %w", err)
		}
		fmt.Fprintf(&out, "%x  %s\n", sha256.Sum256(body), filepath.Base(name))
	}
	return out.Bytes(), nil
}
