//go:build unix

package stream

import (
	"bytes"
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestWebsocketSink_TryWrite(t *testing.T) {
	t.Parallel()
	type bundle struct {
		sink   websocketSink
		client net.Conn
	}
	setup := func(t *testing.T) *bundle {
		t.Helper()
		l, err := net.Listen("tcp", "127.0.0.1:0")
		require.NoError(t, err)
		defer func() { require.NoError(t, l.Close()) }()
		client, err := net.Dial("tcp", l.Addr().String())
		require.NoError(t, err)
		conn, err := l.Accept()
		require.NoError(t, err)
		s, opened := newTestServer()
		sink, ok := begun(t, s, opened, conn, client).sink.(websocketSink)
		require.True(t, ok)
		t.Cleanup(func() { require.NoError(t, client.Close()) })
		return &bundle{sink: sink, client: client}
	}
	frames := [][]byte{[]byte("one"), bytes.Repeat([]byte("two "), 100)}

	t.Run("WritesWhatTheKernelTakes", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		for range 3 {
			left, err := b.sink.TryWrite(frames)
			require.NoError(t, err)
			require.Nil(t, left)
			want := appendText(appendText(nil, frames[0]), frames[1])
			got := make([]byte, len(want))
			_, err = io.ReadFull(b.client, got)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
	})

	t.Run("KeepsThePartOfAFrameForTheNextWrite", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		big := bytes.Repeat([]byte("0123456789abcdef"), 4<<10)
		var sent int
		for {
			left, err := b.sink.TryWrite([][]byte{big})
			require.NoError(t, err)
			sent++
			if left != nil {
				require.Empty(t, left)
				break
			}
		}
		left, err := b.sink.TryWrite(frames)
		require.NoError(t, err)
		require.Equal(t, frames, left)

		wrote := make(chan error, 1)
		go func() { wrote <- b.sink.Write(left) }()
		want := bytes.Repeat(appendText(nil, big), sent)
		for _, f := range frames {
			want = appendText(want, f)
		}
		got := make([]byte, len(want))
		require.NoError(t, b.client.SetReadDeadline(time.Now().Add(time.Minute))) //nolint:forbidigo // the kernel's clock
		_, err = io.ReadFull(b.client, got)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got))
		require.NoError(t, <-wrote)
	})

	t.Run("LeavesAllWhileAnotherWrites", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.sink.mu.Lock()
		left, err := b.sink.TryWrite(frames)
		b.sink.mu.Unlock()
		require.NoError(t, err)
		require.Equal(t, frames, left)
	})

	t.Run("FailsOnceClosed", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.sink.Close(domain.DisconnectDraining)
		_, err := b.sink.TryWrite(frames)
		require.ErrorIs(t, err, errEnded)
	})
}
