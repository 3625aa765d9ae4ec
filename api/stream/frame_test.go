package stream

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func newReader(in io.Reader) *reader {
	return &reader{in: in, limit: frameLimit, begun: func() {}, ended: func() {}}
}

// FuzzReader sees to it that no bytes make the reader panic, keep more than the
// limit, hand over what is not text, or end other than by a fault or the end of
// the bytes; and that it does not matter in which pieces they come.
func FuzzReader(f *testing.F) {
	for _, seed := range [][]byte{
		{0x81, 0x82, 1, 2, 3, 4, 'a', 'b'},
		{0x01, 0x80, 0, 0, 0, 0, 0x80, 0x80, 0, 0, 0, 0},
		{0x89, 0x80, 0, 0, 0, 0},
		{0x88, 0x82, 0, 0, 0, 0, 3, 0xE8},
		{0x81, 0xFE, 1, 0, 0, 0, 0, 0},
		{0x81, 0xFF, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0},
		{0xC1, 0x80},
		{0x82, 0x80, 0, 0, 0, 0},
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		read := func(in io.Reader) (out [][]byte, code int) {
			r := newReader(in)
			for {
				opcode, payload, err := r.next()
				if err != nil {
					var bad *fault
					if errors.As(err, &bad) {
						return out, bad.Code
					}
					require.True(t, errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF), err)
					return out, 0
				}
				require.LessOrEqual(t, len(payload), frameLimit)
				if opcode == opText {
					require.True(t, utf8.Valid(payload))
				}
				out = append(out, append([]byte{opcode}, payload...))
			}
		}
		whole, code := read(bytes.NewReader(raw))
		pieces, again := read(iotest.OneByteReader(bytes.NewReader(raw)))
		require.Equal(t, whole, pieces)
		require.Equal(t, code, again)
	})
}

func TestAppendFrame(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 125, 126, 65535, 65536, 200_000} {
		b := appendFrame([]byte("before"), opText, bytes.Repeat([]byte("x"), n))
		require.Equal(t, "before", string(b[:6]))
		require.Equal(t, byte(0x81), b[6])
		head := map[bool]int{n < 126: 2, n >= 126 && n < 65536: 4, n >= 65536: 10}[true]
		require.Len(t, b, 6+head+n)
	}
}
