package shared

import (
	"context"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"
)

// work runs the background work until the context ends: it writes what this node holds,
// sends hints, renews the lease, and probes a server that is away.
func (s *Space) work(ctx context.Context, b *book) {
	var group sync.WaitGroup
	begin := func(do func()) {
		group.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					s.Hints.log.LogAttrs(ctx, slog.LevelError, "the shared space panicked", slog.Any("panic", r),
						slog.String("stack", string(debug.Stack())))
				}
			}()
			do()
		})
	}
	begin(func() { s.Hints.deliver(ctx) })
	if s.server != nil {
		subscription := s.server.client.Subscribe(ctx)
		begin(func() { s.Hints.read(subscription) })
		begin(func() {
			for next(ctx, s.Hints.due) {
				s.Hints.flush(ctx, subscription)
			}
		})
		begin(func() {
			for next(ctx, s.Tails.due) {
				s.Tails.flush(ctx)
			}
		})
		begin(func() {
			for next(ctx, b.due) {
				b.flush(ctx)
			}
		})
		begin(func() { s.keep(ctx, b) })
		<-ctx.Done()
		// The call that ends the lease still has its callTime, although the context has ended.
		s.server.quit(context.WithoutCancel(ctx))
		_ = subscription.Close() // it ends Hints.read; an error means the connection is closed already
	}
	group.Wait()
}

// next waits for a signal. It returns false when the context ends.
func next(ctx context.Context, due <-chan struct{}) bool {
	select {
	case <-ctx.Done():
		return false
	case <-due:
		return true
	}
}

// keep renews the lease and rewrites the pages, or probes a server that is away.
func (s *Space) keep(ctx context.Context, b *book) {
	beat := time.NewTicker(probeEvery)
	defer beat.Stop()
	for beats := 1; ; beats++ {
		select {
		case <-ctx.Done():
			return
		case <-beat.C:
		}
		switch {
		case !s.server.up.Load():
			if err := s.server.probe(ctx); err != nil && ctx.Err() == nil {
				s.server.log.LogAttrs(ctx, slog.LevelDebug, "Redis is still away", slog.Any("error", err))
			}
		case beats%int(rewriteEvery/probeEvery) == 0:
			b.rewrite()
		case beats%int(renewEvery/probeEvery) == 0:
			s.server.renew(ctx)
		}
	}
}
