package main

// The load of the faults: people of three organizations who send, stop, rewind, read, share and
// delete in two tabs at different servers, at random.

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/provider/scripted"
	"parley.dev/parley/internal/demo"
	"parley.dev/parley/internal/history"
)

const (
	// talksEach is how many conversations each owner has at the same time.
	talksEach = 3
	// thinkTime is the longest pause of a tab between two calls. With the race detector a call costs a multiple.
	thinkTime = slower * 400 * time.Millisecond
)

// talk is a conversation of the run.
type talk struct {
	id            uuid.UUID
	owner, friend *human
	own, shared   *follower
	// more are further sockets of the owner, which a fault has opened.
	more []*follower

	// mu guards the fields below. prompts are those that were acknowledged, also if they were
	// removed since.
	mu      sync.Mutex
	prompts []uuid.UUID
	deleted bool
	// sharing is held while a right is changed, so that the follower wants what the owner gave.
	sharing sync.Mutex
}

func (k *talk) isDeleted() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.deleted
}

// newWorld signs everybody in.
func newWorld(t *testing.T, b *bed) *world {
	t.Helper()
	w := &world{bed: b, recorder: &history.Recorder{}, http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}}
	people := demo.People()
	emails := []string{people[0].Email, people[1].Email, people[3].Email, people[4].Email, loadPerson(0).email, loadPerson(1).email}
	for i, email := range emails {
		h := &human{email: email, org: "org" + strconv.Itoa(i/2)}
		var err error
		h.bearer, err = bearerOf(t.Context(), b.members[0].url, email, demoPassword)
		require.NoError(t, err)
		var me struct {
			ID   int64     `json:"id"`
			UUID uuid.UUID `json:"uuid"`
		}
		require.NoError(t, w.get(t.Context(), h, http.MethodGet, "user/me", nil, &me))
		h.id, h.uuid = me.ID, me.UUID
		var agents struct {
			Results []struct {
				ID   int64  `json:"id"`
				Name string `json:"name"`
			} `json:"results"`
		}
		require.NoError(t, w.get(t.Context(), h, http.MethodGet, "analyst/analysts?filter_enabled=false", nil, &agents))
		for _, a := range agents.Results {
			if a.Name == loadAnalyst {
				h.agent = a.ID
			}
		}
		require.NotZero(t, h.agent)
		w.humans = append(w.humans, h)
		if i%2 == 0 {
			w.orgs = append(w.orgs, h.org)
		}
	}
	return w
}

// load is a running workload.
type load struct {
	*world
	random *rand.Rand
	// tabs and followers end with the contexts that ended them.
	stopTabs, stopFollowers context.CancelFunc
	tabs, followers         sync.WaitGroup
	life                    context.Context
	// quiet are conversations that nobody calls while a fault lasts: their turns end without any help.
	quiet []*talk
	// guests are those that a fault uses by itself; the lock of world guards them.
	guests []*talk
	// tasks are the due times of a fault with their runs.
	tasks []history.StoredTask
}

// startLoad makes the conversations and starts everybody.
func startLoad(t *testing.T, w *world, random *rand.Rand) *load {
	t.Helper()
	l := &load{world: w, random: random}
	l.life, l.stopFollowers = context.WithCancel(context.WithoutCancel(t.Context()))
	for i := 0; i < len(w.humans); i += 2 {
		for range talksEach {
			k, err := l.newTalk(l.life, w.humans[i], w.humans[i+1])
			require.NoError(t, err)
			l.begin(k)
		}
	}
	for i := 1; i < len(w.humans); i += 2 {
		k, err := l.newTalk(l.life, w.humans[i], w.humans[i-1])
		require.NoError(t, err)
		// Nobody reads it either: a reader that comes back would wake its owner.
		k.own.want(false)
		l.begin(k)
		l.quiet = append(l.quiet, k)
	}
	tabs, stop := context.WithCancel(l.life)
	l.stopTabs = stop
	for i := 0; i < len(w.humans); i += 2 {
		for tab := range 2 {
			own := rand.New(rand.NewPCG(random.Uint64(), uint64(tab)))
			name := fmt.Sprintf("%s-%d", w.humans[i].email, tab)
			l.tabs.Go(func() { l.tab(tabs, own, name, w.humans[i], tab) })
		}
	}
	return l
}

// newTalk makes a conversation.
func (l *load) newTalk(ctx context.Context, owner, friend *human) (*talk, error) {
	var made struct {
		ID uuid.UUID `json:"id"`
	}
	err := l.get(ctx, owner, http.MethodPost, "discourse/conversations", map[string]any{"name": canary(owner.org)}, &made)
	if err != nil {
		return nil, err
	}
	k := &talk{id: made.ID, owner: owner, friend: friend}
	k.own = &follower{w: l.world, h: owner, id: k.id, name: "own-" + k.id.String(), owns: true, wanted: true, node: rand.IntN(3)}
	k.shared = &follower{w: l.world, h: friend, id: k.id, name: "shared-" + k.id.String(), node: rand.IntN(3)}
	return k, nil
}

