package fakes

import (
	"context"
	"time"

	"parley.dev/parley/domain"
)

// Cluster has one node that is well and one that has not reported.
type Cluster struct{ *World }

// ClusterNodes implements domain.ClusterService.
func (s Cluster) ClusterNodes(_ context.Context, caller domain.Caller) ([]domain.MemberStatus, error) {
	if err := domain.SeeCluster.Authorize(caller, domain.Relation{}); err != nil {
		return nil, err
	}
	one := domain.MemberStatus{
		Member:    domain.Member{Node: "one@1", Name: "one", Address: "10.0.0.1:9000", Left: 4 * time.Second},
		ReportAge: time.Second,
		Report: &domain.NodeReport{
			Version: "v1", Conversations: 3, Running: 2, Members: []string{"one@1", "two@1"}, Silent: []string{"two@1"}, ClockAhead: 1.5,
		},
	}
	two := domain.MemberStatus{Member: domain.Member{Node: "two@1", Name: "two", Address: "10.0.0.2:9000", Left: -time.Second}}
	return []domain.MemberStatus{one, two}, s.note("ClusterNodes", nil)
}
