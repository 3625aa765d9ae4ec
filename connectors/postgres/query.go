package postgres

import (
	"context"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgconn"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
)

const (
	// portion is how many rows are fetched at once. The server makes no more than one
	// portion that nobody reads.
	portion = 500
	// fetching is the name of the prepared statement that fetches one.
	fetching = "parley_fetch"

	declare = "DECLARE parley_answer NO SCROLL CURSOR FOR\n"
)

// limits of a result.
type limits struct{ rows, bytes int }

// query asks one statement. The engine parses it as part of DECLARE CURSOR, which takes
// one SELECT (or VALUES, or TABLE) that changes nothing.
func (s *session) query(ctx context.Context, sql string, most limits) (*domain.ResultSet, error) {
	if err := s.run(ctx, declare+sql); err != nil {
		return nil, err
	}
	fetch, err := s.conn.Prepare(ctx, fetching, "FETCH FORWARD "+strconv.Itoa(portion)+" FROM parley_answer", nil)
	if err != nil {
		return nil, err //nolint:wrapcheck // worded by faultOf
	}
	if n := len(fetch.Fields); n > connectors.MaxColumns {
		return nil, domain.Errorf(domain.CodeInvalid,
			"The result has %d columns, and %d are allowed. Name the ones that are needed.", n, connectors.MaxColumns)
	}
	columns, err := s.columns(ctx, fetch.Fields)
	if err != nil {
		return nil, err
	}
	a := answer{most: most, read: readers(fetch.Fields), rows: [][]any{}}
	for whole := true; whole && !a.full; {
		if whole, err = s.portion(ctx, &a); err != nil {
			return nil, err
		}
	}
	return &domain.ResultSet{Columns: columns, Rows: a.rows, Truncated: a.full || a.cut}, nil
}

// portion fetches rows and reports whether more may follow. Once the answer is full it
// reads no further: the connection ends then, and what is on its way with it.
func (s *session) portion(ctx context.Context, a *answer) (bool, error) {
	result := s.conn.ExecPrepared(ctx, fetching, nil, nil, nil)
	fetched := 0
	for ; result.NextRow(); fetched++ {
		if a.add(result.Values()); a.full {
			return false, nil
		}
	}
	if _, err := result.Close(); err != nil {
		return false, err //nolint:wrapcheck // worded by faultOf
	}
	return fetched == portion, nil
}

// answer gathers rows up to the limits.
type answer struct {
	most limits
	read []func([]byte) any

	rows  [][]any
	bytes int
	// full says that there are more rows than the limits let through; cut that a cell
	// was shortened.
	full, cut bool
}

// add takes a row, unless it is one too many.
func (a *answer) add(cells [][]byte) {
	size := 0
	row := make([]any, len(cells))
	for i, cell := range cells {
		if cell == nil {
			continue
		}
		if len(cell) > connectors.MaxCell {
			cell, a.cut = shortened(cell), true
		}
		size += len(cell)
		row[i] = a.read[i](cell)
	}
	if a.full = len(a.rows) >= a.most.rows || a.bytes+size > a.most.bytes; a.full {
		return
	}
	a.bytes += size
	a.rows = append(a.rows, row)
}

// shortened cuts a text at the end of a character.
func shortened(cell []byte) []byte {
	end := connectors.MaxCell
	for end > 0 && !utf8.RuneStart(cell[end]) {
		end--
	}
	return cell[:end]
}

// columns names the columns of a result, their types in the engine's own words.
func (s *session) columns(ctx context.Context, fields []pgconn.FieldDescription) ([]domain.Column, error) {
	types, modifiers := make([]string, len(fields)), make([]string, len(fields))
	for i, f := range fields {
		types[i], modifiers[i] = strconv.FormatUint(uint64(f.DataTypeOID), 10), strconv.FormatInt(int64(f.TypeModifier), 10)
	}
	rows, err := s.rows(ctx, `SELECT format_type(o, m) FROM unnest($1::oid[], $2::int[]) WITH ORDINALITY AS t (o, m, place) ORDER BY place`,
		array(types), array(modifiers))
	if err != nil {
		return nil, err
	}
	if len(rows) != len(fields) {
		return nil, domain.Internal(fmt.Errorf("%d types for %d columns", len(rows), len(fields)), "read a result")
	}
	out := make([]domain.Column, len(fields))
	for i, f := range fields {
		kind := meaning(f.DataTypeOID, f.TypeModifier)
		out[i] = domain.Column{Name: domain.Clean(f.Name), Type: kind, DatabaseType: domain.Clean(text(rows[i][0]))}
	}
	return out, nil
}