// begin lets the followers follow, and gives the conversation to the tabs.
func (l *load) begin(k *talk) {
	for _, f := range []*follower{k.own, k.shared} {
		l.followers.Go(func() { f.follow(l.life) })
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.talks = append(l.talks, k)
}

// living are the conversations that are not deleted; of one owner, or of all for nil.
func (l *load) living(owner *human) []*talk {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(l.talks), func(k *talk) bool { return owner != nil && k.owner != owner || k.isDeleted() })
}

// prompt is a text whose answer is known, with the id with which it is sent.
func prompt(random *rand.Rand, h *human, id uuid.UUID, tokens int) string {
	return fmt.Sprintf("%s key=%s seed=%d tokens=%d rate=%d", canary(h.org), id, random.IntN(1_000_000), tokens, 15+random.IntN(25))
}

// tab makes random calls until ctx ends. A call that runs then comes to its end.
func (l *load) tab(ctx context.Context, random *rand.Rand, name string, h *human, tab int) {
	life := context.WithoutCancel(ctx)
	for ctx.Err() == nil {
		wait(ctx, time.Duration(random.Int64N(int64(thinkTime))))
		talks := l.living(h)
		if len(talks) == 0 {
			return
		}
		k, node := talks[random.IntN(len(talks))], random.IntN(len(l.members))
		switch n := random.IntN(100); {
		case n < 40:
			l.ask(life, random, name, k, node)
		case n < 46:
			l.askTwice(life, random, name, k)
		case n < 56:
			l.stop(life, name, h, node, k.id)
		case n < 64:
			k.mu.Lock()
			id := uuid.Nil
			if len(k.prompts) > 0 {
				id = k.prompts[max(0, len(k.prompts)-1-random.IntN(3))]
			}
			k.mu.Unlock()
			if id != uuid.Nil {
				l.rewind(life, name, h, node, k.id, id)
			}
		case n < 84:
			l.read(life, name, h, node, k.id)
		case n < 92:
			l.share(life, name, k, node, random.IntN(2) == 0)
		case n < 98:
			k.own.cut()
			k.shared.cut()
		case tab == 0:
			l.replace(life, name, k, node)
		}
	}
}

// ask sends a prompt, whose answer takes up to three seconds.
func (l *load) ask(ctx context.Context, random *rand.Rand, name string, k *talk, node int) {
	id := uuid.Must(uuid.NewV7())
	if l.send(ctx, name, k.owner, node, k.id, id, prompt(random, k.owner, id, 5+random.IntN(60))) == history.OK {
		k.mu.Lock()
		k.prompts = append(k.prompts, id)
		k.mu.Unlock()
	}
}

// askLast sends a prompt that names the last message, as the web does. The owner accepts no other one.
func (l *load) askLast(ctx context.Context, random *rand.Rand, k *talk, node int) {
	seen := uuid.Nil
	if c := l.read(ctx, "last", k.owner, node, k.id); c != nil {
		for _, m := range c.Messages {
			if m.Role != "internal" {
				seen = m.ID
			}
		}
	}
	id := uuid.Must(uuid.NewV7())
	l.sendAfter(ctx, "last", k.owner, node, k.id, id, seen, prompt(random, k.owner, id, 5+random.IntN(60)))
}

// askLong begins an answer of a quarter of a minute in each of some conversations.
func (l *load) askLong(ctx context.Context, talks []*talk) {
	for i, k := range talks {
		id := uuid.Must(uuid.NewV7())
		l.mu.Lock() // faults that overlap choose at the same time
		seed := l.random.IntN(1_000_000)
		l.mu.Unlock()
		text := fmt.Sprintf("%s key=%s seed=%d tokens=300 rate=20", canary(k.owner.org), id, seed)
		l.stop(ctx, "long", k.owner, i, k.id)
		l.send(ctx, "long", k.owner, i, k.id, id, text)
	}
}

