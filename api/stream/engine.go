package stream

import (
	"context"

	"parley.dev/parley/actors"
)

// Engine connects sockets to the actor engine of this process.
type Engine struct{ System *actors.System }

var _ Connector = Engine{}

// Connect implements Connector.
func (e Engine) Connect(ctx context.Context, r Request) (Connection, error) {
	return e.System.Connect(ctx, actors.ConnectRequest{
		Caller: r.Caller, Sink: r.Sink, Deadline: r.Deadline, SSE: r.SSE, Cursor: r.Cursor,
	})
}
