package integration_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst/provider/scripted"
	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/persistencetest"
)

// begin starts a conversation from a blueprint with the scripted agent.
func (p *person) begin(b *blueprint) uuid.UUID {
	p.t.Helper()
	var c conversation
	p.do("POST", b.path()+"/conversations", map[string]any{"analyst_id": p.scriptedAgent()}).into(p.t, 201, &c)
	return c.ID
}

// said returns the texts of all messages of a role, in order.
func (c *conversation) said(role domain.Role) []string {
	var out []string
	for _, m := range c.MessageSet {
		if m.Role == string(role) {
			out = append(out, m.Text)
		}
	}
	return out
}

// carryOutPlan: a turn runs the steps of a blueprint in order, and each model call is charged.
func carryOutPlan(t *testing.T, n *node) {
	t.Helper()
	anna := n.as(t, persistencetest.Anna)
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		b := anna.blueprint(map[string]any{"name": "In order", "steps": []map[string]any{
			{"name": "One", "detailed_instructions": "seed=11 tokens=9 rate=0"},
			{"name": "Two", "detailed_instructions": "seed=12 tokens=8 rate=0 calls=1", "code": "SELECT 1 AS n", "language": "sql"},
			{"name": "Three", "detailed_instructions": "seed=13 tokens=7 rate=0 summary=5", "code": "print(1)"},
		}})
		id := anna.begin(&b)
		n.settle(t, id)
		c := anna.get(id)
		require.Equal(t, []string{scripted.Text(11, 9), scripted.Text(12, 8), scripted.Text(13, 7)}, c.said(domain.RoleAssistant))
		require.Equal(t, []string{scripted.Text(15, 5)}, c.said(domain.RoleSummary))
		require.Equal(t, []string{"**Blueprint: In order**\n\n1. One\n2. Two\n3. Three"}, c.said(domain.RoleCoordinator))
		var paid struct {
			Credits float64 `json:"credits"`
		}
		anna.do("GET", "/discourse/conversations/"+id.String(), nil).into(t, 200, &paid)
		// Four model calls: the input is the script, the output is the text and the tool calls.
		input, output := 0, 9+8+8+(7+5)
		for _, script := range []string{
			"seed=11 tokens=9 rate=0", "seed=12 tokens=8 rate=0 calls=1", "seed=12 tokens=8 rate=0 calls=1",
			"seed=13 tokens=7 rate=0 summary=5",
		} {
			input += len(script)/4 + 1
		}
		require.InDelta(t, float64(input+4*output)/1000, paid.Credits, 1e-9)
	})
	t.Run("OKPrompt", func(t *testing.T) {
		t.Parallel()
		b := anna.blueprint(map[string]any{
			"name": "Asked for", "input_parameters": "Words", "initial_message": "Say {{Words}} words", "steps": []map[string]any{
				{"name": "One", "detailed_instructions": "seed=11 tokens={{Words}} rate=0"},
				{"name": "Two", "detailed_instructions": "seed=12 tokens=8 rate=0 summary=5"},
			},
		})
		id := anna.create()
		ask := func(more map[string]any) answer {
			body := map[string]any{"conversation_id": id, "ice_breaker_id": b.ID, "message": map[string]any{
				"text":       "Say 9 words",
				"analyst_id": anna.scriptedAgent(),
			}}
			maps.Copy(body, more)
			return anna.do("POST", "/discourse/user-text", body)
		}
		unread := ask(map[string]any{"message": map[string]any{"text": "Say something"}})
		require.Equal(t, 422, unread.status)
		require.Contains(t, string(unread.body), "Please enter Words.")
		require.Contains(t, string(ask(map[string]any{"ice_breaker_id": 1 << 40}).body), "This blueprint is not available.")
		require.Equal(t, 200, ask(nil).status)
		n.settle(t, id)
		c := anna.get(id)
		require.Equal(t, []string{scripted.Text(11, 9), scripted.Text(12, 8)}, c.said(domain.RoleAssistant))
		require.Equal(t, []string{"**Blueprint: Asked for**\n\n1. One\n2. Two"}, c.said(domain.RoleCoordinator))
		var message struct {
			IceBreakerID int64 `json:"iceBreakerId"`
		}
		anna.do("GET", "/discourse/messages/"+c.MessageSet[0].ID.String(), nil).into(t, 200, &message)
		require.Equal(t, b.ID, message.IceBreakerID)
		var recent struct {
			Results []blueprint `json:"results"`
		}
		anna.do("GET", "/discourse/blueprints?recent=true", nil).into(t, 200, &recent)
		require.True(t, slices.ContainsFunc(recent.Results, func(r blueprint) bool { return r.ID == b.ID }))
	})
	t.Run("ErrStep", func(t *testing.T) {
		t.Parallel()
		b := anna.blueprint(map[string]any{"name": "Fails", "steps": []map[string]any{
			{"name": "One", "detailed_instructions": "seed=11 tokens=9 rate=0"},
			{"name": "Two", "detailed_instructions": "fault=401"},
			{"name": "Three", "detailed_instructions": "seed=13 tokens=7 rate=0"},
		}})
		id := anna.begin(&b)
		n.settle(t, id)
		c := anna.get(id)
		last := c.MessageSet[len(c.MessageSet)-1]
		require.Equal(t, []string{scripted.Text(11, 9), ""}, c.said(domain.RoleAssistant))
		require.Equal(t, string(domain.MessageFailed), last.Status)
		require.Equal(t, "Step 2 of 3 (Two) failed: The model refused the request (status 401). What the steps before it found stands. The "+
			"steps after it were not run.", last.Reason)
	})
}

