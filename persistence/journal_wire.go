package persistence

// Groups of text on the wire: the extended query protocol of Postgres (PostgreSQL documentation,
// Frontend/Backend Protocol, Message Flow), written by hand into a buffer that is reused. All other
// statements use the driver. The connection is one of the journal's own pool, and nothing else is
// sent on it meanwhile.

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgtype"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// textStatement is the name under which a connection has prepared JournalText.
const textStatement = "journal_text"

// textWire is the buffer in which a group of text is encoded as messages of the extended
// query protocol. The driver itself allocates, for each group, lists of its columns, their
// binary form in a buffer that grows from 256 bytes, and the message in one that grows from
// a kilobyte: five times the text, a third of all allocations of a node with many running
// answers. This buffer is reused.
type textWire struct {
	params []byte
	values [][]byte
	starts []int
	out    []byte
}

// array begins a parameter that is a list.
func (w *textWire) array(element uint32, n int) {
	w.starts = append(w.starts, len(w.params))
	w.params = appendArrayHead(w.params, element, n)
}

// encode makes the messages: bind, execute, sync. The parameters are in the order of
// JournalTextParams, which is the order of the statement.
func (w *textWire) encode(group []*entry) ([]byte, error) {
	w.out = w.out[:0]
	chunks := 0
	for _, e := range group {
		chunks += len(e.write.Chunks)
	}
	w.params, w.starts, w.values = w.params[:0], w.starts[:0], w.values[:0]
	column := func(element uint32, value func(to []byte, e *entry, c *domain.Chunk) []byte) {
		w.array(element, chunks)
		for _, e := range group {
			for i := range e.write.Chunks {
				w.params = value(w.params, e, &e.write.Chunks[i])
			}
		}
	}
	// One function for each parameter of the statement. A column has a value for each chunk, except
	// the list of conversations, which has one for each write.
	column(pgtype.UUIDOID, func(to []byte, _ *entry, c *domain.Chunk) []byte { return appendID(to, c.Message) })
	w.array(pgtype.UUIDOID, len(group))
	for _, e := range group {
		w.params = appendID(w.params, e.conversation)
	}
	column(pgtype.UUIDOID, func(to []byte, e *entry, _ *domain.Chunk) []byte { return appendID(to, e.conversation) })
	column(pgtype.Int8OID, func(to []byte, e *entry, _ *domain.Chunk) []byte { return appendNumber(to, e.write.Fence.Epoch) })
	column(pgtype.UUIDOID, func(to []byte, e *entry, _ *domain.Chunk) []byte { return appendID(to, e.write.Fence.Activation) })
	column(pgtype.Int8OID, func(to []byte, _ *entry, c *domain.Chunk) []byte { return appendNumber(to, c.Offset) })
	column(pgtype.Int8OID, func(to []byte, e *entry, _ *domain.Chunk) []byte { return appendNumber(to, e.write.OrganisationID) })
	column(pgtype.TextOID, func(to []byte, _ *entry, c *domain.Chunk) []byte { return appendText(to, c.Text, c.More) })
	// The parameters were appended to one buffer, which may have moved; so they are cut out of it
	// only now.
	for i, from := range w.starts {
		to := len(w.params)
		if i+1 < len(w.starts) {
			to = w.starts[i+1]
		}
		w.values = append(w.values, w.params[from:to])
	}
	// One code stands for all parameters, and for all columns of the result.
	binaryForm := []int16{pgtype.BinaryFormatCode}
	bind := pgproto3.Bind{
		PreparedStatement: textStatement, ParameterFormatCodes: binaryForm, Parameters: w.values, ResultFormatCodes: binaryForm,
	}
	var err error
	// Sync ends the implicit transaction: until then nothing is committed, and its answer is
	// ReadyForQuery.
	for _, message := range []pgproto3.FrontendMessage{&bind, &pgproto3.Execute{}, &pgproto3.Sync{}} {
		if w.out, err = message.Encode(w.out); err != nil {
			return nil, fmt.Errorf("encode a group of text: %w", err)
		}
	}
	return w.out, nil
}

