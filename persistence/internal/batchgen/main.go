// Command batchgen changes what sqlc wrote, so that reads that go in one round trip
// are checked by the compiler. It runs after sqlc, by `make generate`:
//
//	batchgen FOLDER DOMAIN
//
// Marks in a query's comment, on a line below its name, say what is made of it:
//
//	(none)      a method of Queries, as sqlc has it
//	@batch      a method of Batch, which queues it; none of Queries
//	@call       with @batch: the method of Queries as well
//	@text       its text alone, exported: the caller binds and scans
//	@row:Name   its row is a Name; all queries that say so must have the same columns
//	@total      its column total, the same in each row, goes to a place of its own
//	@from:Noun  a function makes its parameters of domain's Noun
//	@into:Noun  a function makes domain's Noun of its row
//
// The types of parameters and rows, the order of the parameters and the fields that are
// scanned are those of sqlc's own method; what does not look like sqlc's is an error.
//
// The functions of @from and @into copy the fields that have one name on both sides and
// types that can be converted without a decision, and say which ones they leave to their
// caller. So a column and a field of domain with its name need no line in between.
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

// run changes all of sqlc's files in a folder; nouns is the folder of domain.
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
