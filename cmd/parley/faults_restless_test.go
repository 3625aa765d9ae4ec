package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/google/uuid"
)

// restless lets readers leave conversations and subscribe to them again, many times on one socket,
// and come back with other sockets, while answers are streaming.
func restless(ctx context.Context, l *load, random *rand.Rand) error {
	var talks []*talk
	for i := range 6 {
		k, err := l.guest(ctx, i)
		if err != nil {
			return err
		}
		talks = append(talks, k)
		l.share(ctx, "restless", k, i, true)
	}
	for i, k := range talks {
		id := uuid.Must(uuid.NewV7())
		l.send(ctx, "restless", k.owner, i, k.id, id, fmt.Sprintf("%s key=%s seed=%d tokens=200 rate=20", canary(k.owner.org), id, i))
	}
	var all sync.WaitGroup
	for _, k := range talks {
		for _, f := range []*follower{k.own, k.shared} {
			own := rand.New(rand.NewPCG(random.Uint64(), 0))
			all.Go(func() {
				for range 12 {
					wait(ctx, time.Duration(own.IntN(600))*time.Millisecond)
					if own.IntN(5) == 0 {
						f.cut()
					} else {
						f.again()
					}
				}
			})
		}
	}
	all.Wait()
	return nil
}
