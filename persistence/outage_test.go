package persistence_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// proxy is between a store and its server, and breaks connections.
type proxy struct {
	t      *testing.T
	target string
	url    string

	// committed is the server's message that a commit has succeeded.
	committed []byte
	// loseCommits is how many answers to a commit still get lost, with their connection.
	loseCommits atomic.Int32
	// refused receives a signal for each connection that was refused.
	refused chan struct{}

	// mu guards the fields below it.
	mu    sync.Mutex
	down  bool // new connections are refused
	conns map[net.Conn]bool
}

// newProxy returns a proxy for the server of a URL with a unix socket.
func newProxy(t *testing.T, url string) *proxy {
	t.Helper()
	cfg, err := pgx.ParseConfig(url)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(cfg.Host, "/"), "the test server listens on a unix socket")
	name := ".s.PGSQL.5432"
	dir, err := os.MkdirTemp("", "pp") //nolint:usetesting // the path of a socket must be short, and that of t.TempDir is long
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	p := &proxy{
		t: t, committed: []byte("COMMIT\x00"), target: filepath.Join(cfg.Host, ".s.PGSQL."+strconv.Itoa(int(cfg.Port))),
		conns: make(map[net.Conn]bool), refused: make(chan struct{}, 1000),
	}
	p.url = "host=" + dir + " port=5432 user=" + cfg.User + " dbname=" + cfg.Database + " password='" + cfg.Password + "'"
	l, err := net.Listen("unix", filepath.Join(dir, name))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, l.Close()) })
	go p.serve(l)
	return p
}

func (p *proxy) serve(l net.Listener) {
	for {
		client, err := l.Accept()
		if err != nil {
			return
		}
		server, err := net.Dial("unix", p.target)
		if err != nil || !p.take(client, server) {
			client.Close()
			if err == nil {
				server.Close()
			}
			select {
			case p.refused <- struct{}{}:
			default: // a waiting test needs only one
			}
			continue
		}
		go p.pass(server, client, false)
		go p.pass(client, server, true)
	}
}

// pass copies one direction until it breaks.
func (p *proxy) pass(to, from net.Conn, answers bool) {
	defer to.Close()
	defer from.Close()
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if answers && bytes.Contains(buffer[:n], p.committed) && p.loseCommits.Load() > 0 {
			p.loseCommits.Add(-1)
			return
		}
		if n > 0 {
			if _, err := to.Write(buffer[:n]); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// take lets a connection through, unless the server is down.
func (p *proxy) take(client, server net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.down {
		return false
	}
	p.conns[client], p.conns[server] = true, true
	return true
}

// back lets connections through again.
func (p *proxy) back() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = false
}

// fall breaks every connection and refuses new ones.
func (p *proxy) fall() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.down = true
	for c := range p.conns {
		c.Close()
		delete(p.conns, c)
	}
}

// F25: the commit has succeeded and its answer was lost. The journal finds that out, so
// that the write is stored once and acknowledged.
func TestJournal_LostAnswer(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	p := newProxy(t, url)
	weak := persistencetest.OpenURL(t, p.url)
	j := startJournal(t, weak, persistence.JournalConfig{})
	o := own(t, s, j, persistencetest.Anna)
	o.must(domain.Write{Events: []domain.Event{event(domain.EventTurnProgress)}})
	head, _, err := s.Sessions.ClaimSession(ctx, o.caller.UserUUID, "home")
	require.NoError(t, err)

	p.loseCommits.Store(1)
	r := o.must(domain.Write{
		Events:     []domain.Event{event(domain.EventMessageCreated)},
		UserEvents: []domain.UserEventDraft{{Type: domain.EventMessageCreated, Data: json.RawMessage(`{}`)}},
	})
	require.Zero(t, p.loseCommits.Load(), "no answer was lost: the test proves nothing")
	require.Len(t, r.UserEvents, 1)
	require.Equal(t, head+1, r.UserEvents[0].Seq)
	require.Equal(t, "home", r.UserEvents[0].Home)
	o.must(domain.Write{Events: []domain.Event{event(domain.EventTurnProgress)}})
	events, err := s.ConversationStore.Events(ctx, o.Conversation, 1, 10)
	require.NoError(t, err)
	require.Len(t, events, 3)
}

