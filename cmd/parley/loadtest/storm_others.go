package loadtest

import (
	"context"
	"time"
)

// others are answers that stream to sockets which are not cut, while the clients of a storm
// are. They show how much later text reaches people who have nothing to do with the storm.
type others struct {
	*run
	sockets []*socket
}

// startOthers starts the streams of c and returns when all are running; with no streams it
// does nothing. People who have no client in the storm are preferred.
func startOthers(ctx context.Context, c Config) (*others, error) {
	// The clients of the storm use the first persons, so the others get those behind them.
	clients := c.Sockets
	c.Sockets, c.Subscribe = 0, false
	if len(c.Tokens) > clients {
		c.Tokens = c.Tokens[clients:]
	}
	o := &others{run: newRun(&c)}
	if c.Streams == 0 {
		return o, nil
	}
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if err := o.prepare(ctx); err != nil {
		return nil, err
	}
	// Others ask again when an answer has ended, for as long as the storm lasts.
	o.ask = o.asker(ctx)
	var err error
	if o.sockets, err = o.openAll(ctx); err != nil {
		return nil, err
	}
	o.startAnswers(ctx)
	return o, nil
}

// quiet measures the streams for d while nothing else happens.
func (o *others) quiet(ctx context.Context, d time.Duration) (Spread, error) {
	if o.c.Streams == 0 {
		return Spread{}, nil
	}
	o.c.Progress("measuring the streams of others for %s", d)
	o.tally.measuring.Store(true)
	if err := pass(ctx, d); err != nil {
		return Spread{}, err
	}
	return o.measured(), nil
}

// measured returns the latencies since the measurement began, and ends it.
func (o *others) measured() Spread {
	o.tally.measuring.Store(false)
	return spreadOf(o.tally.taken())
}

// stop ends the streams. What went wrong with them counts as the storm's.
func (o *others) stop(ctx context.Context, into *tally) {
	o.finish(ctx, o.sockets)
	// A fault of theirs is a fault of the whole run.
	into.faults.Add(o.tally.faults.Load())
	into.resets.Add(o.tally.resets.Load())
	into.mu.Lock()
	defer into.mu.Unlock()
	into.samples = append(into.samples, o.tally.samples...)
}
