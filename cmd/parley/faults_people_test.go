package main

// The faults that people make: many at the same time, of the same conversation or of their tasks.

import (
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
	signedOut = 5 * time.Second * slower
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

func revokeMany(ctx context.Context, l *load, random *rand.Rand) error {
	k, err := l.guest(ctx, random.IntN(100))
	if err != nil {
		return err
	}
	for i := range 10 {
		l.share(ctx, "revoke", k, i, true)
		id := uuid.Must(uuid.NewV7())
		l.stop(ctx, "revoke", k.owner, i, k.id)
		l.send(ctx, "revoke", k.owner, i, k.id, id, fmt.Sprintf("%s key=%s seed=%d tokens=40 rate=40", canary(k.owner.org), id, i))
		wait(ctx, time.Duration(random.IntN(600))*time.Millisecond)
		l.share(ctx, "revoke", k, i+1, false)
		wait(ctx, 300*time.Millisecond)
	}
	return nil
}

// signOut ends the sign-in of one more person, whose socket is open at another node.
func signOut(ctx context.Context, l *load, _ *rand.Rand) error {
	bearer, err := bearerOf(ctx, l.members[0].url, demo.People()[2].Email, demoPassword)
	if err != nil {
		return err
	}
	h := &human{email: demo.People()[2].Email, bearer: bearer}
	var me struct {
		UUID uuid.UUID `json:"uuid"`
	}
	if err := l.get(ctx, h, http.MethodGet, "user/me", nil, &me); err != nil {
		return err
	}
	h.uuid = me.UUID
	conn, err := l.socketOf(ctx, h, l.members[1].url)
	if err != nil {
		return err
	}
	defer conn.Close()
	if a := l.call(ctx, h, 2, http.MethodPost, "user/me/logout", nil); a.outcome() != history.OK {
		return fmt.Errorf("sign out: %d %s %w", a.status, a.body, a.err)
	}
	if err := conn.SetReadDeadline(time.Now().Add(signedOut)); err != nil {
		return err
	}
	for {
		_, _, err := conn.ReadMessage()
		var closed *websocket.CloseError
		switch {
		case err == nil: // a frame that was under way
		case errors.As(err, &closed) && closed.Code == closeSignedOut:
			return nil
		default:
			return fmt.Errorf("the socket of a sign-in that ended: %w", err)
		}
	}
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
