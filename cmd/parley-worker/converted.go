package main

// Tables that a converter has written as CSV or Parquet files, such as those of a Tableau extract.
// The converter is another program; its files are read here with the same limits as uploads.

import (
	"fmt"
	"os"
	"strconv"

	"parley.dev/parley/cmd/parley-worker/table"
	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/sqltext"
)

// prepareTables makes a database of the tables that a converter wrote. It finds the types in the values, as for
// any other upload, so that a table is read in the same way for every kind of file.
func prepareTables(db *database, q frame.Tables) (*frame.File, error) {
	reserved, err := reservedWords(db)
	if err != nil {
		return nil, err
	}
	tables := make([]namedTable, 0, len(q.Tables))
	// The caps are for all tables of the file together, so each table takes its part.
	rows, bytes := q.Caps.Rows, q.Caps.Bytes
	for i, t := range q.Tables {
		path, delimiter := t.File, byte(0)
		// Parquet has types of its own, but the types of a table are found in its values, as for
		// CSV.
		if t.Format == "parquet" {
			if path, err = unpackParquet(db, t.File, i); err != nil {
				return nil, err
			}
			delimiter = ','
		}
		upload, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("open a table: %w", err)
		}
		info, err := upload.Stat()
		if err != nil {
			return nil, fmt.Errorf("look at a table: %w", err)
		}
		// The size is checked before the file is read.
		if bytes -= info.Size(); bytes < 0 {
			return nil, domain.Errorf(domain.CodeTooLarge, "The tables of the file are larger than %d MB.", q.Caps.Bytes>>20)
		}
		// An empty file has no header, so it is no table.
		if info.Size() == 0 {
			continue
		}
		file, err := table.Open(upload, table.Options{
			Delimiter: delimiter, Line: q.Caps.Line, Columns: q.Caps.Columns, Rows: rows,
			Reserved: reserved,
		})
		if err != nil {
			return nil, fmt.Errorf("read a table: %w", err)
		}
		rows -= file.Rows
		tables = append(tables, namedTable{title: sheetTitle(t.Title), file: file})
	}
	if len(tables) == 1 {
		tables[0].title = q.Title // a Tableau extract with one table always calls it Extract
	}
	return writeFile(db, q.Title, q.Out, tables, reserved, "The file holds no table.")
}

// unpackParquet writes a Parquet table as a CSV file in the worker's folder and returns its path.
func unpackParquet(db *database, path string, number int) (string, error) {
	out := "unpacked-" + strconv.Itoa(number) + ".csv"
	for _, sql := range []string{
		// A conversion may use more memory than a query.
		"SET memory_limit = " + sqltext.QuoteText(prepareMemory),
		"COPY (SELECT * FROM read_parquet(" + sqltext.QuoteText(path) + ")) TO " + sqltext.QuoteText(out) +
			" (FORMAT csv, HEADER true, DELIMITER ',')",
	} {
		if err := db.exec(sql); err != nil {
			return "", fmt.Errorf("read a table: %w", err)
		}
	}
	return out, nil
}
