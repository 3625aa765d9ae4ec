package main

// The faults that people make: many at the same time, of the same conversation or of their tasks.

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/fasthttp/websocket"
	"github.com/google/uuid"

	"parley.dev/parley/internal/demo"
	"parley.dev/parley/internal/history"
)

const (
	// manySends is how often one prompt is sent at once, and manyRaces how many races there are.
	manySends, manyRaces = 50, 100
	// signedOut is how long a socket may live after its sign-in has ended.
	signedOut = 5 * time.Second
	// cutReader is how long after a revoke its reader may be shown anything.
	cutReader = time.Second
	// closeSignedOut is the code with which it is closed (docs/stream-protocol.md).
	closeSignedOut = 4401
)

func faultsOfPeople() []*fault {
	return []*fault{
		{
			name: "no fault, for 10 s", most: 3 * time.Second, unharmed: true,
			do: func(ctx context.Context, _ *load, _ *rand.Rand) error {
				wait(ctx, 10*time.Second)
				return nil
			},
		},
		{name: "no fault, 18 fast answers", most: 5 * time.Second, unharmed: true, do: manyAnswers},
		{name: "no fault, quick subscriptions", most: 5 * time.Second, unharmed: true, do: restless},
		{name: "F40 one prompt sent 50 times in tabs at all nodes", most: 10 * time.Second, unharmed: true, do: sendMany},
		{name: "F49 1,000 tasks are due while a node dies", most: 20 * time.Second, leave: true, do: dueMany},
		{name: "F50 a share is taken away in mid-stream, 10 times", short: true, most: 5 * time.Second, unharmed: true, do: revokeMany},
		{name: "F51 a sign-in ends in mid-stream", most: 5 * time.Second, unharmed: true, do: signOut},
		{name: "F52 rewinds, stops and deletions, 100 races", most: 10 * time.Second, unharmed: true, do: raceMany},
	}
}

// guest makes a conversation that only the fault uses, with its followers.
func (l *load) guest(ctx context.Context, i int) (*talk, error) {
	owner := 2 * (i % (len(l.humans) / 2))
	k, err := l.newTalk(ctx, l.humans[owner], l.humans[owner+1])
	if err != nil {
		return nil, err
	}
	for _, f := range []*follower{k.own, k.shared} {
		l.followers.Go(func() { f.follow(l.life) })
	}
	// The tabs do not know it, and at the end it is compared as all others.
	l.mu.Lock()
	defer l.mu.Unlock()
	l.guests = append(l.guests, k)
	return k, nil
}

// manyAnswers keeps many answers streaming fast, each to two readers, so that a commit shows the text
// of several conversations.
func manyAnswers(ctx context.Context, l *load, _ *rand.Rand) error {
	var talks []*talk
	for i := range 18 {
		k, err := l.guest(ctx, i)
		if err != nil {
			return err
		}
		talks = append(talks, k)
		l.share(ctx, "fast", k, i, true)
	}
	for i, k := range talks {
		id := uuid.Must(uuid.NewV7())
		l.send(ctx, "fast", k.owner, i, k.id, id, fmt.Sprintf("%s key=%s seed=%d tokens=1500 rate=150", canary(k.owner.org), id, i))
	}
	wait(ctx, 12*time.Second)
	return nil
}

func sendMany(ctx context.Context, l *load, random *rand.Rand) error {
	k, err := l.guest(ctx, random.IntN(100))
	if err != nil {
		return err
	}
	id := uuid.Must(uuid.NewV7())
	text := prompt(random, k.owner, id, 30)
	var all sync.WaitGroup
	outcomes := make([]history.Outcome, manySends)
	for i := range outcomes {
		all.Go(func() { outcomes[i] = l.send(ctx, "many-"+strconv.Itoa(i), k.owner, i, k.id, id, text) })
	}
	all.Wait()
	for i, o := range outcomes {
		if o != history.OK {
			return fmt.Errorf("the repeated prompt had the outcome %s in tab %d", o, i)
		}
	}
	return nil
}

