package main

// A query: one SELECT statement over databases that are opened read-only. What a person or a model
// writes is never executed before the engine has lost its access to files and its settings are
// locked (docs/adr/0005).

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	duckdb "github.com/duckdb/duckdb-go-bindings"

	judging "parley.dev/parley/analyst/guard"
	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/sqltext"
)

// query runs the one statement of a request. The order matters: the databases are attached while the engine may
// still open files, then the engine is locked, and only then is the statement parsed.
func query(db *database, q frame.Query) (*frame.Result, error) {
	// The deadline includes the attaching, because a node waits for all of it.
	started := time.Now()
	deadline := time.AfterFunc(time.Duration(q.Millis)*time.Millisecond, func() { duckdb.Interrupt(db.conn) })
	defer deadline.Stop()

	known, err := attach(db, q.Databases)
	if err != nil {
		return nil, err
	}
	if err := lock(db); err != nil {
		return nil, err
	}
	result, err := selected(db, known, q.SQL, q.Caps, q.Plan)
	if err != nil {
		return nil, err
	}
	// The answer is complete already, so what goes wrong with its control takes nothing away from it.
	if q.Control == "" && q.Derive && len(result.Plan) > 0 {
		// The node derives the same from the same plan, and knows by it what the control says.
		q.Control = judging.Derive(result.Plan).Control
	}
	if q.Control != "" {
		result.Control = control(db, known, q)
	}
	result.Micros = time.Since(started).Microseconds()
	return result, nil
}

// control runs the control of a query within its own time; nil if it fails or takes longer.
func control(db *database, known tables, q frame.Query) *frame.Result {
	limit := time.AfterFunc(time.Duration(q.ControlMillis)*time.Millisecond, func() { duckdb.Interrupt(db.conn) })
	defer limit.Stop()
	caps := q.Caps
	caps.Rows = controlRows
	result, err := selected(db, known, q.Control, caps, 0)
	if err != nil {
		// The node counts it as not checked; the reason is for its log.
		fmt.Fprintln(os.Stderr, "the control of a query failed:", err)
		return nil
	}
	return result
}

// controlRows is how many rows of a control are read.
const controlRows = 10

// selected checks one SELECT and runs it. planMax is the maximum size of its plan; 0 for no plan.
func selected(db *database, known tables, sql string, caps frame.Caps, planMax int) (*frame.Result, error) {
	// DuckDB takes the text as a C string, which would end there, so another statement would be
	// checked than the one that was sent.
	if strings.IndexByte(sql, 0) >= 0 {
		return nil, domain.Errorf(domain.CodeInvalid, "The query holds a NUL character.")
	}
	var extracted duckdb.ExtractedStatements
	defer func() { duckdb.DestroyExtracted(&extracted) }()
	// The statements are parsed and not yet bound, so nothing is executed by it.
	switch count := duckdb.ExtractStatements(db.conn, sql, &extracted); {
	case count == 0:
		if message := duckdb.ExtractStatementsError(extracted); message != "" {
			return nil, &engineError{message}
		}
		return nil, domain.Errorf(domain.CodeInvalid, "The query is empty.")
	case count > 1:
		return nil, domain.Errorf(domain.CodeInvalid, "Only one statement is allowed, %d were given.", count)
	}
	// guard checks the names that the statement uses, before the engine resolves them.
	if err := guard(db, sql, known); err != nil {
		return nil, err
	}
	var statement duckdb.PreparedStatement
	defer duckdb.DestroyPrepare(&statement)
	if duckdb.PrepareExtractedStatement(db.conn, extracted, 0, &statement) == duckdb.StateError {
		return nil, &engineError{duckdb.PrepareError(statement)}
	}
	// The type is checked after the preparation, when the engine itself says what the statement is.
	if duckdb.PreparedStatementType(statement) != duckdb.StatementTypeSelect {
		return nil, onlySelect()
	}
	if duckdb.NParams(statement) > 0 {
		return nil, domain.Errorf(domain.CodeInvalid, "The query has parameters; write the values into it.")
	}
	var plan json.RawMessage
	var unplanned string
	// The plan is made before the statement runs, so that it has the same deadline.
	if planMax > 0 {
		plan, unplanned = planOf(db, sql, planMax)
	}
	result, err := collect(statement, caps)
	if err != nil {
		return nil, err
	}
	result.Plan, result.Unplanned = plan, unplanned
	return result, nil
}

// onlySelect is the error for every other statement.
func onlySelect() error {
	return domain.Errorf(domain.CodeInvalid, "Only a SELECT statement is allowed.")
}

// attach opens the databases read-only and creates views with the short names that a statement may use. It returns
// the names of the data.
func attach(db *database, databases []frame.Database) (tables, error) {
	known := tables{views: map[string]bool{}, aliases: map[string]map[string]bool{}}
	for _, d := range databases {
		// The error of the engine may contain a path, so it is only in the cause.
		if err := db.exec(fmt.Sprintf("ATTACH %s AS %s (READ_ONLY)", sqltext.QuoteText(d.File), sqltext.QuoteName(d.Alias))); err != nil {
			return tables{}, domain.Errorf(domain.CodeUnavailable, "The data of a connector cannot be read. Upload its file again.").WithCause(err)
		}
		of := map[string]bool{}
		known.aliases[strings.ToLower(d.Alias)] = of
		for _, v := range d.Views {
			// Names are compared as the engine does, without regard to case.
			of[strings.ToLower(v.Table)] = true
			if v.Name == "" {
				continue
			}
			known.views[strings.ToLower(v.Name)] = true
			// A view lets a statement use a table by its short name, without the name of its
			// database.
			sql := fmt.Sprintf("CREATE VIEW %s AS FROM %s.main.%s",
				sqltext.QuoteName(v.Name), sqltext.QuoteName(d.Alias), sqltext.QuoteName(v.Table))
			if err := db.exec(sql); err != nil {
				return tables{}, domain.Errorf(domain.CodeUnavailable, "The data of a connector cannot be read. Upload its file again.").WithCause(err)
			}
		}
	}
	return known, nil
}

// lock denies the engine access to files and hosts, locks its settings, and reads every setting back: a setting
// that had no effect would be a missing part of the sandbox.
func lock(db *database) error {
	// The order is required: once the configuration is locked, nothing can be changed any more.
	for _, sql := range []string{
		"SET enable_external_access = false",
		"SET lock_configuration = true",
	} {
		if err := db.exec(sql); err != nil {
			return fmt.Errorf("lock the engine: %w", err)
		}
	}
	found, err := db.rows("SELECT name::VARCHAR, value::VARCHAR FROM duckdb_settings()")
	if err != nil {
		return fmt.Errorf("read settings back: %w", err)
	}
	values := map[string]string{}
	for _, row := range found {
		values[row[0]] = row[1]
	}
	// The settings of the start are compared as well.
	want := append(startSettings(), [2]string{"enable_external_access", "false"}, [2]string{"lock_configuration", "true"})
	for _, s := range want {
		got := values[s[0]]
		// The engine writes the limit as 256.0 MiB and reads it as 256MiB.
		if s[0] == "memory_limit" {
			got = strings.ReplaceAll(strings.ReplaceAll(got, ".0 ", ""), " ", "")
		}
		if got != s[1] {
			return fmt.Errorf("setting %s is %q and should be %q", s[0], got, s[1])
		}
	}
	return nil
}
