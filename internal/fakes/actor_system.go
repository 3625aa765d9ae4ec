package fakes

import (
	"log/slog"

	"github.com/asynkron/protoactor-go/actor"
)

// NewActorSystem makes an actor system that logs nothing. The caller shuts it down.
func NewActorSystem() *actor.ActorSystem {
	quiet := slog.New(slog.DiscardHandler)
	return actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return quiet }))
}
