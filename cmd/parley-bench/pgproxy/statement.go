package pgproxy

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// Statement is a statement that a client ran, with its parameters.
type Statement struct {
	SQL  string
	Args []Argument
}

// Argument is a parameter in the text form of the database.
type Argument struct {
	Text string
	Null bool
}

// Literal returns a parameter as an SQL constant. Its type follows from its context.
func (a Argument) Literal() string {
	if a.Null {
		return "NULL"
	}
	return "'" + strings.ReplaceAll(a.Text, "'", "''") + "'"
}

// execution is a statement as the client sent it.
type execution struct {
	sql     string
	values  [][]byte // nil for NULL
	formats []int16  // empty: all values are text; a single format applies to all values
}

// statements converts recorded executions. The database converts the parameters to text,
// because it knows their types.
func (p *Proxy) statements(ctx context.Context, recorded []execution) (_ []Statement, err error) {
	conn, err := pgconn.ConnectConfig(ctx, p.upstream)
	if err != nil {
		return nil, fmt.Errorf("reach the database: %w", err)
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	types := map[string][]uint32{}
	list := make([]Statement, len(recorded))
	for i, e := range recorded {
		list[i].SQL = e.sql
		if len(e.values) == 0 {
			continue
		}
		if types[e.sql] == nil {
			described, err := conn.Prepare(ctx, "", e.sql, nil)
			if err != nil {
				return nil, fmt.Errorf("describe a statement: %w", err)
			}
			types[e.sql] = described.ParamOIDs
		}
		if list[i].Args, err = texts(ctx, conn, e, types[e.sql]); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// texts lets the database return the parameters of a statement as text.
func texts(ctx context.Context, conn *pgconn.PgConn, e execution, types []uint32) ([]Argument, error) {
	columns := make([]string, len(e.values))
	for i := range columns {
		columns[i] = "$" + strconv.Itoa(i+1) + "::text"
	}
	result := conn.ExecParams(ctx, "SELECT "+strings.Join(columns, ", "), e.values, types, e.formats, nil).Read()
	if result.Err != nil {
		return nil, fmt.Errorf("write parameters as text: %w", result.Err)
	}
	args := make([]Argument, len(e.values))
	for i, value := range result.Rows[0] {
		args[i] = Argument{Text: string(value), Null: value == nil}
	}
	return args, nil
}
