package integration_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/persistencetest"
)

// blueprint is a blueprint as the API returns it.
type blueprint struct {
	ID             int64  `json:"id"`
	Name           string `json:"name"`
	InitialMessage string `json:"initialMessage"`
	Version        int    `json:"version"`
	Steps          []struct {
		ID                   int64   `json:"id"`
		Name                 string  `json:"name"`
		Order                int     `json:"order"`
		DetailedInstructions *string `json:"detailedInstructions"`
		Code                 *string `json:"code"`
		Language             string  `json:"language"`
	} `json:"steps"`
	DataSources        []int64         `json:"dataSources"`
	MissingDataSources int             `json:"missingDataSources"`
	Abilities          map[string]bool `json:"abilities"`
	Permissions        []any           `json:"permissions"`
}

func (p *person) blueprint(body map[string]any, header ...string) blueprint {
	p.t.Helper()
	var b blueprint
	p.do("POST", "/discourse/blueprints", body, header...).into(p.t, 201, &b)
	return b
}

func (b *blueprint) path() string { return fmt.Sprintf("/discourse/blueprints/%d", b.ID) }

// twoSteps creates a blueprint with two inputs, one of which is a number of words.
func (p *person) twoSteps() blueprint {
	p.t.Helper()
	return p.blueprint(map[string]any{
		"name": "Count words", "input_parameters": "Words: how many\nWhy", "initial_message": "seed=3 tokens={{Words}} rate=0",
		"steps": []map[string]any{
			{"name": "One", "detailed_instructions": "seed=1 tokens={{words}} rate=0"},
			{"name": "Two", "detailed_instructions": "seed=2 tokens=2 rate=0", "analyst": p.scriptedAgent()},
		},
	})
}