// revokeMany takes a share away while its reader is shown an answer, again and again.
func revokeMany(ctx context.Context, l *load, random *rand.Rand) error {
	k, err := l.guest(ctx, random.IntN(100))
	if err != nil {
		return err
	}
	for i := range 10 {
		l.share(ctx, "revoke", k, i, true)
		id := uuid.Must(uuid.NewV7())
		l.stop(ctx, "revoke", k.owner, i, k.id)
		l.send(ctx, "revoke", k.owner, i, k.id, id, fmt.Sprintf("%s key=%s seed=%d tokens=200 rate=40", canary(k.owner.org), id, i))
		// The answer runs, and the reader has everything up to its beginning.
		head, status := int64(0), ""
		if !waitUntil(ctx, func() bool {
			err := l.db.QueryRow(ctx, "SELECT c.next_seq - 1, t.status FROM conversation c, turn t WHERE c.id = $1 AND t.prompt_id = $2",
				k.id, id).Scan(&head, &status)
			return err == nil && k.shared.holds(head)
		}) || status != "running" {
			return fmt.Errorf("the reader is not shown the answer, which is %q", status)
		}
		wait(ctx, time.Duration(random.IntN(600))*time.Millisecond)
		l.share(ctx, "revoke", k, i+1, false)
		// What comes after it would be late.
		within, cancel := context.WithTimeout(ctx, cutReader*slower)
		waitUntil(within, k.shared.isOver)
		cancel()
		wait(ctx, 300*time.Millisecond)
		if err := l.cutInTime(k); err != nil {
			return err
		}
	}
	return nil
}

// isOver says whether the follower was told that it may not read the conversation.
func (f *follower) isOver() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.view != nil && f.view.Over()
}

// cutInTime compares what the reader of a conversation has got since the latest revoke with what it may get.
func (l *load) cutInTime(k *talk) error {
	lines := l.recorder.History().Lines
	var revoke *history.Op
	for i := range lines {
		if op := lines[i].Op; op != nil && op.Kind == history.Revoke && op.Conversation == k.id && op.Outcome == history.OK {
			revoke = op
		}
	}
	if revoke == nil {
		return errors.New("no revoke was acknowledged")
	}
	denied, last := false, revoke.Return
	for i := range lines {
		if f := lines[i].Frame; f != nil && f.Client == k.shared.name && f.At > revoke.Invoke {
			denied, last = denied || f.Type == "denied", max(last, f.At)
		}
	}
	if !denied {
		return errors.New("the reader was not told that the share was taken away")
	}
	return l.inTime("a reader is cut after the revoke", time.Duration(last-revoke.Return), cutReader)
}

// signOut ends the sign-ins of one more person, who is shown an answer at another node: by a log-out, by their age, and
// because the person does nothing.
func signOut(ctx context.Context, l *load, _ *rand.Rand) error {
	for _, by := range []string{"", "began_at = began_at - interval '13 hours'", "active_at = active_at - interval '5 hours'"} {
		if err := l.signedOut(ctx, by); err != nil {
			return fmt.Errorf("a sign-in that ends (%s): %w", cmp.Or(by, "log-out"), err)
		}
	}
	return nil
}

