package workbench

// Idle workers. Some are kept that have opened their database already, so that a query need not
// wait for the start of one. A worker answers one request and is never used again, so each query
// takes one and another is started in its place.

import (
	"context"
	"fmt"
	"log/slog"

	"parley.dev/parley/connectors"
)

// acquireWorker returns an idle worker, or starts one.
func (b *Bench) acquireWorker(ctx context.Context) (*worker, error) {
	select {
	// The worker is taken out of the pool first, and then it is checked.
	case w := <-b.idle:
		b.wakeRefill()
		select {
		case <-w.exited: // it has died while idle
			w.end()
		default:
			return w, nil
		}
	default:
	}
	w, err := b.spawn(ctx, queryLimits(b.config.Deadline))
	if err != nil && ctx.Err() != nil {
		return nil, fmt.Errorf("start a worker: %w", context.Cause(ctx))
	}
	if err != nil {
		b.config.Log.ErrorContext(ctx, "worker did not start", slog.Any("error", err))
		return nil, connectors.Busy("unavailable")
	}
	// Workers can be started: refill may have given up when they could not.
	b.wakeRefill()
	return w, nil
}

// wakeRefill never waits: one pending signal is enough, because refill fills all places.
func (b *Bench) wakeRefill() {
	select {
	case b.wake <- struct{}{}:
	default: // a signal is already pending
	}
}

// refill keeps the number of idle workers until ctx ends, and ends them then.
func (b *Bench) refill(ctx context.Context) {
	// Workers that were still idle at the end are ended here, since nobody else knows them.
	defer func() {
		for {
			select {
			case w := <-b.idle:
				w.end()
			default:
				return
			}
		}
	}()
	for {
		for len(b.idle) < cap(b.idle) && ctx.Err() == nil {
			w, err := b.spawn(ctx, queryLimits(b.config.Deadline))
			if err != nil {
				if ctx.Err() == nil {
					b.config.Log.ErrorContext(ctx, "worker did not start", slog.Any("error", err))
				}
				break // the next call of acquireWorker tries again
			}
			b.idle <- w // only this goroutine fills it, so there is room
		}
		select {
		case <-b.wake:
		case <-ctx.Done():
			return
		}
	}
}
