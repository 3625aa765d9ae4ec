package persistence

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
)

// MemberStatuses implements domain.ClusterReader.
func (s Members) MemberStatuses(ctx context.Context) ([]domain.MemberStatus, error) {
	rows, err := s.q.MemberStatuses(ctx, s.engine)
	if err != nil {
		return nil, translate(err)
	}
	list := make([]domain.MemberStatus, len(rows))
	for i, r := range rows {
		list[i].Member = domain.Member{
			Node: r.Node, Name: r.Name, Incarnation: r.Incarnation, Address: r.Address, Load: r.Load, ExpiresAt: utc(r.ExpiresAt),
			Left: time.Duration(r.SecondsLeft * float64(time.Second)), DrainAsked: r.DrainAsked,
		}
		if r.Report == "" {
			continue
		}
		report := &domain.NodeReport{}
		if err := json.Unmarshal([]byte(r.Report), report); err != nil {
			return nil, domain.Internal(err, "The report of a node could not be read.")
		}
		list[i].Report, list[i].ReportAge = report, time.Duration(r.SecondsSince*float64(time.Second))
	}
	return list, nil
}

// AskToDrain implements domain.ClusterOperator.
func (s Members) AskToDrain(ctx context.Context, node string) (bool, error) {
	asked, err := s.q.MemberAskToDrain(ctx, s.engine, node)
	return asked > 0, translate(err)
}

// ClusterNodes implements domain.ClusterService.
func (s Members) ClusterNodes(ctx context.Context, caller domain.Caller) ([]domain.MemberStatus, error) {
	if err := domain.SeeCluster.Authorize(caller, domain.Relation{}); err != nil {
		return nil, err
	}
	return s.MemberStatuses(ctx)
}

// Whereabouts implements domain.ClusterReader.
func (s Members) Whereabouts(ctx context.Context, conversation uuid.UUID) (*domain.Whereabouts, error) {
	row, err := s.q.ConversationWhereabouts(ctx, s.engine, conversation)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, domain.NotFound("Conversation")
	}
	if err != nil {
		return nil, translate(err)
	}
	return &domain.Whereabouts{
		Node: row.Node, Claimed: row.ClaimedAt, Epoch: row.Epoch, Head: row.Head, Deleted: row.Deleted, RunningSince: row.RunningSince,
	}, nil
}
