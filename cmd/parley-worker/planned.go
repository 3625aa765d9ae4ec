package main

// The plan of a statement that a remote database runs. That database's own plan is made for its execution: joins and
// aggregates are moved, split and renamed in it. So the statement is bound here, over empty tables with the same names and
// columns, and judged as those over files are. What this engine cannot bind stays unchecked.

import (
	"fmt"
	"os"
	"strings"
	"time"

	duckdb "github.com/duckdb/duckdb-go-bindings"

	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/sqltext"
)

// remoteFunctions are functions of Postgres that DuckDB lacks, as macros. Only the columns that a value is made of matter to
// a plan that is not run.
func remoteFunctions() []string {
	return []string{
		"to_char(a, b) AS concat(a, b)",
		"to_date(a, b) AS CAST(concat(a, b) AS DATE)",
		"to_timestamp(a, b) AS CAST(concat(a, b) AS TIMESTAMP)",
		"to_number(a, b) AS CAST(concat(a, b) AS DOUBLE)",
		"initcap(a) AS upper(a)",
		"btrim(a) AS trim(a)",
		"width_bucket(a, b, c, d) AS CAST(a + b + c + d AS INTEGER)",
	}
}

// planOverEmpty returns the bound plan of a statement over empty tables. Nothing is executed but the making of the tables.
func planOverEmpty(db *database, p *frame.Plan) (*frame.Planned, error) {
	deadline := time.AfterFunc(time.Duration(p.Millis)*time.Millisecond, func() { duckdb.Interrupt(db.conn) })
	defer deadline.Stop()

	// Two columns of a remote table can have names that differ in case only, which this engine refuses.
	if err := makeEmpty(db, p); err != nil {
		fmt.Fprintln(os.Stderr, "empty tables of a remote database:", err)
		return &frame.Planned{Missing: "its tables cannot be copied here"}, nil
	}
	if err := lock(db); err != nil {
		return nil, err
	}
	if strings.IndexByte(p.SQL, 0) >= 0 {
		return nil, domain.Errorf(domain.CodeInvalid, "The query holds a NUL character.")
	}
	known := tables{views: map[string]bool{}, aliases: map[string]map[string]bool{}}
	for _, t := range p.Tables {
		known.views[strings.ToLower(t.Name)] = true
	}
	var extracted duckdb.ExtractedStatements
	defer func() { duckdb.DestroyExtracted(&extracted) }()
	// The database has accepted the statement, so an error here is a difference between the two dialects.
	if duckdb.ExtractStatements(db.conn, p.SQL, &extracted) != 1 || guard(db, p.SQL, known) != nil {
		return &frame.Planned{Missing: "it cannot be read here"}, nil
	}
	plan, missing := planOf(db, p.SQL, p.Bytes)
	return &frame.Planned{Plan: plan, Missing: missing}, nil
}

// makeEmpty makes the tables, and lets statements use them as the remote database does: by the names of its schemas and
// without them.
func makeEmpty(db *database, p *frame.Plan) error {
	statements := []string{"ATTACH ':memory:' AS " + sqltext.QuoteName(p.Alias)}
	path := make([]string, len(p.Schemas))
	for i, s := range p.Schemas {
		name := sqltext.QuoteName(p.Alias) + "." + sqltext.QuoteName(s)
		path[i] = name
		statements = append(statements, "CREATE SCHEMA IF NOT EXISTS "+name)
	}
	for _, t := range p.Tables {
		columns := make([]string, len(t.Columns))
		for i, c := range t.Columns {
			columns[i] = sqltext.QuoteName(c.Name) + " " + engineType(domain.ColumnType(c.Type))
		}
		statements = append(statements, fmt.Sprintf("CREATE TABLE %s.%s.%s (%s)",
			sqltext.QuoteName(p.Alias), sqltext.QuoteName(t.Schema), sqltext.QuoteName(t.Name), strings.Join(columns, ", ")))
	}
	for _, f := range remoteFunctions() {
		statements = append(statements, "CREATE TEMP MACRO "+f)
	}
	statements = append(statements, "SET search_path = "+sqltext.QuoteText(strings.Join(path, ",")))
	for _, sql := range statements {
		if err := db.exec(sql); err != nil {
			return err
		}
	}
	return nil
}

// engineType is the type of a column of an empty table.
func engineType(t domain.ColumnType) string {
	switch t {
	case domain.ColumnInteger:
		return "BIGINT"
	case domain.ColumnNumber:
		return "DOUBLE"
	case domain.ColumnBoolean:
		return "BOOLEAN"
	case domain.ColumnDate:
		return "DATE"
	case domain.ColumnTime:
		return "TIMESTAMP"
	case domain.ColumnText:
	}
	return "VARCHAR"
}
