package main

import (
	"context"

	"github.com/google/uuid"

	"parley.dev/parley/actors"
	"parley.dev/parley/api/stream"
	"parley.dev/parley/cluster"
	"parley.dev/parley/domain"
)

// byID makes a home function of one that takes the identity as a UUID. What is
// not one has no home, and its actor will say that it is not there.
func byID(home func(context.Context, uuid.UUID) (string, error)) cluster.HomeFunc {
	return func(ctx context.Context, identity string) (string, error) {
		id, err := uuid.Parse(identity)
		if err != nil {
			return "", domain.NotFound("Object").WithCause(err)
		}
		return home(ctx, id)
	}
}

// streams hands sockets of the API to the engine.
type streams struct{ engine *actors.System }

func (s streams) Connect(ctx context.Context, r stream.Request) (stream.Connection, error) {
	return s.engine.Connect(ctx, actors.ConnectRequest{Caller: r.Caller, Sink: r.Sink, Deadline: r.Deadline, SSE: r.SSE, Cursor: r.Cursor})
}

// configured gives the default agent the model of the configuration instead of
// the builtin planner that it is seeded with.
type configured struct {
	domain.AnalystService
	model string
}

func (c configured) give(a *domain.Analyst) {
	if a.IsDefault && a.Provider == "builtin" {
		a.Provider, a.Model = "openai", c.model
	}
}

func (c configured) Analyst(ctx context.Context, organisation, id int64) (*domain.Analyst, error) {
	a, err := c.AnalystService.Analyst(ctx, organisation, id)
	if err == nil {
		c.give(a)
	}
	return a, err
}

func (c configured) DefaultAnalyst(ctx context.Context, organisation int64) (*domain.Analyst, error) {
	a, err := c.AnalystService.DefaultAnalyst(ctx, organisation)
	if err == nil {
		c.give(a)
	}
	return a, err
}

func (c configured) Analysts(ctx context.Context, caller domain.Caller, onlyEnabled bool, page domain.Page) (domain.List[domain.Analyst], error) {
	l, err := c.AnalystService.Analysts(ctx, caller, onlyEnabled, page)
	for i := range l.Results {
		c.give(&l.Results[i])
	}
	return l, err
}
