// Command batchgen changes the files that sqlc has written, so that the compiler checks
// reads that share a round trip. `make generate` runs it after sqlc:
//
//	batchgen FOLDER DOMAIN
//
// Marks in a query's comment, on a line below its name, say what is generated for it:
//
//	(none)      a method of Queries, as sqlc writes it
//	@batch      a method of Batch, which queues it, and no method of Queries
//	@call       with @batch: also the method of Queries
//	@text       only its text, exported: the caller binds and scans
//	@row:Name   its row type is Name; all queries with this mark must have the same columns
//	@total      its column total, the same in each row, is scanned into a separate variable
//	@from:Noun  a function makes its parameters from domain's Noun
//	@into:Noun  a function makes domain's Noun from its row
//
// The types of parameters and rows, the order of the parameters and the fields that are
// scanned are taken from sqlc's own method; code that does not look like sqlc's is an error.
//
// The functions of @from and @into copy the fields that have the same name on both sides
// and types that can be converted without a decision, and their comments name the fields
// that they leave to their caller. So a column and a field of domain with the same name
// need no code between them.
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: batchgen FOLDER DOMAIN")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "batchgen:", err)
		os.Exit(1)
	}
}

// run changes all files of sqlc in a folder; nouns is the folder of domain.
func run(folder, nouns string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.sql.go"))
	if err != nil {
		return fmt.Errorf("list the files of sqlc: %w", err)
	}
	if len(files) == 0 {
		return fmt.Errorf("%s holds no file of sqlc", folder)
	}
	shared := &asked{rows: make(rowTypes)}
	for _, name := range files {
		source, err := os.ReadFile(name) //nolint:gosec // a folder of the repository
		if err != nil {
			return fmt.Errorf("read: %w", err)
		}
		if source, err = rewrite(source, shared); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(name), err)
		}
		if err := os.WriteFile(name, source, 0o644); err != nil { //nolint:gosec // source code
			return fmt.Errorf("write: %w", err)
		}
	}
	return writeCopies(folder, nouns, shared.pairs)
}
