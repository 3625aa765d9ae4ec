package main

import (
	"fmt"
	"os"
	"strconv"

	duckdb "github.com/duckdb/duckdb-go-bindings"

	"parley.dev/parley/cmd/parley-worker/table"
	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
)

const (
	// uploadDescriptor is where the node leaves the uploaded file open.
	uploadDescriptor = 3
	prepareMemory    = "512MiB"
	scratchDatabase  = "scratch.duckdb"
)

// prepareCSV reads the uploaded file and writes it as a database of one table.
func prepareCSV(db *database, q frame.CSV) (*frame.File, error) {
	upload := os.NewFile(uploadDescriptor, "upload")
	info, err := upload.Stat()
	if err != nil {
		return nil, fmt.Errorf("look at the upload: %w", err)
	}
	if info.Size() > q.Caps.Bytes {
		return nil, domain.Errorf(domain.CodeTooLarge, "The file is larger than %d MB.", q.Caps.Bytes>>20)
	}
	delimiter, err := table.Delimiter(q.Delimiter)
	if err != nil {
		return nil, err
	}
	reserved, err := reservedWords(db)
	if err != nil {
		return nil, err
	}
	file, err := table.Open(upload, table.Options{
		Delimiter: delimiter, Line: q.Caps.Line, Columns: q.Caps.Columns, Rows: q.Caps.Rows, Reserved: reserved,
	})
	if err != nil {
		return nil, err
	}
	name := table.Identifier(q.Title)
	if name == "" || reserved[name] {
		name = "data"
	}
	out := q.Out
	if out == "" {
		out = scratchDatabase
	}
	columns, err := write(db, file, name, out)
	if err != nil {
		return nil, err
	}
	return &frame.File{
		Delimiter: string(rune(file.Delimiter)), Encoding: file.Encoding, Table: name, Rows: file.Rows,
		Columns: columns, Preview: file.Preview, Description: describe(q.Title, file.Rows, columns),
	}, nil
}

// reservedWords asks the engine which names would need quotes.
func reservedWords(db *database) (map[string]bool, error) {
	rows, err := db.rows("SELECT keyword_name::VARCHAR FROM duckdb_keywords() WHERE keyword_category IN ('reserved', 'type_function')")
	if err != nil {
		return nil, fmt.Errorf("list reserved words: %w", err)
	}
	words := map[string]bool{}
	for _, row := range rows {
		words[row[0]] = true
	}
	return words, nil
}

// write makes the database, fills its table and measures the columns.
func write(db *database, file *table.File, name, out string) ([]frame.Column, error) {
	create := "CREATE TABLE work." + quoted(name) + " ("
	for i, c := range file.Columns {
		if i > 0 {
			create += ", "
		}
		create += quoted(c.Name) + " " + c.Kind.SQL()
	}
	for _, sql := range []string{
		"SET memory_limit = " + literal(prepareMemory),
		"SET temp_directory = 'spill'",
		"ATTACH " + literal(out) + " AS work",
		create + ")",
	} {
		if err := db.exec(sql); err != nil {
			return nil, fmt.Errorf("make the database: %w", err)
		}
	}
	if err := fill(db, file, name); err != nil {
		return nil, err
	}
	columns, err := measure(db, file, name)
	if err != nil {
		return nil, err
	}
	// One whole file without a log beside it is what queries can read.
	for _, sql := range []string{"CHECKPOINT work", "DETACH work"} {
		if err := db.exec(sql); err != nil {
			return nil, fmt.Errorf("finish the database: %w", err)
		}
	}
	return columns, nil
}

// fill is the second pass: it appends chunks of typed rows.
func fill(db *database, file *table.File, name string) error {
	var appender duckdb.Appender
	if duckdb.AppenderCreateExt(db.conn, "work", "main", name, &appender) == duckdb.StateError {
		return fmt.Errorf("append rows: %s", duckdb.AppenderError(appender))
	}
	defer duckdb.AppenderDestroy(&appender)
	c := newChunk(file.Columns)
	defer c.close()
	flush := func() error {
		duckdb.DataChunkSetSize(c.chunk, duckdb.IdxT(c.size)) //nolint:gosec // at most the vector size
		if duckdb.AppendDataChunk(appender, c.chunk) == duckdb.StateError {
			return fmt.Errorf("append rows: %s", duckdb.AppenderError(appender))
		}
		c.reset()
		return nil
	}
	err := file.Each(func(cells func(int) []byte) error {
		c.add(cells)
		if c.size == c.capacity {
			return flush()
		}
		return nil
	})
	if err != nil {
		return err
	}
	if c.size > 0 {
		if err := flush(); err != nil {
			return err
		}
	}
	if duckdb.AppenderClose(appender) == duckdb.StateError {
		return fmt.Errorf("append rows: %s", duckdb.AppenderError(appender))
	}
	return nil
}

const (
	// valuesMax is how many frequent values a text column shows, valueMax how long
	// each may be, and valuesBudget what all of them together may weigh: they go
	// into every list of the connector and into prompts.
	valuesMax    = 100
	valueMax     = 100
	valuesBudget = 256 << 10
	// exactRows is up to where distinct values are counted and not estimated.
	exactRows = 2_000_000
	edgeMax   = 100
)

// measure gives the columns their statistics, by the engine itself.
func measure(db *database, file *table.File, name string) ([]frame.Column, error) {
	columns := make([]frame.Column, len(file.Columns))
	budget := valuesBudget
	distinct := "count(DISTINCT %[1]s)"
	if file.Rows > exactRows {
		distinct = "approx_count_distinct(%[1]s)"
	}
	for i, c := range file.Columns {
		columns[i] = frame.Column{
			Name: c.Name, Title: c.Title, Note: c.Note, Type: string(c.Kind.Meaning()), DatabaseType: c.Kind.SQL(), Nulls: c.Nulls,
		}
		sql := fmt.Sprintf("SELECT "+distinct+"::VARCHAR, coalesce(min(%[1]s)::VARCHAR, ''), coalesce(max(%[1]s)::VARCHAR, '') FROM work.%[2]s", quoted(c.Name), quoted(name))
		rows, err := db.rows(sql)
		if err != nil {
			return nil, fmt.Errorf("measure a column: %w", err)
		}
		if columns[i].Distinct, err = strconv.ParseInt(rows[0][0], 10, 64); err != nil {
			return nil, fmt.Errorf("measure a column: %w", err)
		}
		columns[i].Min, columns[i].Max = domain.Shorten(rows[0][1], edgeMax), domain.Shorten(rows[0][2], edgeMax)
		if c.Kind.Type != table.Varchar || budget <= 0 {
			continue
		}
		sql = fmt.Sprintf("SELECT v FROM (SELECT %[1]s AS v, count(*) AS n FROM work.%[2]s WHERE %[1]s IS NOT NULL AND length(%[1]s) <= %[3]d GROUP BY v) ORDER BY n DESC, v LIMIT %[4]d", quoted(c.Name), quoted(name), valueMax, valuesMax)
		if rows, err = db.rows(sql); err != nil {
			return nil, fmt.Errorf("list frequent values: %w", err)
		}
		for _, row := range rows {
			if budget -= len(row[0]); budget > 0 {
				columns[i].Values = append(columns[i].Values, row[0])
			}
		}
	}
	return columns, nil
}
