package cluster

import (
	"context"
	"log/slog"
	"time"

	"parley.dev/parley/domain"
)

// writeReport writes what this node reports about itself and about the others into its row. It is a separate
// write after the renewal of the lease, so that a report that cannot be written does not cost the lease.
func (m *membership) writeReport(ctx context.Context) {
	r := &domain.NodeReport{
		Started: m.started.UTC(), Draining: m.draining(), Silent: m.reach.nodes(),
		ClockAhead: time.Duration(m.ahead.Load()).Seconds(),
	}
	for _, x := range m.present() {
		r.Members = append(r.Members, x.Node)
	}
	if m.report != nil {
		m.report(r)
	}
	if err := m.store.Report(ctx, m.self.Node, r); err != nil {
		m.log.LogAttrs(ctx, slog.LevelWarn, "the report for operators could not be written", slog.Any("error", err))
	}
}
