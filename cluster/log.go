package cluster

import (
	"context"
	"log/slog"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/internal/actorsystem"
)

// NewSystem makes an actor system that logs to log. The library logs normal events of a
// cluster (a stale pid, a peer that has left) as errors and its start as information; here
// they are debug messages.
func NewSystem(log *slog.Logger) *actor.ActorSystem {
	return actorsystem.New(
		actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return slog.New(quiet{log.Handler()}) }),
		actor.WithDeadLetterRequestLogging(false),
	)
}

// quiet lowers all log entries of the library to debug. A failure that concerns a caller
// reaches the caller as an error and is logged there. Panics of actors are logged by the
// supervision of package actors.
type quiet struct{ next slog.Handler }

func (q quiet) Enabled(ctx context.Context, _ slog.Level) bool {
	return q.next.Enabled(ctx, slog.LevelDebug)
}

func (q quiet) Handle(ctx context.Context, r slog.Record) error {
	r.AddAttrs(slog.String("library", "protoactor"), slog.String("said", r.Level.String()))
	r.Level = slog.LevelDebug
	//nolint:wrapcheck // a handler passes on what the next one says
	return q.next.Handle(ctx, r)
}

func (q quiet) WithAttrs(a []slog.Attr) slog.Handler { return quiet{q.next.WithAttrs(a)} }

func (q quiet) WithGroup(name string) slog.Handler { return quiet{q.next.WithGroup(name)} }