// askApart sends a prompt to each of some conversations through one node, again and again, while the
// network between the nodes is cut.
func (l *load) askApart(ctx context.Context, node int, talks []*talk) {
	m := l.members[node%len(l.members)]
	var all sync.WaitGroup
	for _, k := range talks {
		id := uuid.Must(uuid.NewV7())
		op := l.world.begin("apart", k.owner, history.Send, k.id)
		op.Message = id
		text := fmt.Sprintf("%s key=%s seed=7 tokens=20 rate=20", canary(k.owner.org), id)
		all.Go(func() {
			body, err := json.Marshal(map[string]any{
				"conversationId": k.id, "message": map[string]any{"id": id, "text": text, "analystId": k.owner.agent},
			})
			if err != nil {
				return
			}
			within, cancel := context.WithTimeout(ctx, apartFor)
			defer cancel()
			for status := 0; status != http.StatusOK && within.Err() == nil; wait(within, 200*time.Millisecond) {
				status, _, _ = l.try(within, k.owner, m.url, http.MethodPost, "discourse/user-text", "", body) // it is tried again
			}
			// A try that was ended may have been taken as well, so nothing is said of it.
			op.Return, op.Outcome = l.now(), history.Unknown
			l.recorder.Add(history.Line{Op: op})
		})
	}
	all.Wait()
}

// orphansMost is how long after a fault a running turn may be without an owner that lives.
const orphansMost = 15 * time.Second * slower

// orphans waits until every running turn has an owner that lives.
func (w *world) orphans(ctx context.Context, over int64) error {
	const sql = "SELECT count(*) FROM turn t JOIN conversation c ON c.id = t.conversation_id WHERE t.status = 'running' AND NOT EXISTS " +
		"(SELECT FROM cluster_member m WHERE m.node = c.node AND m.expires_at > clock_timestamp())"
	n := 0
	within, cancel := context.WithTimeout(ctx, orphansMost-time.Duration(w.now()-over))
	defer cancel()
	if !waitUntil(within, func() bool { return w.db.QueryRow(ctx, sql).Scan(&n) == nil && n == 0 }) {
		return fmt.Errorf("%d turns have no owner that lives, %s after the fault", n, orphansMost)
	}
	return nil
}

// askTwice sends one prompt in two tabs at two servers at once.
func (l *load) askTwice(ctx context.Context, random *rand.Rand, name string, k *talk) {
	id := uuid.Must(uuid.NewV7())
	text := prompt(random, k.owner, id, 5+random.IntN(30))
	var both sync.WaitGroup
	for node := range 2 {
		both.Go(func() { l.send(ctx, name+"-"+strconv.Itoa(node), k.owner, node, k.id, id, text) })
	}
	both.Wait()
}

// share gives the friend the right to read, or takes it away.
func (l *load) share(ctx context.Context, name string, k *talk, node int, give bool) {
	k.sharing.Lock()
	defer k.sharing.Unlock()
	permission := "remove"
	if give {
		permission = "read"
	}
	outcome := l.grant(ctx, name, k.owner, k.friend, node, k.id, permission)
	// The friend's page asks for what it was given; after a revoke it goes on asking.
	k.shared.want(k.shared.wants() || give && outcome != history.Failed)
	if !give && outcome == history.OK {
		k.shared.want(false)
	}
}

func (f *follower) wants() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.wanted
}

// replace deletes a conversation and makes another one.
func (l *load) replace(ctx context.Context, name string, k *talk, node int) {
	made, err := l.newTalk(ctx, k.owner, k.friend)
	if err != nil {
		return // the servers are away; it stays
	}
	k.mu.Lock()
	k.deleted = true // no other tab begins a call with it
	k.mu.Unlock()
	l.delete(ctx, name, k.owner, node, k.id)
	k.own.want(false)
	k.shared.want(false)
	l.read(ctx, name, k.owner, node+1, k.id)
	l.begin(made)
}

// finish lets the load end, checks that the servers are back, and records what is stored.
func (l *load) finish(t *testing.T) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	l.stopTabs()
	l.tabs.Wait()
	l.mu.Lock()
	l.healed = true
	l.mu.Unlock()
	for _, k := range l.quiet {
		k.own.want(true)
	}
	var last sync.WaitGroup
	// From here on the conversations of the faults are as all others.
	l.mu.Lock()
	l.talks = append(l.talks, l.guests...)
	l.mu.Unlock()
	for i, k := range l.living(nil) {
		random := rand.New(rand.NewPCG(l.random.Uint64(), 0))
		last.Go(func() {
			l.stop(ctx, "last", k.owner, i, k.id)
			l.askLast(ctx, random, k, i+1)
		})
	}
	last.Wait()
	l.settle(t)
	for _, k := range l.living(nil) {
		for node := range l.members {
			l.read(ctx, "last", k.owner, node, k.id)
		}
	}
	l.stopFollowers()
	l.followers.Wait()
	stored, err := l.stored(ctx)
	require.NoError(t, err)
	l.recorder.Add(history.Line{Stored: stored})
}

