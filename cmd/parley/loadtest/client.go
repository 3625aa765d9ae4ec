package loadtest

// A person of the run, with the calls of the API that a run needs.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"
)

// person is one signed-in user of the run, with a client of the API.
type person struct {
	base, token string
	uuid        string
	http        *http.Client
	analyst     int64
}

// problem is the part of an error response that a run reports.
type problem struct {
	Status int    `json:"status"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// statusError is a response with an error status.
type statusError struct {
	status int
	text   string
}

// Error implements error.
func (e *statusError) Error() string { return e.text }

// call makes one call. An error status becomes a statusError, which says whether the call may be
// repeated.
func (p *person) call(ctx context.Context, method, path string, in, out any) error {
	var body io.Reader
	if in != nil {
		b, err := json.Marshal(in)
		if err != nil {
			return fmt.Errorf("encode %s: %w", path, err)
		}
		body = bytes.NewReader(b)
	}
	req, err := http.NewRequestWithContext(ctx, method, p.base+"/api/v1/"+path, body)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	req.Header.Set("Authorization", "Bearer "+p.token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := p.http.Do(req)
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	defer resp.Body.Close()
	// The limit protects the load tester from an answer without an end.
	answer, err := io.ReadAll(io.LimitReader(resp.Body, 16<<20))
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	if resp.StatusCode >= http.StatusBadRequest {
		// A proxy answers without a problem document.
		var pr problem
		if json.Unmarshal(answer, &pr) != nil || pr.Status == 0 {
			return &statusError{resp.StatusCode, fmt.Sprintf("%s %s: %s", method, path, resp.Status)}
		}
		return &statusError{resp.StatusCode, fmt.Sprintf("%s %s: %d %s: %s", method, path, pr.Status, pr.Code, pr.Detail)}
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(answer, out); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	return nil
}

// signIn finds the person of the token, and the agent by its name or as the default one.
func signIn(ctx context.Context, client *http.Client, base, token, agent string) (*person, error) {
	p := &person{base: strings.TrimSuffix(base, "/"), token: token, http: client}
	var me struct {
		UUID string `json:"uuid"`
	}
	if err := p.call(ctx, http.MethodGet, "user/me", nil, &me); err != nil {
		return nil, err
	}
	p.uuid = me.UUID
	var agents struct {
		Results []struct {
			ID        int64  `json:"id"`
			Name      string `json:"name"`
			IsDefault bool   `json:"isDefault"`
		} `json:"results"`
	}
	// The agent may be switched off for people, so disabled ones are listed, too.
	if err := p.call(ctx, http.MethodGet, "analyst/analysts?filter_enabled=false", nil, &agents); err != nil {
		return nil, err
	}
	// The id stays 0 for a name that the server does not have, and send reports it.
	for _, a := range agents.Results {
		if a.Name == agent || agent == "" && a.IsDefault {
			p.analyst = a.ID
		}
	}
	return p, nil
}

// newConversation creates a conversation for a stream.
func (p *person) newConversation(ctx context.Context, n int) (uuid.UUID, error) {
	var made struct {
		ID uuid.UUID `json:"id"`
	}
	err := p.call(ctx, http.MethodPost, "discourse/conversations", map[string]any{"name": fmt.Sprintf("Load test %d", n)}, &made)
	return made.ID, err
}

// rename gives a conversation another name, which is one event of its log.
func (p *person) rename(ctx context.Context, conversation uuid.UUID, name string) error {
	return p.call(ctx, http.MethodPatch, "discourse/conversations/"+conversation.String(), map[string]any{"name": name}, nil)
}

// ask starts a stamped answer.
func (p *person) ask(ctx context.Context, conversation uuid.UUID, rate float64, tokens int) error {
	return p.send(ctx, conversation, uuid.Must(uuid.NewV7()), rate, tokens)
}

// send starts a stamped answer, with a message id that makes the call idempotent.
func (p *person) send(ctx context.Context, conversation, message uuid.UUID, rate float64, tokens int) error {
	if p.analyst == 0 {
		return errors.New("the server does not offer the agent; the scripted one needs PARLEY_SCRIPTED=true")
	}
	now := time.Now().UTC().Format(time.RFC3339)
	return p.call(ctx, http.MethodPost, "discourse/user-text", map[string]any{
		"conversationId": conversation,
		"dataSources":    []int64{},
		// The text is the script that the provider runs: rate, number of tokens, and stamps.
		"message": map[string]any{
			"id":        message,
			"text":      fmt.Sprintf("rate=%g tokens=%d stamp=true", rate, tokens),
			"analystId": p.analyst, "createdAt": now, "updatedAt": now,
		},
	}, nil)
}

// stop stops the running turn; with none it is answered as well.
func (p *person) stop(ctx context.Context, conversation uuid.UUID) error {
	return p.call(ctx, http.MethodPost, "analyst/process-control/stop-process-in-redis", map[string]any{"conversation_id": conversation}, nil)
}

// conversation reads a conversation with all its messages.
func (p *person) conversation(ctx context.Context, id uuid.UUID, out *storedConversation) error {
	return p.call(ctx, http.MethodGet, "discourse/conversations/"+id.String(), nil, out)
}
