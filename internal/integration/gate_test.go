package integration_test

import (
	"context"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/provider/scripted"
)

// gates is the scripted model of a node. It does not answer a prompt or a step with
// gate=NAME while the gate of that name is closed, so that a test, and not the duration of
// some work, decides how far a turn is.
type gates struct {
	*scripted.Provider

	// mu guards closed, which tests write and turns read.
	mu     sync.Mutex
	closed map[string]*gate
}

// gate is a point at which turns wait.
type gate struct {
	reached chan struct{}
	open    chan struct{}
}

func newGates() *gates {
	return &gates{Provider: scripted.New(scripted.Config{}), closed: map[string]*gate{}}
}

// close closes a gate. A name may be used once only.
func (g *gates) close(name string) *gate {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closed[name] = &gate{reached: make(chan struct{}, 1000), open: make(chan struct{})}
	return g.closed[name]
}

// wait blocks until a turn has reached the gate.
func (g *gate) wait(t *testing.T) {
	t.Helper()
	select {
	case <-g.reached:
	case <-time.After(patience):
		require.Fail(t, "no turn reached the gate")
	}
}

var gateName = regexp.MustCompile(`gate=(\S+)`)

// Stream implements analyst.Provider.
func (g *gates) Stream(ctx context.Context, r *analyst.Request, emit func(analyst.Piece) error) (analyst.End, error) {
	prompt := ""
	for _, u := range r.Turns {
		if u.Role == analyst.UtteranceUser {
			prompt = u.Text
		}
	}
	if step := r.Guide.PlanStep(); step != nil {
		prompt = step.DetailedInstructions
	}
	if name := gateName.FindStringSubmatch(prompt); name != nil {
		g.mu.Lock()
		at := g.closed[name[1]]
		g.mu.Unlock()
		if at != nil {
			at.reached <- struct{}{}
			select {
			case <-at.open:
			case <-ctx.Done():
				return analyst.End{}, context.Cause(ctx)
			}
		}
	}
	return g.Provider.Stream(ctx, r, emit)
}
