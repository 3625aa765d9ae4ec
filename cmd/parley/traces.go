package main

import (
	"context"
	"time"

	"parley.dev/parley/internal/telemetry"
)

// lastTraces is how long a stopping node tries to send its last spans: a collector that is away must not
// hold it up.
const lastTraces = 3 * time.Second

// startTraces begins to trace if OpenTelemetry's own variables name a collector. They are not in the table
// of variables, because the library defines and reads them (docs/operating.md, Traces).
func (n *node) startTraces(ctx context.Context) error {
	if !telemetry.Wanted(n.getenv) {
		return nil
	}
	tracer, stop, err := telemetry.Start(ctx, telemetry.Config{Version: version, Node: n.c.nodeName, Log: n.log})
	if err != nil {
		return err
	}
	n.tracer = tracer
	n.running.started("send the last traces", func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, lastTraces)
		defer cancel()
		// Spans that could not be sent are reported like all others, and are no failure of the stop.
		_ = stop(ctx)
		return nil
	})
	return nil
}
