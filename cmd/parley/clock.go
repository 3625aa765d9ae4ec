package main

// Whether this node's clock is right, as far as the others can tell.

import (
	"context"
	"fmt"
	"log/slog"
	"math"
	"time"

	"parley.dev/parley/domain"
)

// clockLimit is how far a node's clock may differ from the database's while the node serves people. One that is
// further behind refuses bearers that were issued just now, and one that is ahead refuses those that are still
// valid.
const clockLimit = 30 * time.Second

// clockAgrees is a check of /readyz. The members are read only by a node whose clock differs.
func (n *node) clockAgrees(ctx context.Context) error {
	ahead := n.member.ClockAhead()
	if ahead.Abs() <= clockLimit {
		return nil
	}
	members, err := n.store.Members.MemberStatuses(ctx)
	if err != nil {
		// The check of the database says so as well.
		n.log.LogAttrs(ctx, slog.LevelWarn, "it could not be read whether the clocks of the other nodes agree", slog.Any("error", err))
		return nil
	}
	if other := clockWitness(n.member.ID(), members); other != "" {
		return fmt.Errorf("the clock differs by %s from the database's, and that of %s does not", ahead.Abs().Round(time.Second), other)
	}
	return nil
}

// clockWitness returns the name of another member whose clock agrees with the database's; empty if there is none.
// Then it may be the database's clock that is wrong, and nobody would serve people if all nodes left.
func clockWitness(self string, members []domain.MemberStatus) string {
	for i := range members {
		m := &members[i]
		if m.Node != self && m.Left > 0 && m.Report != nil && m.ReportAge < staleReport && math.Abs(m.Report.ClockAhead) <= clockLimit.Seconds() {
			return m.Name
		}
	}
	return ""
}