// settle waits until all turns have ended and all followers hold what is stored, for a while. What
// does not come is found by the checker.
func (l *load) settle(t *testing.T) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), 40*time.Second*slower)
	defer cancel()
	for _, k := range l.living(nil) {
		waitUntil(ctx, func() bool {
			var head int64
			var running bool
			err := l.db.QueryRow(ctx, "SELECT next_seq - 1, EXISTS (SELECT FROM turn WHERE conversation_id = c.id AND status = 'running') "+
				"FROM conversation c WHERE id = $1", k.id).Scan(&head, &running)
			return err == nil && !running && k.own.caughtUp(head) && (!k.shared.wants() || k.shared.caughtUp(head)) &&
				!slices.ContainsFunc(k.more, func(f *follower) bool { return !f.caughtUp(head) })
		})
		for _, f := range k.more {
			l.recorder.Add(history.Line{Final: &history.Final{Client: f.name, Conversation: k.id}})
		}
		l.recorder.Add(history.Line{Final: &history.Final{Client: k.own.name, Conversation: k.id}})
		if k.shared.wants() {
			l.recorder.Add(history.Line{Final: &history.Final{Client: k.shared.name, Conversation: k.id}})
		}
	}
}

// word returns the value of key=value in a prompt.
func word(text, key string) string {
	for w := range strings.FieldsSeq(text) {
		if v, ok := strings.CutPrefix(w, key+"="); ok {
			return v
		}
	}
	return ""
}

// wanted is the answer to a prompt.
func wanted(prompt string) string {
	seed, failed := strconv.ParseUint(word(prompt, "seed"), 10, 64)
	tokens, err := strconv.Atoi(word(prompt, "tokens"))
	if failed != nil || err != nil || word(prompt, "fault") != "" || word(prompt, "stamp") != "" {
		return ""
	}
	return scripted.Text(seed, tokens)
}

// stored reads what the database has of the conversations of this run.
func (l *load) stored(ctx context.Context) (*history.Stored, error) {
	// The prices are the defaults of PARLEY_CREDITS_INPUT and PARLEY_CREDITS_OUTPUT.
	s := &history.Stored{Tasks: l.tasks, InputPrice: 1, OutputPrice: 4}
	l.mu.Lock()
	talks := slices.Clone(l.talks)
	l.mu.Unlock()
	for _, k := range talks {
		c, err := l.storedTalk(ctx, k.id)
		if err != nil {
			return nil, fmt.Errorf("read conversation %s: %w", k.id, err)
		}
		s.Conversations = append(s.Conversations, *c)
	}
	return s, nil
}

func (l *load) storedTalk(ctx context.Context, id uuid.UUID) (*history.StoredConversation, error) {
	// One statement, so that all is of one moment.
	const all = `SELECT json_build_object(
	  'id', c.id, 'generation', c.generation, 'deleted', c.deleted_at IS NOT NULL, 'credits', c.credits::float8,
	  'events', (SELECT coalesce(json_agg(json_build_object('seq', seq, 'epoch', epoch, 'type', type,
	      'turn', coalesce(data->>'turnId', $2)) ORDER BY seq), '[]') FROM conversation_event WHERE conversation_id = c.id),
	  'messages', (SELECT coalesce(json_agg(json_build_object('id', id, 'role', role, 'text', text, 'cut', cut_generation IS NOT NULL,
	      'status', status, 'turn', coalesce(turn_id::text, $2)) ORDER BY seq), '[]') FROM message WHERE conversation_id = c.id),
	  'turns', (SELECT coalesce(json_agg(json_build_object('id', t.id, 'status', status,
	      'ends', (SELECT count(*) FROM turn_end WHERE turn_id = t.id),
	      'ended', coalesce(extract(epoch FROM ended_at) * 1000000000, 0)::bigint)), '[]') FROM turn t WHERE conversation_id = c.id),
	  'usage', (SELECT coalesce(json_agg(json_build_object(
	      'turn', turn_id, 'step', step, 'attempt', attempt, 'input', input_tokens, 'output', output_tokens,
	      'credits', credits::float8)), '[]') FROM usage WHERE conversation_id = c.id))
	  FROM conversation c WHERE id = $1`
	var raw []byte
	if err := l.db.QueryRow(ctx, all, id, uuid.Nil.String()).Scan(&raw); err != nil {
		return nil, err
	}
	c := &history.StoredConversation{}
	if err := json.Unmarshal(raw, c); err != nil {
		return nil, err
	}
	want := map[uuid.UUID]string{}
	for i, m := range c.Messages {
		if m.Role == "user" {
			// A prompt without the id of its client was sent by nobody.
			c.Messages[i].Key, _ = uuid.Parse(word(m.Text, "key"))
			want[m.Turn] = wanted(m.Text)
		}
	}
	for i, m := range c.Messages {
		if m.Role == "assistant" {
			c.Messages[i].Want = want[m.Turn]
		}
	}
	for i := range c.Turns {
		if c.Turns[i].Ended != 0 {
			c.Turns[i].Ended -= l.began.UnixNano()
		}
	}
	return c, nil
}
