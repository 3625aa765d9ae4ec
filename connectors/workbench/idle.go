package workbench

import (
	"context"
	"fmt"
	"log/slog"

	"parley.dev/parley/connectors"
)

// acquireWorker returns an idle worker, or starts one.
func (b *Bench) acquireWorker(ctx context.Context) (*worker, error) {
	select {
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

func (b *Bench) wakeRefill() {
	select {
	case b.wake <- struct{}{}:
	default: // a signal is already pending
	}
}

// refill keeps the number of idle workers until ctx ends, and ends them then.
func (b *Bench) refill(ctx context.Context) {
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
