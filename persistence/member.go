package persistence

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// Members are the nodes of the cluster and their leases.
type Members struct{ *core }

var (
	_ domain.MemberStore     = Members{}
	_ domain.ClusterReader   = Members{}
	_ domain.ClusterOperator = Members{}
	_ domain.ClusterService  = Members{}
)

// authorityName is the secret that holds the cluster's certificate authority.
const authorityName = "cluster-authority"

// Join implements domain.MemberStore.
func (s Members) Join(ctx context.Context, m domain.Member, lease time.Duration) error {
	// The lease has its own pool (core.go): a renewal that waits behind requests would cost the
	// node.
	return inTransaction(ctx, s.lease, func(tx pgx.Tx) error {
		// An earlier incarnation of the same name ends, so that its turns are found at once.
		if err := s.q.MemberForget(ctx, tx, &dbsqlc.MemberForgetParams{Name: m.Name, Node: m.Node}); err != nil {
			return err
		}
		return s.q.MemberJoin(ctx, tx, &dbsqlc.MemberJoinParams{
			Node: m.Node, Name: m.Name, Incarnation: m.Incarnation, Address: m.Address, Load: m.Load, Lease: interval(lease),
		})
	})
}

// Renew implements domain.MemberStore.
func (s Members) Renew(ctx context.Context, node string, load float64, lease time.Duration) error {
	renewed, err := s.q.MemberRenew(ctx, s.lease, &dbsqlc.MemberRenewParams{Load: load, Lease: interval(lease), Node: node})
	if err != nil {
		return translate(err)
	}
	// The row is gone: another node has ended this one's lease, and it must stop writing.
	if renewed == 0 {
		return domain.Errorf(domain.CodeFenced, "This node was declared dead.")
	}
	return nil
}

// Report implements domain.MemberStore.
func (s Members) Report(ctx context.Context, node string, report *domain.NodeReport) error {
	body, err := json.Marshal(report)
	if err != nil {
		return domain.Internal(err, "The node's report could not be written.")
	}
	return translate(s.q.MemberReport(ctx, s.lease, &dbsqlc.MemberReportParams{Report: body, Node: node}))
}

// Leave implements domain.MemberStore.
func (s Members) Leave(ctx context.Context, node string) error {
	return translate(s.q.MemberLeave(ctx, s.lease, node))
}

// DeclareDead implements domain.MemberStore.
// The statement ends the lease only if it is still the one that the caller has seen.
func (s Members) DeclareDead(ctx context.Context, m domain.Member) (bool, error) {
	ended, err := s.q.MemberDeclareDead(ctx, s.lease, &dbsqlc.MemberDeclareDeadParams{Node: m.Node, ExpiresAt: m.ExpiresAt})
	return ended > 0, translate(err)
}

// Members implements domain.MemberStore.
func (s Members) Members(ctx context.Context) ([]domain.Member, error) {
	rows, err := s.q.MemberList(ctx, s.lease)
	if err != nil {
		return nil, translate(err)
	}
	list := make([]domain.Member, len(rows))
	for i, r := range rows {
		list[i] = domain.Member{
			Node: r.Node, Name: r.Name, Incarnation: r.Incarnation, Address: r.Address, Load: r.Load, ExpiresAt: utc(r.ExpiresAt),
			// The rest of the lease is computed by the database, so clocks of nodes do not matter.
			Left: time.Duration(r.SecondsLeft * float64(time.Second)), DrainAsked: r.DrainAsked,
		}
	}
	return list, nil
}

// authority is how the certificate authority is stored: two PEM texts.
type authority struct {
	Cert []byte `json:"cert"`
	Key  []byte `json:"key"`
}

// Authority implements domain.MemberStore. Several nodes that start at once may each create
// one; all use the first one that is stored.
func (s Members) Authority(ctx context.Context, create func() (cert, key []byte, err error)) ([]byte, []byte, error) {
	body, err := s.q.SecretGet(ctx, s.engine, authorityName)
	if errors.Is(err, pgx.ErrNoRows) {
		body, err = s.offerAuthority(ctx, create)
	}
	if err != nil {
		return nil, nil, translate(err)
	}
	var a authority
	if err := json.Unmarshal(body, &a); err != nil {
		return nil, nil, domain.Internal(err, "The cluster's authority could not be read.")
	}
	return a.Cert, a.Key, nil
}

// offerAuthority makes an authority and stores it if none is stored yet. It returns the stored one.
func (s Members) offerAuthority(ctx context.Context, create func() (cert, key []byte, err error)) ([]byte, error) {
	cert, key, err := create()
	if err != nil {
		return nil, domain.Internal(err, "The cluster's authority could not be made.")
	}
	body, err := json.Marshal(authority{Cert: cert, Key: key})
	if err != nil {
		return nil, domain.Internal(err, "The cluster's authority could not be written.")
	}
	if err := s.q.SecretOffer(ctx, s.engine, &dbsqlc.SecretOfferParams{Name: authorityName, Body: body}); err != nil {
		return nil, fmt.Errorf("store the authority: %w", err)
	}
	return s.q.SecretGet(ctx, s.engine, authorityName)
}

// interval converts to the type of Postgres. Its smallest unit is a microsecond.
func interval(d time.Duration) pgtype.Interval {
	return pgtype.Interval{Microseconds: d.Microseconds(), Valid: true}
}