// startBlueprint: a conversation from a blueprint begins its turn exactly once, both if it is
// woken and if the sweeper finds it.
func startBlueprint(t *testing.T, n *node) {
	t.Helper()
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		anna := n.as(t, persistencetest.Anna)
		b := anna.twoSteps()
		s := anna.open()
		s.say(map[string]any{"type": "hello", "cursor": map[string]any{}})
		s.wait(func(f frame) bool { return f.Type == protocol.FrameSessionReady })
		var started struct {
			conversation
			Name               string `json:"name"`
			MissingDataSources int    `json:"missingDataSources"`
		}
		body := map[string]any{"inputs": map[string]any{"words": 4, "Why": "O'Brien"}, "analyst_id": anna.scriptedAgent()}
		key := uuid.NewString()
		anna.do("POST", b.path()+"/conversations", body, "Idempotency-Key", key).into(t, 201, &started)
		require.Equal(t, "Count words", started.Name)
		require.Equal(t, "seed=3 tokens=4 rate=0\n\nWhy: O'Brien", started.MessageSet[0].Text)

		// Other tabs receive the same events as for a conversation and prompt sent by the person.
		var told []string
		for len(told) < 2 {
			f := s.wait(func(f frame) bool { return f.Stream == "user" && containsID(f.Data, started.ID) })
			told = append(told, f.Type)
		}
		require.Equal(t, []string{"conversation.created", "message.created"}, told)

		s.say(map[string]any{"type": "subscribe", "conversation": started.ID})
		n.settle(t, started.ID)
		c := anna.get(started.ID)
		require.False(t, c.IsStreaming)
		n.begun(t, started.ID, 1)
		require.Greater(t, len(c.MessageSet), 1)

		again := anna.do("POST", b.path()+"/conversations", body, "Idempotency-Key", key)
		var same conversation
		again.into(t, 201, &same)
		require.Equal(t, started.ID, same.ID)
		body["inputs"] = map[string]any{"words": 5, "Why": "x"}
		anna.do("POST", b.path()+"/conversations", body, "Idempotency-Key", key).refused(t, 422) // D11
		n.begun(t, started.ID, 1)
		// The conversation continues as any other. A later prompt has the same form in the log as
		// the prompt that was written when it was started.
		anna.send(started.ID, "seed=7 tokens=1 rate=0")
		n.settle(t, started.ID)
		var prompts []map[string]any
		events, err := n.store.ConversationStore.Events(context.Background(), started.ID, 1, 10_000)
		require.NoError(t, err)
		for _, e := range events {
			var m map[string]any
			require.NoError(t, json.Unmarshal(e.Data, &m))
			if e.Type == domain.EventMessageCreated && m["role"] == string(domain.RoleUser) {
				prompts = append(prompts, m)
			}
		}
		require.Len(t, prompts, 2)
		for _, own := range []string{"id", "text", "seq", "turnId", "createdAt", "parentMessageId"} {
			require.Contains(t, prompts[0], own)
			for _, m := range prompts {
				delete(m, own)
			}
		}
		require.InDelta(t, b.ID, prompts[0]["iceBreakerId"], 0)
		delete(prompts[0], "iceBreakerId")
		require.Equal(t, prompts[0], prompts[1])
	})
	t.Run("NobodyWakesIt", func(t *testing.T) {
		t.Parallel()
		anna := n.as(t, persistencetest.Anna)
		b := anna.twoSteps()
		caller := persistencetest.Caller(t, n.store, persistencetest.Anna)
		started, err := n.store.Blueprints.StartBlueprint(t.Context(), caller, b.ID, domain.BlueprintStart{
			Inputs: map[string]string{"Words": "2", "Why": "x"}, AnalystID: anna.scriptedAgent(),
		})
		require.NoError(t, err)
		n.settle(t, started.Conversation)
		n.begun(t, started.Conversation, 1)
	})
	t.Run("WokenByMany", func(t *testing.T) {
		t.Parallel()
		anna := n.as(t, persistencetest.Anna)
		b := anna.twoSteps()
		caller := persistencetest.Caller(t, n.store, persistencetest.Anna)
		started, err := n.store.Blueprints.StartBlueprint(t.Context(), caller, b.ID, domain.BlueprintStart{
			Inputs: map[string]string{"Words": "2", "Why": "x"}, AnalystID: anna.scriptedAgent(),
		})
		require.NoError(t, err)
		concurrently(20, func(int) struct{} {
			n.engine.Wake(context.Background(), started.Conversation)
			return struct{}{}
		})
		n.settle(t, started.Conversation)
		n.begun(t, started.Conversation, 1)
	})
	t.Run("ErrMissingInput", func(t *testing.T) {
		t.Parallel()
		anna := n.as(t, persistencetest.Anna)
		b := anna.twoSteps()
		p := anna.do("POST", b.path()+"/conversations", map[string]any{"inputs": map[string]any{"Words": 1}}).refused(t, 422)
		require.Equal(t, "inputs.Why", p.Errors[0].Field)
		require.Equal(t, "Please enter Why.", p.Errors[0].Message)
		anna.do("POST", b.path()+"/conversations", nil).refused(t, 422)
	})
	t.Run("ErrNotShared", func(t *testing.T) {
		t.Parallel()
		anna := n.as(t, persistencetest.Anna)
		b := anna.twoSteps()
		n.as(t, persistencetest.Ben).do("POST", b.path()+"/conversations",
			map[string]any{"inputs": map[string]any{"Words": 1, "Why": "x"}}).refused(t, 404)
	})
}

func containsID(data json.RawMessage, id uuid.UUID) bool {
	var of struct {
		ID             uuid.UUID `json:"id"`
		ConversationID uuid.UUID `json:"conversationId"`
	}
	return json.Unmarshal(data, &of) == nil && (of.ID == id || of.ConversationID == id)
}

// settle waits until no turn of a conversation runs.
func (n *node) settle(t *testing.T, id uuid.UUID) {
	t.Helper()
	require.Eventually(t, func() bool {
		events, err := n.store.ConversationStore.Events(context.Background(), id, 0, 10_000)
		return err == nil && len(events) > 0 && events[len(events)-1].Type == domain.EventStreamingComplete
	}, patience, patience/300)
}

// begun checks that a conversation's log has the number of prompts and of ended turns, and no
// gap.
func (n *node) begun(t *testing.T, id uuid.UUID, turns int) {
	t.Helper()
	events, err := n.store.ConversationStore.Events(context.Background(), id, 0, 10_000)
	require.NoError(t, err)
	prompts, ends := 0, 0
	for i, e := range events {
		require.Equal(t, int64(i+1), e.Seq)
		var m message
		require.NoError(t, json.Unmarshal(e.Data, &m))
		switch e.Type { //nolint:exhaustive // the number of other events does not matter
		case domain.EventMessageCreated:
			if m.Role == string(domain.RoleUser) {
				prompts++
			}
		case domain.EventStreamingComplete:
			ends++
		}
	}
	require.Equal(t, turns, prompts)
	require.Equal(t, turns, ends)
}