// writeText runs JournalText. After an error that is not a *pgconn.PgError, or one with which
// the server has closed the connection, it is not known whether the text was stored.
func (j *Journal) writeText(ctx context.Context, conn *pgx.Conn, group []*entry) (*dbsqlc.JournalTextRow, error) {
	// Only the first call on a connection is sent to the server.
	statement, err := conn.Prepare(ctx, textStatement, dbsqlc.JournalTextSQL)
	if err != nil {
		return nil, err //nolint:wrapcheck // translated at the end
	}
	w, ok := j.wires.Get().(*textWire)
	if !ok {
		w = new(textWire)
	}
	// A buffer that has grown too much is dropped, or one large group would hold its memory for
	// good.
	defer func() {
		if cap(w.out) <= wireMax {
			j.wires.Put(w)
		}
	}()
	messages, err := w.encode(group)
	if err != nil {
		return nil, err
	}
	pg := conn.PgConn()
	if err := send(ctx, pg, messages); err != nil {
		return nil, err
	}
	var (
		row    *dbsqlc.JournalTextRow
		failed *pgconn.PgError
	)
	// Messages are read up to ReadyForQuery in any case: otherwise the next statement would read
	// the rest of this answer.
	for {
		message, err := pg.ReceiveMessage(ctx)
		if err != nil {
			return nil, err //nolint:wrapcheck // translated at the end
		}
		switch m := message.(type) {
		case *pgproto3.DataRow:
			if row, err = textRow(conn.TypeMap(), statement, m); err != nil {
				return nil, err
			}
		case *pgproto3.ErrorResponse:
			failed = pgconn.ErrorResponseToPgError(m)
		case *pgproto3.ReadyForQuery:
			switch {
			case failed != nil:
				return nil, failed //nolint:wrapcheck // translated at the end
			case row == nil:
				return nil, errors.New("the journal's statement gave no row")
			}
			return row, nil
		}
	}
}

// wireMax is the largest buffer, in bytes, that is kept for the next group.
const wireMax = 1 << 20

// send writes messages to the server; the end of ctx ends a write that hangs.
func send(ctx context.Context, pg *pgconn.PgConn, messages []byte) error {
	// SyncConn ends the driver's reading in the background, so that the answer is read here.
	if err := pg.SyncConn(ctx); err != nil {
		return err //nolint:wrapcheck // translated at the end
	}
	socket := pg.Conn()
	// A write to a server that does not read would block without an end, whatever ctx says.
	stop := context.AfterFunc(ctx, func() { interrupt(socket) })
	defer stop()
	if _, err := socket.Write(messages); err != nil {
		return fmt.Errorf("send a group of text: %w", err)
	}
	return nil
}

// interrupt ends the writes of a socket. If its deadline cannot be set, it is closed.
func interrupt(socket net.Conn) {
	// A deadline in the past ends a write at once.
	if err := socket.SetWriteDeadline(time.Unix(1, 0)); err != nil {
		_ = socket.Close()
	}
}

// textRow reads the row of JournalText.
func textRow(types *pgtype.Map, statement *pgconn.StatementDescription, m *pgproto3.DataRow) (*dbsqlc.JournalTextRow, error) {
	var row dbsqlc.JournalTextRow
	// The first column says that all chunks are stored; only otherwise the others say which fence
	// was found.
	for i, into := range []any{&row.Whole, &row.Found, &row.FoundEpochs, &row.FoundActivations} {
		if i == 1 && row.Whole {
			break // the rest is empty then
		}
		if i >= len(m.Values) || i >= len(statement.Fields) {
			return nil, errors.New("the journal's statement gave too short a row")
		}
		if err := types.Scan(statement.Fields[i].DataTypeOID, pgtype.BinaryFormatCode, m.Values[i], into); err != nil {
			return nil, fmt.Errorf("read the row of the journal's statement: %w", err)
		}
	}
	return &row, nil
}