// signedOut ends one sign-in in mid-stream: by a change of its row, or by a log-out.
func (l *load) signedOut(ctx context.Context, by string) error {
	k, err := l.guest(ctx, 0)
	if err != nil {
		return err
	}
	h, conn, err := l.audience(ctx, k)
	if err != nil {
		return err
	}
	defer conn.Close()
	id := uuid.Must(uuid.NewV7())
	if o := l.send(ctx, "signed-out", k.owner, 0, k.id, id, fmt.Sprintf("%s key=%s seed=7 tokens=300 rate=20", canary(k.owner.org), id)); o !=
		history.OK {
		return fmt.Errorf("the prompt had the outcome %s", o)
	}
	if err := conn.SetReadDeadline(time.Now().Add(callTime)); err != nil {
		return err
	}
	for pieces := 0; pieces < 10; {
		_, raw, err := conn.ReadMessage()
		if err != nil {
			return fmt.Errorf("read the answer: %w", err)
		}
		if bytes.Contains(raw, []byte(`"message.delta"`)) {
			pieces++
		}
	}
	if by == "" {
		if a := l.call(ctx, h, 2, http.MethodPost, "user/me/logout", nil); a.outcome() != history.OK {
			return fmt.Errorf("sign out: %d %s %w", a.status, a.body, a.err)
		}
	} else if done, err := l.db.Exec(ctx, "UPDATE sign_in SET "+by+" WHERE user_id = $1 AND ended_at IS NULL", h.id); err != nil ||
		done.RowsAffected() == 0 {
		return fmt.Errorf("change %d sign-ins: %w", done.RowsAffected(), err)
	}
	ended := time.Now()
	if err := conn.SetReadDeadline(ended.Add(callTime)); err != nil {
		return err
	}
	for err == nil {
		_, _, err = conn.ReadMessage() // the answer goes on until the socket is closed
	}
	took := time.Since(ended)
	if closed := (*websocket.CloseError)(nil); !errors.As(err, &closed) || closed.Code != closeSignedOut {
		return fmt.Errorf("its socket: %w", err)
	}
	for _, m := range l.members {
		if !waitUntil(ctx, func() bool {
			status, _, err := l.try(ctx, h, m.url, http.MethodGet, "user/me", "", nil)
			return err == nil && status == http.StatusUnauthorized
		}) {
			return fmt.Errorf("%s takes its bearer", m.name)
		}
	}
	refused := time.Since(ended)
	status := ""
	if err := l.db.QueryRow(ctx, "SELECT status FROM turn WHERE prompt_id = $1", id).Scan(&status); err != nil || status != "running" {
		return fmt.Errorf("the answer, which is the work of somebody else, is %q: %w", status, err)
	}
	return errors.Join(
		l.inTime("a socket is closed after its sign-in has ended", took, signedOut),
		l.inTime("every node refuses its bearer after", refused, signedOut),
	)
}

// audience signs one more person in, shares a conversation with them, and opens their socket on it.
func (l *load) audience(ctx context.Context, k *talk) (*human, *websocket.Conn, error) {
	email := demo.People()[2].Email
	bearer, err := bearerOf(ctx, l.members[0].url, email, demoPassword)
	if err != nil {
		return nil, nil, err
	}
	h := &human{email: email, bearer: bearer, org: k.owner.org}
	var me struct {
		ID   int64     `json:"id"`
		UUID uuid.UUID `json:"uuid"`
	}
	if err := l.get(ctx, h, http.MethodGet, "user/me", nil, &me); err != nil {
		return nil, nil, err
	}
	h.id, h.uuid = me.ID, me.UUID
	if o := l.grant(ctx, "signed-out", k.owner, h, 0, k.id, "read"); o != history.OK {
		return nil, nil, fmt.Errorf("the share had the outcome %s", o)
	}
	conn, err := l.socketOf(ctx, h, l.members[1].url)
	if err != nil {
		return nil, nil, err
	}
	if err := conn.WriteJSON(map[string]any{"type": "subscribe", "conversation": k.id}); err != nil {
		return nil, nil, errors.Join(err, conn.Close())
	}
	return h, conn, nil
}

// raceMany lets two or three calls race for a conversation while its answer is streaming.
func raceMany(ctx context.Context, l *load, random *rand.Rand) error {
	var k *talk
	for i := range manyRaces {
		if k == nil || i%5 == 0 {
			var err error
			if k, err = l.guest(ctx, i); err != nil {
				return err
			}
		}
		id := uuid.Must(uuid.NewV7())
		l.send(ctx, "race", k.owner, i, k.id, id, prompt(random, k.owner, id, 60))
		wait(ctx, time.Duration(random.IntN(200))*time.Millisecond)
		var both sync.WaitGroup
		both.Go(func() { l.rewind(ctx, "race-rewind", k.owner, i+1, k.id, id) })
		both.Go(func() { l.stop(ctx, "race-stop", k.owner, i+2, k.id) })
		if i%5 == 4 {
			k.mu.Lock()
			k.deleted = true
			k.mu.Unlock()
			both.Go(func() { l.delete(ctx, "race-delete", k.owner, i, k.id) })
			k.own.want(false)
		} else {
			next := uuid.Must(uuid.NewV7())
			text := prompt(random, k.owner, next, 20)
			both.Go(func() { l.send(ctx, "race-send", k.owner, i, k.id, next, text) })
		}
		both.Wait()
		l.read(ctx, "race", k.owner, i+1, k.id)
	}
	return nil
}
