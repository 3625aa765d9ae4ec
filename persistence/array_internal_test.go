package persistence

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/stretchr/testify/require"
)

// The encoding of this package must equal the library's own, byte by byte.
func TestArrays(t *testing.T) {
	t.Parallel()
	same := func(t *testing.T, oid uint32, value, plain any) {
		t.Helper()
		// A map caches its plans while it encodes, so it may be used by one goroutine only.
		theirs, ours := pgtype.NewMap(), pgtype.NewMap()
		registerUUIDs(ours)
		registerLists(ours)
		want, err := theirs.Encode(oid, pgtype.BinaryFormatCode, plain, []byte("before"))
		require.NoError(t, err)
		got, err := ours.Encode(oid, pgtype.BinaryFormatCode, value, []byte("before"))
		require.NoError(t, err)
		require.Equal(t, want, got)
	}

	t.Run("Texts", func(t *testing.T) {
		t.Parallel()
		for _, texts := range [][]string{
			nil, {}, {""}, {"one"}, {"", "NULL", `"`, `{,}`, "ä\n\x00", strings.Repeat("long ", 100_000)},
		} {
			same(t, pgtype.TextArrayOID, texts, texts)
		}
	})
	t.Run("Bytes", func(t *testing.T) {
		t.Parallel()
		for _, list := range [][][]byte{
			nil, {}, {{}}, {[]byte("one")}, {{0, 255}, nil, []byte("after a missing one")}, {{1}, bytes.Repeat([]byte{7}, 100_000)},
		} {
			same(t, pgtype.ByteaArrayOID, list, list)
		}
	})
	t.Run("Numbers", func(t *testing.T) {
		t.Parallel()
		for _, list := range [][]int64{nil, {}, {0}, {math.MinInt64, -1, 1, math.MaxInt64}, make([]int64, 10_000)} {
			same(t, pgtype.Int8ArrayOID, list, list)
		}
	})
	t.Run("IDs", func(t *testing.T) {
		t.Parallel()
		for _, ids := range [][]uuid.UUID{nil, {}, {uuid.Max}, {uuid.New(), uuid.Nil, uuid.New()}} {
			var plain []pgtype.UUID
			if ids != nil {
				plain = []pgtype.UUID{}
			}
			for _, id := range ids {
				plain = append(plain, pgtype.UUID{Bytes: id, Valid: true})
			}
			same(t, pgtype.UUIDArrayOID, ids, plain)
		}
	})
}

// A list is encoded into one buffer: a codec that the library passes by would allocate for each element.
func TestArrays_AllocateOnce(t *testing.T) { //nolint:paralleltest // AllocsPerRun counts what other tests allocate at once
	m := pgtype.NewMap()
	registerUUIDs(m)
	registerLists(m)
	for oid, list := range map[uint32]any{
		pgtype.TextArrayOID: slices.Repeat([]string{"a text"}, 1000), pgtype.ByteaArrayOID: slices.Repeat([][]byte{[]byte("bytes")}, 1000),
		pgtype.Int8ArrayOID: make([]int64, 1000), pgtype.UUIDArrayOID: make([]uuid.UUID, 1000),
	} {
		encode := func() {
			_, err := m.Encode(oid, pgtype.BinaryFormatCode, list, nil)
			require.NoError(t, err)
		}
		encode() // makes the plan
		require.LessOrEqual(t, testing.AllocsPerRun(10, encode), 2.0, "type %d", oid)
	}
}
