package proxytest

import (
	"bufio"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// patience is how long anything may take before a test gives up on it.
const patience = time.Minute

// setup connects to a server that sends back each line.
func setup(t *testing.T) (*Proxy, func() net.Conn) {
	t.Helper()
	dir, err := os.MkdirTemp("", "px") //nolint:usetesting // the path of a socket must be short
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	socket := filepath.Join(dir, "s")
	l, err := net.Listen("unix", socket)
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { _, _ = io.Copy(c, c) }()
		}
	}()
	p := New(t, "unix", socket)
	return p, func() net.Conn {
		c, err := net.Dial("tcp", p.Addr)
		require.NoError(t, err)
		t.Cleanup(func() { _ = c.Close() })
		return c
	}
}

// heard returns the next line, or an error when it has not come in time.
func heard(c net.Conn, within time.Duration) (string, error) {
	if err := c.SetReadDeadline(time.Now().Add(within)); err != nil { //nolint:forbidigo // only a limit
		return "", err
	}
	return bufio.NewReader(c).ReadString('\n')
}

func say(t *testing.T, c net.Conn, text string) {
	t.Helper()
	_, err := c.Write([]byte(text))
	require.NoError(t, err)
}

func TestProxy(t *testing.T) {
	t.Parallel()

	t.Run("Stall", func(t *testing.T) {
		t.Parallel()
		p, dial := setup(t)
		c := dial()
		say(t, c, "one\n")
		line, err := heard(c, patience)
		require.NoError(t, err)
		require.Equal(t, "one\n", line)
		p.Set(Rules{Stall: true})
		say(t, c, "two\n")
		_, err = heard(c, 50*time.Millisecond)
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		p.Set(Rules{})
		line, err = heard(c, patience)
		require.NoError(t, err)
		require.Equal(t, "two\n", line)
	})

	t.Run("Refuse", func(t *testing.T) {
		t.Parallel()
		p, dial := setup(t)
		c := dial()
		say(t, c, "one\n")
		_, err := heard(c, patience)
		require.NoError(t, err)
		p.Set(Rules{Refuse: true})
		_, err = heard(c, patience)
		require.Error(t, err)
		require.NotErrorIs(t, err, os.ErrDeadlineExceeded, "the open one is closed")
		_, err = heard(dial(), patience)
		require.Error(t, err)
		require.NotErrorIs(t, err, os.ErrDeadlineExceeded, "a new one is closed")
	})

	t.Run("ResetOneIn", func(t *testing.T) {
		t.Parallel()
		p, dial := setup(t)
		p.Set(Rules{ResetOneIn: 3}) // there, back, and there again
		c := dial()
		say(t, c, "one\n")
		_, err := heard(c, patience)
		require.NoError(t, err)
		say(t, c, "two\n")
		_, err = heard(c, patience)
		require.Error(t, err)
		require.NotErrorIs(t, err, os.ErrDeadlineExceeded)
	})

	t.Run("LoseCommits", func(t *testing.T) {
		t.Parallel()
		p, dial := setup(t)
		p.Set(Rules{LoseCommits: 2})
		c := dial()
		say(t, c, "COMMIT\x00\n")
		_, err := heard(c, patience)
		require.NoError(t, err)
		say(t, c, "COMMIT\x00\n")
		_, err = heard(c, patience)
		require.Error(t, err)
		require.NotErrorIs(t, err, os.ErrDeadlineExceeded)
		require.Equal(t, 1, p.Lost())
	})

	t.Run("SlowCommits", func(t *testing.T) {
		t.Parallel()
		p, dial := setup(t)
		p.Set(Rules{SlowCommits: 200 * time.Millisecond})
		c := dial()
		say(t, c, "select\n")
		_, err := heard(c, patience)
		require.NoError(t, err)
		say(t, c, "commit\n")
		_, err = heard(c, 50*time.Millisecond)
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		line, err := heard(c, patience)
		require.NoError(t, err)
		require.Equal(t, "commit\n", line)
	})

	// A client such as pgx prepares COMMIT once, and then only says the name of that statement.
	t.Run("SlowPreparedCommits", func(t *testing.T) {
		t.Parallel()
		p, dial := setup(t)
		c := dial()
		// The last byte of the length is a letter, as it is for the names of pgx.
		name := "stmt_" + strings.Repeat("1f", 23)
		say(t, c, "P\x00\x00\x00A"+name+"\x00COMMIT\x00\x00\x00\n")
		_, err := heard(c, patience)
		require.NoError(t, err)
		p.Set(Rules{SlowCommits: 200 * time.Millisecond})
		say(t, c, "B\x00\x00\x00H\x00stmt_2a\x00\n")
		_, err = heard(c, patience)
		require.NoError(t, err)
		say(t, c, "B\x00\x00\x00H\x00"+name+"\x00\n")
		_, err = heard(c, 50*time.Millisecond)
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		_, err = heard(c, patience)
		require.NoError(t, err)
	})

	t.Run("SlowStatementsThatCommit", func(t *testing.T) {
		t.Parallel()
		p, dial := setup(t)
		p.Commits("journal_text")
		p.Set(Rules{SlowCommits: 200 * time.Millisecond})
		c := dial()
		say(t, c, "B\x00\x00\x00H\x00other_text\x00\n")
		_, err := heard(c, patience)
		require.NoError(t, err)
		say(t, c, "B\x00\x00\x00H\x00journal_text\x00\n")
		_, err = heard(c, 50*time.Millisecond)
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		_, err = heard(c, patience)
		require.NoError(t, err)
	})

	t.Run("TheServerIsAway", func(t *testing.T) {
		t.Parallel()
		p := New(t, "unix", filepath.Join(t.TempDir(), "nobody"))
		c, err := net.Dial("tcp", p.Addr)
		require.NoError(t, err)
		defer c.Close()
		_, err = heard(c, patience)
		require.ErrorIs(t, err, io.EOF)
	})
}
