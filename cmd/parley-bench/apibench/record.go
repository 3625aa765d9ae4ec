package apibench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"parley.dev/parley/cmd/parley-bench/pgproxy"
)

// kind is a call that clients make often; %s in its path is the id of a conversation.
type kind struct{ name, path string }

func kinds() []kind {
	return []kind{
		{"conversations", "discourse/conversations"},
		{"one conversation", "discourse/conversations/%s"},
		{"running", "discourse/conversations/running"},
		{"me", "user/me"},
		{"data sources", "memory/datasources"},
		{"agents", "analyst/analysts"},
		{"blueprints", "discourse/blueprints?page_size=50"},
		{"project labels", "discourse/projectlabels"},
		{"memories", "memory/memories"},
		{"usage report", "discourse/llm-statistics/usage-report"},
	}
}

// Names returns the names of the calls that can be measured.
func Names() []string {
	var names []string
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return names
}

// Call is a call as several people make it, with the statements that the server runs for
// each of them.
type Call struct {
	name   string
	bytes  int // length of the response, the mean of all people
	people []person
}

// person is one person's request of a call, with the statements that the server runs for it.
type person struct {
	token, path string
	statements  []pgproxy.Statement
}

// meanStatements returns how many statements the server runs, as the mean of all people.
func (c *Call) meanStatements() float64 {
	sum := 0
	for _, p := range c.people {
		sum += len(p.statements)
	}
	return float64(sum) / float64(len(c.people))
}

// Recording is the configuration of Record. All fields but Only are required.
type Recording struct {
	// URL of a server that uses the database through Proxy, and bearer tokens of the people.
	URL    string
	Tokens []string
	Proxy  *pgproxy.Proxy

	// Only selects calls by name. Empty means all calls.
	Only []string
}

// Record makes each call for each of the people, and records the statements that the server
// runs for it. Another server must be measured: with this one the proxy would be measured,
// too.
func Record(ctx context.Context, r Recording) ([]*Call, error) {
	if r.URL == "" || len(r.Tokens) == 0 || r.Proxy == nil {
		panic("apibench: Recording lacks what is required")
	}
	conversations, err := r.conversations(ctx)
	if err != nil {
		return nil, err
	}
	var calls []*Call
	for _, k := range kinds() {
		if len(r.Only) > 0 && !slices.Contains(r.Only, k.name) {
			continue
		}
		one, err := r.call(ctx, k, conversations)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k.name, err)
		}
		calls = append(calls, one)
	}
	return calls, nil
}

func (r *Recording) call(ctx context.Context, k kind, conversations []string) (*Call, error) {
	one := &Call{name: k.name, people: make([]person, len(r.Tokens))}
	for i, token := range r.Tokens {
		path := k.path
		if strings.Contains(path, "%s") {
			path = fmt.Sprintf(path, conversations[i])
		}
		asked := newRequest(r.URL, path, token)
		// The first request fills the server's caches; the second is recorded.
		if _, err := fetch(ctx, asked); err != nil {
			return nil, err
		}
		statements, err := r.Proxy.Record(ctx, func() error {
			body, err := fetch(ctx, asked)
			one.bytes += len(body) / len(r.Tokens)
			return err
		})
		if err != nil {
			return nil, err
		}
		one.people[i] = person{token: token, path: path, statements: statements}
	}
	return one, nil
}

// conversations returns for each person the id of the first conversation in their list.
func (r *Recording) conversations(ctx context.Context) ([]string, error) {
	ids := make([]string, len(r.Tokens))
	for i, token := range r.Tokens {
		var list struct {
			Results []struct {
				ID string `json:"id"`
			} `json:"results"`
		}
		body, err := fetch(ctx, newRequest(r.URL, "discourse/conversations?page_size=1", token))
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(body, &list); err != nil {
			return nil, fmt.Errorf("read a person's conversations: %w", err)
		}
		if len(list.Results) == 0 {
			return nil, errors.New("a person has no conversation: fill the database with parley-bench seed first")
		}
		ids[i] = list.Results[0].ID
	}
	return ids, nil
}
