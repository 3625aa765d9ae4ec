package main

// The faults of limits: few file handles, a node that joins, a panic, and a client whose network is gone.

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"syscall"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/google/uuid"
	"golang.org/x/sys/unix"

	"parley.dev/parley/internal/history"
	"parley.dev/parley/internal/proxytest"
)

const (
	// fewFiles is how many more files a process may open, and manySockets how many sockets people try
	// to open then.
	fewFiles, manySockets = 40, 120
	// halfOpen is how long a client's network is gone: longer than the server waits for a pong (35 s).
	halfOpen = 45 * time.Second
	// closeSilent is the code of a socket that has not answered in time (docs/stream-protocol.md).
	closeSilent = 4408
)

func faultsOfLimits() []*fault {
	return []*fault{
		{name: "F10 few file handles", most: 10 * time.Second, do: fewHandles},
		{
			name: "F11 a node leaves, and joins under load", most: 10 * time.Second, leave: true,
			do: func(ctx context.Context, l *load, _ *rand.Rand) error {
				owner, _, err := l.owner(ctx)
				if err != nil {
					return err
				}
				before := len(owner.ends())
				owner.keepAway(true)
				err = errors.Join(owner.signal(syscall.SIGTERM), expectEnd(ctx, owner, before, 0))
				wait(ctx, 3*time.Second)
				cut := l.interrupted(ctx)
				owner.keepAway(false)
				err = errors.Join(err, l.awaitReady(ctx))
				wait(ctx, 5*time.Second)
				if n := l.interrupted(ctx) - cut; n > 0 {
					err = errors.Join(err, fmt.Errorf("%d turns were interrupted by the node that joined", n))
				}
				return err
			},
		},
		{name: "F12 a panic while an answer is streaming", most: 5 * time.Second, unharmed: true, do: panicking},
		{name: "F17 a client's network is gone for 45 s", most: 5 * time.Second, unharmed: true, do: halfOpened},
	}
}

// socketOf opens a socket of a person at an address.
func (w *world) socketOf(ctx context.Context, h *human, base string) (*websocket.Conn, error) {
	address := "ws" + strings.TrimPrefix(base, "http") + "/api/v1/user/" + h.uuid.String() + "/stream"
	dialer := websocket.Dialer{HandshakeTimeout: tryTime}
	conn, response, err := dialer.DialContext(ctx, address, http.Header{"Authorization": {"Bearer " + h.bearer}})
	if response != nil {
		_ = response.Body.Close() // only the socket counts
	}
	if err != nil {
		return nil, fmt.Errorf("open a socket: %w", err)
	}
	if err := conn.WriteJSON(map[string]any{"type": "hello"}); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// fewHandles lets a process open few more files while many sockets come, and then as many as before.
func fewHandles(ctx context.Context, l *load, _ *rand.Rand) error {
	owner, _, err := l.owner(ctx)
	if err != nil {
		return err
	}
	used, err := owner.sample(ctx)
	if err != nil {
		return err
	}
	open := used.Files + used.Sockets
	owner.mu.Lock()
	pid := owner.server.cmd.Process.Pid
	owner.mu.Unlock()
	var before unix.Rlimit
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, nil, &before); err != nil {
		return fmt.Errorf("read the limit: %w", err)
	}
	few := before
	few.Cur = uint64(open + fewFiles)
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, &few, nil); err != nil {
		return fmt.Errorf("set the limit: %w", err)
	}
	refused := 0
	var sockets []*websocket.Conn
	for i := range manySockets {
		within, cancel := context.WithTimeout(ctx, time.Second)
		conn, err := l.socketOf(within, l.humans[i%len(l.humans)], owner.url)
		cancel()
		if err != nil {
			refused++
			if refused > 10 {
				break // the limit is reached
			}
			continue
		}
		sockets = append(sockets, conn)
	}
	wait(ctx, 2*time.Second)
	for _, s := range sockets {
		_ = s.Close() // the client leaves
	}
	if err := unix.Prlimit(pid, unix.RLIMIT_NOFILE, &before, nil); err != nil {
		return fmt.Errorf("set the limit back: %w", err)
	}
	if refused == 0 {
		return errors.New("the limit refused no socket")
	}
	return nil
}

// panicking lets a model panic: its turn fails, and its node lives.
func panicking(ctx context.Context, l *load, random *rand.Rand) error {
	k, err := l.guest(ctx, random.IntN(100))
	if err != nil {
		return err
	}
	for i := range 5 {
		id := uuid.Must(uuid.NewV7())
		if l.send(ctx, "panic", k.owner, i, k.id, id, prompt(random, k.owner, id, 20)+" fault=panic") != history.OK {
			return errors.New("the prompt was not taken")
		}
		status := ""
		if !waitUntil(ctx, func() bool {
			return l.db.QueryRow(ctx, "SELECT status FROM turn WHERE prompt_id = $1 AND status <> 'running'", id).Scan(&status) == nil
		}) {
			return errors.New("the turn does not end")
		}
		if status != "failed" {
			return fmt.Errorf("the turn ended as %s", status)
		}
	}
	return nil
}

// halfOpened lets a client's network be gone for longer than its server waits.
func halfOpened(ctx context.Context, l *load, _ *rand.Rand) error {
	proxy := proxytest.New(l.t, "tcp", strings.TrimPrefix(l.members[0].url, "http://"))
	conn, err := l.socketOf(ctx, l.humans[1], "http://"+proxy.Addr)
	if err != nil {
		return err
	}
	defer conn.Close()
	proxy.Set(proxytest.Rules{Stall: true})
	wait(ctx, halfOpen)
	proxy.Set(proxytest.Rules{})
	if err := conn.SetReadDeadline(time.Now().Add(5 * time.Second)); err != nil {
		return err
	}
	for {
		_, _, err := conn.ReadMessage()
		var closed *websocket.CloseError
		switch {
		case err == nil: // a frame that had waited
		case errors.As(err, &closed) && (closed.Code == closeSilent || closed.Code == websocket.CloseAbnormalClosure):
			return nil
		default:
			return fmt.Errorf("the socket of a client without a network: %w", err)
		}
	}
}