// People whose right was changed by a commit with a lost answer get an event as well, above
// all those who may not read any more.
func TestJournal_LostAnswerOfGrants(t *testing.T) { // G9, G15
	t.Parallel()
	s, url := openURL(t)
	p := newProxy(t, url)
	weak := persistencetest.OpenURL(t, p.url)
	o := own(t, s, startJournal(t, weak, persistence.JournalConfig{}), persistencetest.Anna)
	ben := persistencetest.Caller(t, s, persistencetest.Ben)
	for i, permission := range []domain.Permission{domain.PermissionRead, domain.PermissionRemove} {
		p.loseCommits.Store(1)
		r := o.grant(persistencetest.Ben, permission)
		require.Zero(t, p.loseCommits.Load(), "no answer was lost: the test proves nothing")
		told := false
		for _, e := range r.UserEvents {
			if e.UserID == ben.UserID {
				told = true
				want := []domain.EventType{domain.EventConversationCreated, domain.EventConversationDeleted}[i]
				require.Equal(t, want, e.Type)
			}
		}
		require.True(t, told, "%s: %v", permission, r.UserEvents)
	}
	// The owner of a deleted conversation gets an event, too.
	p.loseCommits.Store(1)
	o.must(domain.Write{Events: []domain.Event{event(domain.EventConversationDeleted)}, Delete: true, UserEvents: []domain.UserEventDraft{
		{Type: domain.EventConversationDeleted, Data: json.RawMessage(`{}`)},
	}})
	events, err := s.ConversationStore.NewestUserEvents(t.Context(), o.Conversation, nil)
	require.NoError(t, err)
	require.Len(t, events, 1)
	require.Equal(t, o.caller.UserID, events[0].UserID)
	require.Equal(t, domain.EventConversationDeleted, events[0].Type)
}

// F20: the server has crashed before a commit was on its disk, and has given the number of the
// transaction to another one, which succeeded. The owner must not take that for its own success.
func TestJournal_NumberUsedAgain(t *testing.T) { // G2, G5
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	super := persistencetest.Connect(t, url, "")
	database := pgx.Identifier{super.Config().Database}.Sanitize()
	// Every other write loses its connection at its commit.
	_, err := super.Exec(ctx, `
		CREATE SCHEMA crashed;
		CREATE SEQUENCE crashed.commits;
		GRANT USAGE ON SCHEMA crashed TO public;
		CREATE FUNCTION crashed.pg_xact_status(xid8) RETURNS text LANGUAGE sql AS $$ SELECT 'committed' $$;
		CREATE FUNCTION crashed.crash() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
			IF nextval('crashed.commits') % 2 = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(1); END IF;
			RETURN NULL;
		END $$;
		ALTER DATABASE `+database+` SET search_path = crashed, public, pg_catalog`)
	require.NoError(t, err)
	o := own(t, s, startJournal(t, persistencetest.OpenURL(t, url), persistence.JournalConfig{}), persistencetest.Anna)
	turn, prompt := o.prompt("Why?")
	message := o.open(turn, prompt)
	step := func(number int) []domain.Step {
		return []domain.Step{{
			TurnID: turn, Number: number, Attempt: 1, Kind: domain.StepTool, Name: "query", Status: domain.StepRunning, Input: []byte("{}"),
		}}
	}
	for _, tt := range []struct {
		name, table string
		write       domain.Write
	}{
		{"Event", "conversation_event", domain.Write{Events: []domain.Event{event(domain.EventTurnProgress)}}},
		{"TextWithStep", "message_chunk", domain.Write{Chunks: []domain.Chunk{{Message: message, Text: "Because"}}, Steps: step(1)}},
		{"Step", "step", domain.Write{Steps: step(2)}},
	} {
		_, err = super.Exec(ctx, "CREATE CONSTRAINT TRIGGER crash AFTER INSERT ON "+tt.table+
			" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION crashed.crash()")
		require.NoError(t, err, tt.name)
		before := rowsIn(t, super, tt.table)
		requireCode(t, domain.CodeUnavailable, o.try(tt.write).Err)
		require.Equal(t, before, rowsIn(t, super, tt.table), "%s: the crash has stored it, so the test proves nothing", tt.name)
		o.must(tt.write)
		require.Equal(t, before+1, rowsIn(t, super, tt.table), tt.name)
		_, err = super.Exec(ctx, "DROP TRIGGER crash ON "+tt.table)
		require.NoError(t, err, tt.name)
	}
}

// rowsIn counts the rows of a table.
func rowsIn(t *testing.T, db *pgx.Conn, table string) (n int) {
	t.Helper()
	require.NoError(t, db.QueryRow(t.Context(), "SELECT count(*) FROM "+table).Scan(&n))
	return n
}

// The answer to a commit of text with a step was lost: the text itself shows that it is stored.
func TestJournal_LostAnswerOfText(t *testing.T) { // G5
	t.Parallel()
	s, url := openURL(t)
	p := newProxy(t, url)
	o := own(t, s, startJournal(t, persistencetest.OpenURL(t, p.url), persistence.JournalConfig{}), persistencetest.Anna)
	turn, prompt := o.prompt("Why?")
	message := o.open(turn, prompt)
	p.loseCommits.Store(1)
	o.must(domain.Write{Chunks: []domain.Chunk{{Message: message, Text: "Because"}}, Steps: []domain.Step{{
		TurnID: turn, Number: 1, Attempt: 1, Kind: domain.StepTool, Name: "query", Status: domain.StepRunning, Input: []byte("{}"),
	}}})
	require.Zero(t, p.loseCommits.Load(), "no answer was lost: the test proves nothing")
	require.Equal(t, 1, rowsIn(t, persistencetest.Connect(t, url, ""), "message_chunk"))
}

