package cluster

import (
	"sync"

	"github.com/asynkron/protoactor-go/actor"
)

// rememberedMost is the maximum size of one generation, so at most twice as many owners are
// cached. An owner takes about 350 bytes.
const rememberedMost = 10_000

// remembered caches the owners on other nodes, so that a call needs no query. Its size is
// limited by two generations: when the young one is full it replaces the old one, which is
// dropped; an entry that is used moves to the young one.
type remembered struct {
	// mu guards both generations.
	mu         sync.Mutex
	young, old map[string]*actor.PID
}

func (r *remembered) get(name string) *actor.PID {
	r.mu.Lock()
	defer r.mu.Unlock()
	if pid := r.young[name]; pid != nil {
		return pid
	}
	pid := r.old[name]
	if pid != nil {
		r.setLocked(name, pid)
	}
	return pid
}

func (r *remembered) set(name string, pid *actor.PID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.setLocked(name, pid)
}

func (r *remembered) setLocked(name string, pid *actor.PID) {
	if r.young == nil || len(r.young) >= rememberedMost {
		r.young, r.old = map[string]*actor.PID{}, r.young
	}
	r.young[name] = pid
}

func (r *remembered) forget(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.young, name)
	delete(r.old, name)
}

// forgetNode drops the owners at an address.
func (r *remembered) forgetNode(address string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, generation := range []map[string]*actor.PID{r.young, r.old} {
		for name, pid := range generation {
			if pid.Address == address {
				delete(generation, name)
			}
		}
	}
}
