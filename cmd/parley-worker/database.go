package main

import (
	"fmt"
	"strings"

	duckdb "github.com/duckdb/duckdb-go-bindings"
)

// memoryLimit is DuckDB's own; the process has a harder one around it, because
// this one does not count everything.
const memoryLimit = "256MiB"

// startSettings are given when the database opens. Extensions could bring files
// and hosts into reach; a failing attempt to load one costs half a second.
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
		{"secret_directory", "/none"},
		{"extension_directory", ""},
		{"home_directory", ""},
	}
}

// database is an instance of DuckDB in memory with one connection.
type database struct {
	db   duckdb.Database
	conn duckdb.Connection
}

func engineVersion() string { return duckdb.LibraryVersion() }

// openMemory opens an empty database with the start settings.
func openMemory() (*database, error) {
	var config duckdb.Config
	if duckdb.CreateConfig(&config) == duckdb.StateError {
		return nil, fmt.Errorf("create settings")
	}
	defer duckdb.DestroyConfig(&config)
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
	return d, nil
}

// exec runs a statement of ours.
func (d *database) exec(sql string) error {
	var result duckdb.Result
	defer duckdb.DestroyResult(&result)
	if duckdb.Query(d.conn, sql, &result) == duckdb.StateError {
		return &engineError{duckdb.ResultError(&result)}
	}
	return nil
}

// rows runs a statement of ours with text parameters and gives every cell as text.
// A column must be VARCHAR; NULL comes as the empty string.
func (d *database) rows(sql string, args ...string) ([][]string, error) {
	var statement duckdb.PreparedStatement
	defer duckdb.DestroyPrepare(&statement)
	if duckdb.Prepare(d.conn, sql, &statement) == duckdb.StateError {
		return nil, &engineError{duckdb.PrepareError(statement)}
	}
	for i, arg := range args {
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
	columns := int(duckdb.ColumnCount(&result)) //nolint:gosec // a statement of ours
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

// quoted makes any text an identifier.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// literal makes any text a string constant.
func literal(text string) string { return `'` + strings.ReplaceAll(text, `'`, `''`) + `'` }
