package postgres

import (
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5/pgconn"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
)

const (
	// portion is how many rows are fetched at once. The server computes at most one portion
	// that is not read.
	portion = 500
	// fetching is the name of the prepared statement that fetches a portion.
	fetching = "parley_fetch"

	declare = "DECLARE parley_answer NO SCROLL CURSOR FOR\n"
)

// Query runs one statement. The engine parses it as part of DECLARE CURSOR, which accepts
// one SELECT (or VALUES, or TABLE) that changes nothing.
func (s *session) Query(ctx context.Context, sql string, caps connectors.Caps) (*domain.ResultSet, error) {
	if err := s.run(ctx, declare+sql); err != nil {
		return nil, err
	}
	fetch, err := s.conn.Prepare(ctx, fetching, "FETCH FORWARD "+strconv.Itoa(portion)+" FROM parley_answer", nil)
	if err != nil {
		return nil, err //nolint:wrapcheck // faultOf translates it
	}
	if err := connectors.CheckColumns(len(fetch.Fields)); err != nil {
		return nil, err
	}
	columns, err := s.columns(ctx, fetch.Fields)
	if err != nil {
		return nil, err
	}
	a := connectors.Answer{Caps: caps, Read: readers(fetch.Fields), Rows: [][]any{}}
	for whole := true; whole && !a.Full; {
		if whole, err = s.portion(ctx, &a); err != nil {
			return nil, err
		}
	}
	return &domain.ResultSet{Columns: columns, Rows: a.Rows, Truncated: a.Truncated()}, nil
}

// portion fetches rows and reports whether more may follow. When the answer is full it
// stops reading: the connection is then closed, and the rows that are still in transit are
// dropped.
func (s *session) portion(ctx context.Context, a *connectors.Answer) (bool, error) {
	result := s.conn.ExecPrepared(ctx, fetching, nil, nil, nil)
	fetched := 0
	for ; result.NextRow(); fetched++ {
		if a.Add(result.Values()); a.Full {
			return false, nil
		}
	}
	if _, err := result.Close(); err != nil {
		return false, err //nolint:wrapcheck // faultOf translates it
	}
	return fetched == portion, nil
}

// columns returns the columns of a result, with the engine's names of their types.
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
