package persistence

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// The messages that are made by hand must have what the driver makes of the generated
// parameters: the same lists, in the same order, byte by byte (docs/adr/0013).
func TestTextWire(t *testing.T) {
	t.Parallel()
	piece := func(offset int64, text, pulled string) domain.Chunk {
		return domain.Chunk{Message: uuid.New(), Offset: offset, Text: text, Pulled: pulled}
	}
	group := func(writes ...[]domain.Chunk) (entries []*entry) {
		for i, chunks := range writes {
			id := uuid.New()
			entries = append(entries, &entry{conversation: id, write: &domain.Write{
				Conversation: id, OrganisationID: int64(i) - 1, Fence: domain.Fence{Epoch: 1 << 40, Activation: uuid.New()}, Chunks: chunks,
			}})
		}
		return entries
	}
	// One after the other, because the buffer is used again.
	w := new(textWire)
	for _, c := range []struct {
		name  string
		group []*entry
	}{
		{"OKOne", group([]domain.Chunk{piece(0, "a", "")})},
		{"OKMany", group(
			[]domain.Chunk{piece(7, "", ""), piece(1<<40, "ä\n", `"{,}`)}, []domain.Chunk{piece(0, strings.Repeat("long ", 50_000), "x")},
		)},
		{"OKSmallerThanBefore", group([]domain.Chunk{piece(-1, "NULL", "")}, []domain.Chunk{piece(3, "b", "c")})},
	} {
		t.Run(c.name, func(t *testing.T) {
			requireAsDriver(t, w, c.group)
		})
	}
}

func requireAsDriver(t *testing.T, w *textWire, group []*entry) {
	t.Helper()
	messages, err := w.encode(group)
	require.NoError(t, err)
	server := pgproto3.NewBackend(bytes.NewReader(messages), nil)
	first, err := server.Receive()
	require.NoError(t, err)
	bind, ok := first.(*pgproto3.Bind)
	require.True(t, ok, "%T", first)
	require.Equal(t, textStatement, bind.PreparedStatement)
	require.Empty(t, bind.DestinationPortal)
	require.Equal(t, []int16{pgtype.BinaryFormatCode}, bind.ParameterFormatCodes)
	require.Equal(t, []int16{pgtype.BinaryFormatCode}, bind.ResultFormatCodes)

	var params dbsqlc.JournalTextParams
	for _, e := range group {
		params.Ids = append(params.Ids, e.conversation)
		for i := range e.write.Chunks {
			k := &e.write.Chunks[i]
			params.Messages, params.Conversations = append(params.Messages, k.Message), append(params.Conversations, e.conversation)
			params.Epochs, params.Activations = append(params.Epochs, e.write.Fence.Epoch), append(params.Activations, e.write.Fence.Activation)
			params.Offsets, params.Orgs = append(params.Offsets, k.Offset), append(params.Orgs, e.write.OrganisationID)
			params.Texts = append(params.Texts, k.Whole())
		}
	}
	fields := reflect.ValueOf(params)
	require.Len(t, bind.Parameters, fields.NumField())
	types := pgtype.NewMap()
	for i := range fields.NumField() {
		value, oid := fields.Field(i).Interface(), uint32(0)
		switch list := value.(type) {
		case []int64:
			oid = pgtype.Int8ArrayOID
		case []string:
			oid = pgtype.TextArrayOID
		case []uuid.UUID:
			oid = pgtype.UUIDArrayOID
			plain := make([]pgtype.UUID, len(list))
			for k, id := range list {
				plain[k] = pgtype.UUID{Bytes: id, Valid: true}
			}
			value = plain
		}
		want, err := types.Encode(oid, pgtype.BinaryFormatCode, value, nil)
		require.NoError(t, err)
		require.Equal(t, want, bind.Parameters[i], fields.Type().Field(i).Name)
	}
	for _, want := range []pgproto3.FrontendMessage{&pgproto3.Execute{}, &pgproto3.Sync{}} {
		got, err := server.Receive()
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}