// lostPlan is a plan whose node crashes while its second step waits for the model.
type lostPlan struct {
	id   uuid.UUID
	view *view
}

// planOn starts a plan that the node owns, and waits until its first step is answered and
// its second step waits at its gate.
func planOn(t *testing.T, n *node, p *person) *lostPlan {
	t.Helper()
	b := p.blueprint(map[string]any{"name": "Long", "steps": []map[string]any{
		{"name": "One", "detailed_instructions": "seed=11 tokens=9 rate=10"},
		{"name": "Two", "detailed_instructions": "seed=12 tokens=8 rate=0 gate=second-step"},
		{"name": "Three", "detailed_instructions": "seed=13 tokens=7 rate=0 summary=5"},
	}})
	second := n.gates.close("second-step")
	for {
		l := &lostPlan{id: p.begin(&b)}
		c := p.get(l.id)
		l.view = newView(&c)
		home, err := n.store.ConversationStore.Home(t.Context(), l.id)
		require.NoError(t, err)
		if home != "" && home != n.id {
			continue
		}
		// Any node can answer the first step, but the gate of the second step is only on n.
		s := p.dial(l.view.cursor())
		for !slices.ContainsFunc(slices.Collect(maps.Values(l.view.texts)), func(text []byte) bool {
			return string(text) == scripted.Text(11, 9)
		}) {
			f, err := s.next()
			require.NoError(t, err)
			require.NoError(t, l.view.apply(f))
		}
		require.NoError(t, s.conn.Close())
		if home, err = n.store.ConversationStore.Home(t.Context(), l.id); err == nil && home == n.id {
			second.wait(t)
			return l
		}
	}
}

// checkContinues checks that another node continues the plan and completes it.
func (l *lostPlan) checkContinues(t *testing.T, p *person) {
	t.Helper()
	l.view.follow(t, p.dial(l.view.cursor()))
	c := p.get(l.id)
	l.view.agrees(t, &c)
	require.Equal(t, string(domain.TurnComplete), l.view.ended.Status)
	require.Equal(t, []string{scripted.Text(11, 9), scripted.Text(12, 8), scripted.Text(13, 7)}, c.said(domain.RoleAssistant),
		"each step must be answered once")
	require.Equal(t, []string{scripted.Text(15, 5)}, c.said(domain.RoleSummary))
	require.Len(t, c.said(domain.RoleCoordinator), 1)
}
