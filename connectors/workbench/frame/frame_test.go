package frame_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"parley.dev/parley/connectors/workbench/frame"
)

func TestWriteRead(t *testing.T) {
	t.Parallel()
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			sent := frame.Request{Kind: frame.KindQuery, Query: &frame.Query{SQL: rapid.String().Draw(t, "sql"), Databases: []frame.Database{}}}
			var b bytes.Buffer
			require.NoError(t, frame.Write(&b, sent, frame.MaxRequest))
			var got frame.Request
			require.NoError(t, frame.Read(&b, &got, frame.MaxRequest))
			require.Equal(t, sent, got)
		})
	})
	t.Run("ErrTooLarge", func(t *testing.T) {
		t.Parallel()
		var large *frame.TooLargeError
		require.ErrorAs(t, frame.Write(io.Discard, "12345678", 5), &large)
		var v string
		require.ErrorAs(t, frame.Read(bytes.NewReader([]byte{0xff, 0xff, 0xff, 0xff}), &v, 5), &large)
		require.Contains(t, large.Error(), "4294967295")
	})
	t.Run("ErrCutShort", func(t *testing.T) {
		t.Parallel()
		var v string
		require.ErrorIs(t, frame.Read(bytes.NewReader([]byte{0, 0}), &v, 5), io.ErrUnexpectedEOF)
		require.ErrorIs(t, frame.Read(bytes.NewReader([]byte{0, 0, 0, 4, '"'}), &v, 5), io.ErrUnexpectedEOF)
		require.ErrorIs(t, frame.Read(bytes.NewReader(nil), &v, 5), io.EOF)
	})
	t.Run("ErrNoJSON", func(t *testing.T) {
		t.Parallel()
		var v string
		require.ErrorContains(t, frame.Read(bytes.NewReader([]byte{0, 0, 0, 1, 'x'}), &v, 5), "decode")
	})
}
