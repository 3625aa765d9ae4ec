package stream

import (
	"io"
	"net"
	"slices"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// given is a connection whose client sends the given bytes, in pieces, and then ends.
// What is written to it is discarded.
type given struct {
	mu     sync.Mutex
	bytes  []byte
	piece  int // the maximum size of one read; 0 means no maximum
	closed bool
}

func (g *given) Read(b []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed || len(g.bytes) == 0 {
		return 0, io.EOF
	}
	if g.piece > 0 {
		b = b[:min(len(b), g.piece)]
	}
	n := copy(b, g.bytes)
	g.bytes = g.bytes[n:]
	return n, nil
}

func (g *given) Close() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed = true
	return nil
}

func (*given) Write(b []byte) (int, error)      { return len(b), nil }
func (*given) LocalAddr() net.Addr              { return &net.TCPAddr{} }
func (*given) RemoteAddr() net.Addr             { return &net.TCPAddr{} }
func (*given) SetDeadline(time.Time) error      { return nil }
func (*given) SetReadDeadline(time.Time) error  { return nil }
func (*given) SetWriteDeadline(time.Time) error { return nil }

// FuzzSocket checks that no bytes of a client make a socket panic, pass on a message that is
// too long or not text, or end with an undocumented code; and that the result does not depend
// on the pieces in which the bytes arrive.
func FuzzSocket(f *testing.F) {
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
		read := func(piece int) ([][]byte, int) {
			s, opened := newTestServer()
			s.upgrade(&given{bytes: slices.Clone(raw), piece: piece}, domain.SignInKey{}, []byte(askUpgrade), &upgrade{headers: noHeaders()})
			end := <-opened
			ended := <-end.closed
			for _, frame := range end.frames {
				require.LessOrEqual(t, len(frame), frameLimit)
				require.True(t, utf8.Valid(frame))
			}
			code := ended.Code
			known := code >= 3000 && code <= 4999 || slices.Contains([]int{1000, 1001, 1002, 1003, 1005, 1006, 1007, 1009}, code) || code > 1007 &&
				code < 1014
			require.True(t, known, code)
			return end.frames, code
		}
		whole, code := read(0)
		pieces, again := read(1)
		require.Equal(t, whole, pieces)
		require.Equal(t, code, again)
	})
}
