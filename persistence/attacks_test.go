package persistence_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/url"
	"reflect"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// wiretap is a proxy between a store and its database. It records the kind and the length
// of every message, in order for each side.
type wiretap struct {
	// mu guards heard.
	mu    sync.Mutex
	heard map[string][]string
}

func (w *wiretap) note(side, said string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.heard[side] = append(w.heard[side], said)
}

// during returns what was recorded while f ran.
func (w *wiretap) during(f func()) map[string][]string {
	w.mu.Lock()
	w.heard = map[string][]string{}
	w.mu.Unlock()
	f()
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.heard
}

// relay copies messages from one side to the other. A client's first message has no kind.
func (w *wiretap) relay(from io.Reader, to io.WriteCloser, side string) {
	defer to.Close()
	untyped := side == "client"
	for {
		head := make([]byte, 5)
		if untyped {
			head = head[:4]
		}
		if _, err := io.ReadFull(from, head); err != nil {
			return
		}
		length := binary.BigEndian.Uint32(head[len(head)-4:])
		body := make([]byte, length-4)
		if _, err := io.ReadFull(from, body); err != nil {
			return
		}
		if !untyped {
			// Recorded before it is passed on: a test that has the answer finds it recorded.
			w.note(side, fmt.Sprintf("%c %d", head[0], length))
		}
		untyped = false
		if _, err := to.Write(append(head, body...)); err != nil {
			return
		}
	}
}

// tap returns the address of a wiretap before a database.
func tap(t *testing.T, database string) (*wiretap, string) {
	t.Helper()
	cfg, err := pgx.ParseConfig(database)
	require.NoError(t, err)
	network, address := pgconn.NetworkAddress(cfg.Host, cfg.Port)
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	w := &wiretap{heard: map[string][]string{}}
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := (&net.Dialer{}).DialContext(context.Background(), network, address)
			if err != nil {
				_ = client.Close()
				continue
			}
			go w.relay(client, server, "client")
			go w.relay(server, client, "server")
		}
	}()
	through := url.URL{
		Scheme: "postgres", User: url.UserPassword(cfg.User, cfg.Password), Host: listener.Addr().String(), Path: cfg.Database,
		RawQuery: "sslmode=disable",
	}
	return w, through.String()
}

// B17: another person's object costs the same work as one that does not exist: the same
// statements, in as many round trips, with answers of the same size. Time is not measured,
// since it depends on how busy the machine is.
func TestStore_B17(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s, database := openURL(t)
	o := own(t, s, startJournal(t, s, persistence.JournalConfig{}), persistencetest.Anna)
	turn, prompt := o.prompt("a question that nobody else may read")
	object := uuid.New()
	answer := o.open(turn, prompt)
	o.must(domain.Write{Objects: []domain.DisplayObject{{ID: object, MessageID: answer, Name: "c", Type: domain.DisplayCSV, FileKey: "k"}}})
	ben := persistencetest.Caller(t, s, persistencetest.Ben)
	doris := persistencetest.Caller(t, s, persistencetest.Doris)
	sources, err := s.DataSources.DataSources(ctx, o.caller, domain.DataSourceFilter{})
	require.NoError(t, err)
	require.NotEmpty(t, sources.Results)
	source := sources.Results[0].ID

	w, through := tap(t, database)
	tapped, err := persistence.Open(ctx, persistence.Config{URL: through, AppConnections: 1, EngineConnections: 1})
	require.NoError(t, err)
	t.Cleanup(tapped.Close)

	byID := func(there uuid.UUID, call func(domain.Caller, uuid.UUID) error) map[bool]func(domain.Caller) error {
		return map[bool]func(domain.Caller) error{
			true:  func(c domain.Caller) error { return call(c, there) },
			false: func(c domain.Caller) error { return call(c, domain.NewID()) },
		}
	}
	byNumber := func(there int64, call func(domain.Caller, int64) error) map[bool]func(domain.Caller) error {
		return map[bool]func(domain.Caller) error{
			true:  func(c domain.Caller) error { return call(c, there) },
			false: func(c domain.Caller) error { return call(c, there+1000) },
		}
	}
	for name, call := range map[string]map[bool]func(domain.Caller) error{
		"Conversation": byID(o.Conversation, func(c domain.Caller, id uuid.UUID) error {
			_, err := tapped.Conversations.Conversation(ctx, c, id)
			return err
		}),
		"Grants": byID(o.Conversation, func(c domain.Caller, id uuid.UUID) error {
			_, err := tapped.Conversations.Grants(ctx, c, id)
			return err
		}),
		"SourcesOf": byID(o.Conversation, func(c domain.Caller, id uuid.UUID) error {
			_, err := tapped.DataSources.OfConversation(ctx, c, id)
			return err
		}),
		"SetFavorite": byID(o.Conversation, func(c domain.Caller, id uuid.UUID) error {
			return tapped.Conversations.SetFavorite(ctx, c, id, true)
		}),
		"SetStatus": byID(o.Conversation, func(c domain.Caller, id uuid.UUID) error {
			return tapped.Conversations.SetStatus(ctx, c, id, domain.ConversationArchived)
		}),
		"MarkRead": byID(o.Conversation, func(c domain.Caller, id uuid.UUID) error { return tapped.Conversations.MarkRead(ctx, c, id) }),
		"Message": byID(answer, func(c domain.Caller, id uuid.UUID) error {
			_, err := tapped.Conversations.Message(ctx, c, id)
			return err
		}),
		"Comments": byID(answer, func(c domain.Caller, id uuid.UUID) error { _, err := tapped.Feedback.Comments(ctx, c, id); return err }),
		"DisplayObject": byID(object, func(c domain.Caller, id uuid.UUID) error {
			_, err := tapped.Conversations.DisplayObject(ctx, c, id)
			return err
		}),
		"DataSource": byNumber(source, func(c domain.Caller, id int64) error { _, err := tapped.DataSources.DataSource(ctx, c, id); return err }),
	} {
		t.Run(name, func(t *testing.T) {
			for _, who := range []domain.Caller{ben, doris} {
				if name == "DataSource" && who.UserID == ben.UserID {
					continue // it belongs to his organisation
				}
				refused := func(real bool) func() {
					return func() { requireCode(t, domain.CodeNotFound, call[real](who)) }
				}
				w.during(refused(true)) // prepares the statements
				var theirs, nobodys map[string][]string
				for range 20 {
					theirs, nobodys = w.during(refused(true)), w.during(refused(false))
					require.NotEmpty(t, theirs)
					if reflect.DeepEqual(nobodys, theirs) {
						break
					}
					// The pool pings a connection that was unused for a second, which happens
					// here only on a busy machine.
				}
				require.Equal(t, nobodys, theirs, who.FullName)
			}
		})
	}
}
