package main

// The preparation of an upload: its rows are written into a database of DuckDB, which queries later
// attach read-only. The database is made in one go and never changed; another reading of the file
// makes another database.

import (
	"fmt"
	"os"
	"strconv"

	duckdb "github.com/duckdb/duckdb-go-bindings"

	"parley.dev/parley/cmd/parley-worker/table"
	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/sqltext"
)

const (
	// uploadDescriptor is the file descriptor of the uploaded file, which the node has opened.
	uploadDescriptor = 3
	prepareMemory    = "512MiB"
	scratchDatabase  = "scratch.duckdb"
)

// openUpload returns the uploaded file, which the node has opened, and its size. It refuses a file of more than
// limit bytes.
func openUpload(limit int64) (*os.File, int64, error) {
	upload := os.NewFile(uploadDescriptor, "upload")
	info, err := upload.Stat()
	if err != nil {
		return nil, 0, fmt.Errorf("look at the upload: %w", err)
	}
	if info.Size() > limit {
		return nil, 0, domain.Errorf(domain.CodeTooLarge, "The file is larger than %d MB.", limit>>20)
	}
	return upload, info.Size(), nil
}

// prepareCSV reads the uploaded file and writes it as a database of one table.
func prepareCSV(db *database, q frame.CSV) (*frame.File, error) {
	upload, _, err := openUpload(q.Caps.Bytes)
	if err != nil {
		return nil, err
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
	tables, err := write(db, []namedTable{{title: q.Title, file: file}}, reserved, q.Out)
	if err != nil {
		return nil, err
	}
	return &frame.File{
		// The name of the encoding is known only after the first pass.
		Delimiter: string(rune(file.Delimiter)), Encoding: file.Encoding, Description: tables[0].Description, Tables: tables,
	}, nil
}

// reservedWords returns the words that the engine does not accept as names without quotes.
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

// namedTable is a table that is to be written to the database.
type namedTable struct {
	title string
	file  *table.File
}

// write creates the database file out, fills its tables and measures their columns. If out is empty, the caller
// does not keep the database, and it is written to a file of the worker's folder.
func write(db *database, tables []namedTable, reserved map[string]bool, out string) ([]frame.Table, error) {
	if out == "" {
		out = scratchDatabase
	}
	widest := 0
	for _, t := range tables {
		widest = max(widest, len(t.file.Columns))
	}
	for _, sql := range []string{
		"SET memory_limit = " + sqltext.QuoteText(prepareMemory),
		"SET temp_directory = 'spill'",
		fmt.Sprintf("ATTACH %s AS work (ROW_GROUP_SIZE %d, BLOCK_SIZE %d)", sqltext.QuoteText(out), rowGroup(widest), blockSize(widest)),
	} {
		if err := db.exec(sql); err != nil {
			return nil, fmt.Errorf("make the database: %w", err)
		}
	}
	made := make([]frame.Table, 0, len(tables))
	taken := map[string]bool{}
	budget := valuesBudget
	for _, t := range tables {
		name := tableName(t.title, reserved, taken)
		columns, err := writeTable(db, t.file, name, &budget)
		if err != nil {
			return nil, err
		}
		made = append(made, frame.Table{
			Title: t.title, Name: name, Columns: columns, Rows: t.file.Rows, Preview: t.file.Preview,
			Description: describe(t.title, t.file, columns),
		})
	}
	// Queries can only read a database that is one complete file, without a write-ahead log next to it.
	for _, sql := range []string{"CHECKPOINT work", "DETACH work"} {
		if err := db.exec(sql); err != nil {
			return nil, fmt.Errorf("finish the database: %w", err)
		}
	}
	return made, nil
}

// tableName converts a title to a name for SQL that no other table of the file has.
func tableName(title string, reserved, taken map[string]bool) string {
	base := table.Identifier(title)
	// A name without letters and digits, or one that is reserved, gets another one.
	if base == "" || reserved[base] {
		base = "data"
	}
	name := base
	for n := 2; taken[name]; n++ {
		name = base + "_" + strconv.Itoa(n)
	}
	taken[name] = true
	return name
}

// writeTable creates one table, fills it and measures its columns.
func writeTable(db *database, file *table.File, name string, budget *int) ([]frame.Column, error) {
	create := "CREATE TABLE work." + sqltext.QuoteName(name) + " ("
	for i, c := range file.Columns {
		if i > 0 {
			create += ", "
		}
		create += sqltext.QuoteName(c.Name) + " " + c.Kind.SQL()
	}
	// A table that could not be filled is never visible.
	for _, sql := range []string{"BEGIN", create + ")"} {
		if err := db.exec(sql); err != nil {
			return nil, fmt.Errorf("make a table: %w", err)
		}
	}
	if err := fill(db, file, name); err != nil {
		return nil, err
	}
	if err := db.exec("COMMIT"); err != nil {
		return nil, fmt.Errorf("make a table: %w", err)
	}
	// The statistics are read from the table, not from the file.
	return measure(db, file, name, budget)
}

const (
	// groupBytes is the approximate size of a row group before compression, with cellBytes for each cell. The
	// engine holds several groups in memory, so the groups of wide tables have fewer rows.
	groupBytes = 64 << 20
	cellBytes  = 16
	// fullGroup is the engine's default number of rows in a group, and the maximum here.
	fullGroup = 122_880
	// flushCells is the number of cells in the appender's memory at which it is flushed.
	flushCells = 2_000_000
	// wideTable is the number of columns above which a table gets small blocks.
	wideTable = 100
)

// rowGroup returns the number of rows of a group: a multiple of the engine's vector size.
func rowGroup(columns int) int {
	batch := int(duckdb.VectorSize()) //nolint:gosec // 2048
	// The number of rows is a multiple of the vector size, as the engine requires.
	rows := groupBytes / cellBytes / columns / batch * batch
	return min(max(rows, batch), fullGroup)
}

// blockSize returns the size of a block, which is 256 kB by default. Every column of a group that is being written
// holds at least one block in memory, so wide tables get smaller blocks.
func blockSize(columns int) int {
	if columns > wideTable {
		return 16 << 10
	}
	return 256 << 10
}

// fill is the second pass over the file: it appends the typed rows to the table in chunks.
func fill(db *database, file *table.File, name string) error {
	var appender duckdb.Appender
	if duckdb.AppenderCreateExt(db.conn, "work", "main", name, &appender) == duckdb.StateError {
		return &engineError{duckdb.AppenderError(appender)}
	}
	defer duckdb.AppenderDestroy(&appender)
	c := newChunk(file.Columns)
	defer c.close()
	waiting := 0
	// A chunk is handed over when it is full; the appender collects several.
	flush := func() error {
		duckdb.DataChunkSetSize(c.chunk, duckdb.IdxT(c.size)) //nolint:gosec // at most the vector size
		if duckdb.AppendDataChunk(appender, c.chunk) == duckdb.StateError {
			return &engineError{duckdb.AppenderError(appender)}
		}
		// The memory of the appender grows with the cells, so wide tables are flushed more often.
		waiting += c.size * len(file.Columns)
		c.reset()
		if waiting < flushCells {
			return nil
		}
		waiting = 0
		if duckdb.AppenderFlush(appender) == duckdb.StateError {
			return &engineError{duckdb.AppenderError(appender)}
		}
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
	// The last chunk is seldom full.
	if c.size > 0 {
		if err := flush(); err != nil {
			return err
		}
	}
	// Closing writes the rest, so its error counts like those of the others.
	if duckdb.AppenderClose(appender) == duckdb.StateError {
		return &engineError{duckdb.AppenderError(appender)}
	}
	return nil
}