// F19: the database is down for a while. Writes wait and are not lost.
func TestJournal_Outage(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	p := newProxy(t, url)
	weak := persistencetest.OpenURL(t, p.url)
	j := startJournal(t, weak, persistence.JournalConfig{})
	o := own(t, s, j, persistencetest.Anna)
	o.must(domain.Write{Events: []domain.Event{event(domain.EventTurnProgress)}})
	p.fall()
	waiting := submit(j, o.write(domain.Write{Events: []domain.Event{event(domain.EventTurnProgress)}}))
	for range 3 {
		select {
		case r := <-waiting:
			require.Fail(t, "answered without a database", "%v", r)
		case <-p.refused:
		}
	}
	_, err := weak.Conversations.Conversation(t.Context(), o.caller, o.Conversation)
	requireCode(t, domain.CodeUnavailable, err)
	p.back()
	require.NoError(t, (<-waiting).Err)
}

// A turn that reads while the database is down waits; a caller without patience gets the
// error at once.
func TestStore_RetryTime(t *testing.T) { // F19
	t.Parallel()
	s, url := openURL(t)
	o := own(t, s, startJournal(t, s, persistence.JournalConfig{}), persistencetest.Anna)
	p := newProxy(t, url)
	weak := persistencetest.OpenURL(t, p.url)
	patient := domain.WithRetryTime(t.Context(), time.Minute)
	for name, read := range map[string]func(context.Context) error{
		"Request": func(ctx context.Context) error {
			_, err := weak.Conversations.Conversation(ctx, o.caller, o.Conversation)
			return err
		},
		"Engine": func(ctx context.Context) error {
			_, err := weak.ConversationStore.Events(ctx, o.Conversation, 0, 10)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			p.fall()
			requireCode(t, domain.CodeUnavailable, read(t.Context()))
			for len(p.refused) > 0 {
				<-p.refused
			}
			waiting := make(chan error, 1)
			go func() { waiting <- read(patient) }()
			for range 3 {
				select {
				case err := <-waiting:
					require.Fail(t, "answered without a database", "%v", err)
				case <-p.refused:
				}
			}
			p.back()
			require.NoError(t, <-waiting)
		})
	}
	p.fall()
	requireCode(t, domain.CodeUnavailable, func() error {
		_, err := weak.ConversationStore.Events(domain.WithRetryTime(t.Context(), 50*time.Millisecond), o.Conversation, 0, 10)
		return err
	}())
}

// The number of waiting writes is bounded: further ones are refused at once, with a message that says why.
func TestJournal_Pending(t *testing.T) { // G17
	t.Parallel()
	s, url := openURL(t)
	p := newProxy(t, url)
	weak := persistencetest.OpenURL(t, p.url)
	j := startJournal(t, weak, persistence.JournalConfig{Pending: 5})
	o := own(t, s, j, persistencetest.Anna)
	p.fall()
	results := make(chan domain.WriteResult, 20)
	for range cap(results) {
		j.Submit(o.write(domain.Write{Events: []domain.Event{event(domain.EventTurnProgress)}}), func(r domain.WriteResult) { results <- r })
	}
	// Five wait, and one is in flight if a lane took it before the others were submitted;
	// the rest are answered at once.
	for range 14 {
		requireCode(t, domain.CodeUnavailable, (<-results).Err)
	}
	p.back()
	refused, written := 0, 0
	for range 6 {
		switch r := <-results; {
		case r.Err == nil:
			written++
		case domain.CodeOf(r.Err) == domain.CodeUnavailable:
			refused++
		}
	}
	require.LessOrEqual(t, refused, 1)
	require.Positive(t, written)
}

// If the database is down for too long, the owner gets an error, and the node continues.
func TestJournal_OutageForTooLong(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	p := newProxy(t, url)
	weak := persistencetest.OpenURL(t, p.url)
	j := startJournal(t, weak, persistence.JournalConfig{RetryFor: 50 * time.Millisecond})
	o := own(t, s, j, persistencetest.Anna)
	p.fall()
	requireCode(t, domain.CodeUnavailable, o.try(domain.Write{Events: []domain.Event{event(domain.EventTurnProgress)}}).Err)
	p.back()
	// Even if that short time is over before the database is back, the journal works again afterwards.
	require.Eventually(t, func() bool {
		return o.try(domain.Write{Events: []domain.Event{event(domain.EventTurnProgress)}}).Err == nil
	}, time.Minute, time.Millisecond)
}

// When the context ends, all waiting writes are answered.
func TestJournal_Cancel(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	p := newProxy(t, url)
	weak := persistencetest.OpenURL(t, p.url)
	ctx, cancel := context.WithCancel(t.Context())
	j := weak.NewJournal(persistence.JournalConfig{})
	require.NoError(t, j.Start(ctx))
	o := own(t, s, j, persistencetest.Anna)
	p.fall()
	waiting := submit(j, o.write(domain.Write{Events: []domain.Event{event(domain.EventTurnProgress)}}))
	cancel()
	requireCode(t, domain.CodeUnavailable, (<-waiting).Err)
	j.Stop()
}
