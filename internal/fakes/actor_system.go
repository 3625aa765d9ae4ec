package fakes

import (
	"log/slog"

	"github.com/asynkron/protoactor-go/actor"

	"parley.dev/parley/internal/actorsystem"
)

// NewActorSystem makes an actor system that logs nothing. The caller shuts it down.
func NewActorSystem() *actor.ActorSystem {
	quiet := slog.New(slog.DiscardHandler)
	return actorsystem.New(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return quiet }))
}
