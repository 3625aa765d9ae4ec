package main

// The engine of a worker: DuckDB in memory, with settings that leave it no access to anything but
// the files that it is given.

import (
	"fmt"

	duckdb "github.com/duckdb/duckdb-go-bindings"
)

// memoryLimit is DuckDB's own limit. DuckDB does not count all of its memory, so the process also has a limit of
// the operating system.
const memoryLimit = "256MiB"

// startSettings are the settings with which the database is opened. Extensions are switched off because they
// could give access to files and hosts, and because a failed attempt to load one takes half a second.
func startSettings() [][2]string {
	return [][2]string{
		{"threads", "1"},
		{"memory_limit", memoryLimit},
		{"temp_directory", ""},
		{"autoinstall_known_extensions", "false"},
		{"autoload_known_extensions", "false"},
		{"allow_community_extensions", "false"},
		{"allow_unsigned_extensions", "false"},
		{"allow_persistent_secrets", "false"},
		// A folder that does not exist: secrets cannot be stored or read.
		{"secret_directory", "/none"},
		{"extension_directory", ""},
		{"home_directory", ""},
	}
}

// database is an in-memory instance of DuckDB with one connection.
type database struct {
	db   duckdb.Database
	conn duckdb.Connection
}

// engineVersion is part of the hello message, for the log of a node.
func engineVersion() string { return duckdb.LibraryVersion() }

// openMemory opens an empty database with the start settings.
func openMemory() (*database, error) {
	var config duckdb.Config
	if duckdb.CreateConfig(&config) == duckdb.StateError {
		return nil, fmt.Errorf("create settings")
	}
	defer duckdb.DestroyConfig(&config)
	// A setting that the engine does not know any more must not be skipped: it would be a missing
	// wall.
	for _, s := range startSettings() {
		if duckdb.SetConfig(config, s[0], s[1]) == duckdb.StateError {
			return nil, fmt.Errorf("setting %s is unknown to the engine", s[0])
		}
	}
	d := &database{}
	var message string
	if duckdb.OpenExt(":memory:", &d.db, config, &message) == duckdb.StateError {
		return nil, fmt.Errorf("open the engine: %s", message)
	}
	if duckdb.Connect(d.db, &d.conn) == duckdb.StateError {
		return nil, fmt.Errorf("connect to the engine")
	}
	if err := registerPFunctions(d); err != nil {
		return nil, err
	}
	return d, nil
}

// exec runs a statement of this program, without parameters.
func (d *database) exec(sql string) error {
	// The result is destroyed even if the statement has failed.
	var result duckdb.Result
	defer duckdb.DestroyResult(&result)
	if duckdb.Query(d.conn, sql, &result) == duckdb.StateError {
		return &engineError{duckdb.ResultError(&result)}
	}
	return nil
}

// rows runs a statement of this program with text parameters and returns every cell as text. All columns of the
// result must be VARCHAR. NULL is returned as the empty string.
func (d *database) rows(sql string, args ...string) ([][]string, error) {
	var statement duckdb.PreparedStatement
	defer duckdb.DestroyPrepare(&statement)
	if duckdb.Prepare(d.conn, sql, &statement) == duckdb.StateError {
		return nil, &engineError{duckdb.PrepareError(statement)}
	}
	for i, arg := range args {
		// Parameters keep the texts apart from the statement.
		if duckdb.BindVarcharLength(statement, duckdb.IdxT(i+1), arg, duckdb.IdxT(len(arg))) == duckdb.StateError {
			return nil, fmt.Errorf("bind parameter %d", i+1)
		}
	}
	var result duckdb.Result
	defer duckdb.DestroyResult(&result)
	if duckdb.ExecutePrepared(statement, &result) == duckdb.StateError {
		return nil, &engineError{duckdb.ResultError(&result)}
	}
	var out [][]string
	columns := int(duckdb.ColumnCount(&result)) //nolint:gosec // few: the statement is written in this program
	for {
		chunk := duckdb.FetchChunk(result)
		if chunk.Ptr == nil {
			return out, nil
		}
		size := int(duckdb.DataChunkGetSize(chunk)) //nolint:gosec // at most 2048
		first := len(out)
		for range size {
			out = append(out, make([]string, columns))
		}
		for c := range columns {
			read := textReader(duckdb.DataChunkGetVector(chunk, duckdb.IdxT(c)))
			for r := range size {
				out[first+r][c] = read(r)
			}
		}
		duckdb.DestroyDataChunk(&chunk)
	}
}
