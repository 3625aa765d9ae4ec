// Package actorsystem makes actor systems whose table of actors is small.
package actorsystem

import (
	"sync"

	"github.com/asynkron/protoactor-go/actor"
	cmap "github.com/orcaman/concurrent-map"
)

// shards is the number of maps in each of the 1,024 concurrent maps of a table of actors. The
// library's default of 32 makes 32,768 maps, nearly all of them with no entry or one, which
// takes 2.7 MB for each system and 230 bytes for each actor, instead of 0.1 MB and 56 bytes.
const shards = 1

// once guards the number of shards, which the library reads whenever it uses a table: it is
// set before the first system is made and never again.
var once sync.Once //nolint:gochecknoglobals // it guards a global of the library

// New makes an actor system. All systems of a program must be made by it.
func New(options ...actor.ConfigOption) *actor.ActorSystem {
	once.Do(func() { cmap.SHARD_COUNT = shards })
	return actor.NewActorSystem(options...)
}
