//go:build !race

// Two nodes in one process race in the actor library: it sets a logger of
// grpc's for everybody, and reads its list of members without a lock.

package cluster

import (
	"context"
	"crypto/tls"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	protocluster "github.com/asynkron/protoactor-go/cluster"
	"github.com/asynkron/protoactor-go/remote"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

func (s *table) home(_ context.Context, id string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.homes[id], nil
}

func (s *table) setHome(id, node string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.homes[id] = node
}

// echo answers every question with the node that it lives on.
type echo struct{ node string }

func (e *echo) Receive(ctx actor.Context) {
	if _, ok := ctx.Message().(*wrapperspb.StringValue); ok {
		ctx.Respond(wrapperspb.String(e.node))
	}
}

func start(t *testing.T, s *table, name string, fenced func(string)) *Node {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	system := NewSystem(log)
	kind := protocluster.NewKind("thing", actor.PropsFromProducer(func() actor.Actor { return &echo{node: system.ID} }))
	if fenced == nil {
		fenced = func(reason string) { t.Errorf("%s was fenced: %s", name, reason) }
	}
	n, err := New(t.Context(), system, Config{
		Name: name, Members: s, Kinds: []*protocluster.Kind{kind}, Logger: log, OnFenced: fenced, Lease: time.Minute,
		Homes: map[string]HomeFunc{"thing": s.home},
	})
	require.NoError(t, err)
	require.NoError(t, n.Start())
	t.Cleanup(func() { require.NoError(t, n.Stop()) })
	return n
}

// where asks the owner of an identity, through a node, on which node it lives.
func where(t *testing.T, through *Node, id string) string {
	t.Helper()
	answer, err := through.Cluster().Request(id, "thing", wrapperspb.String("where"), protocluster.WithTimeout(time.Minute))
	require.NoError(t, err)
	return answer.(*wrapperspb.StringValue).GetValue()
}

func TestNodes(t *testing.T) {
	t.Parallel()
	s := newTable()
	a := start(t, s, "a", nil)
	b := start(t, s, "b", nil)
	require.Eventually(t, func() bool { return len(a.Members()) == 2 && len(b.Members()) == 2 }, time.Minute, 20*time.Millisecond)

	t.Run("OneOwnerSeenFromEveryNode", func(t *testing.T) {
		owners := map[string]bool{}
		for _, id := range identities() {
			w := where(t, a, id)
			require.Equal(t, w, where(t, b, id))
			owners[w] = true
		}
		require.Len(t, owners, 2, "both nodes own some")
	})

	t.Run("HomeRowWinsOverHash", func(t *testing.T) {
		for _, id := range []string{"h1", "h2", "h3", "h4"} {
			s.setHome(id, a.ID())
			require.Equal(t, a.ID(), where(t, b, id))
		}
	})

	t.Run("HomeOnADeadNodeIsPlacedAgain", func(t *testing.T) {
		s.setHome("dead", "gone@0")
		require.Contains(t, []string{a.ID(), b.ID()}, where(t, b, "dead"))
	})

	t.Run("DrainingNodeTakesNoNewOwner", func(t *testing.T) {
		a.Drain()
		s.setHome("late", a.ID())
		require.Nil(t, b.placement.Get(protocluster.NewClusterIdentity("late", "thing")))
	})

	t.Run("WhatNobodyOwnsGoesToTheNextNode", func(t *testing.T) { // G19
		for i := range 20 {
			require.Equal(t, b.ID(), where(t, b, fmt.Sprintf("new-%d", i)))
		}
		require.Equal(t, b.ID(), where(t, a, "asked-by-the-one-that-goes"))
	})

	t.Run("WhoLivesOnADrainingNodeIsFound", func(t *testing.T) { // G19
		pid := b.placement.Get(protocluster.NewClusterIdentity("h1", "thing"))
		require.NotNil(t, pid)
		require.Equal(t, a.system.Address(), pid.Address)
	})

	t.Run("RefusesWhoHasNoCertificate", func(t *testing.T) {
		for name, creds := range map[string]credentials.TransportCredentials{
			"plain":         insecure.NewCredentials(),
			"noCertificate": credentials.NewTLS(&tls.Config{InsecureSkipVerify: true}),
		} {
			conn, err := grpc.NewClient(b.system.Address(), grpc.WithTransportCredentials(creds))
			require.NoError(t, err, name)
			_, err = remote.NewRemotingClient(conn).ListProcesses(t.Context(), &remote.ListProcessesRequest{})
			require.Error(t, err, name)
			require.NoError(t, conn.Close())
		}
		require.Equal(t, b.ID(), where(t, b, ownedBy(t, b)), "the node is alive")
	})

	t.Run("ALookBuriesWhoHasGone", func(t *testing.T) { // G7
		_, gone := listening(t)
		require.NoError(t, s.Join(t.Context(), domain.Member{Node: "c@1", Name: "c", Address: gone}, time.Second))
		require.NoError(t, b.membership.refresh(t.Context()))
		members, err := s.Members(t.Context())
		require.NoError(t, err)
		for _, m := range append(members, b.Members()...) {
			require.NotEqual(t, "c@1", m.Node)
		}
	})

	t.Run("SurvivesAHandlerThatPanics", func(t *testing.T) {
		cert, key, err := s.Authority(t.Context(), nil)
		require.NoError(t, err)
		is, err := newIssuer(cert, key, clock.System{})
		require.NoError(t, err)
		conn, err := grpc.NewClient(b.system.Address(), dialOptions(is)...)
		require.NoError(t, err)
		_, err = remote.NewRemotingClient(conn).ListProcesses(t.Context(), &remote.ListProcessesRequest{})
		require.Error(t, err)
		require.NoError(t, conn.Close())
		require.Equal(t, b.ID(), where(t, b, ownedBy(t, b)), "the node is alive")
	})
}

// identities are so many that each of two nodes owns some, whatever they are called.
func identities() []string {
	ids := make([]string, 64)
	for i := range ids {
		ids[i] = fmt.Sprint(i)
	}
	return ids
}

// ownedBy finds an identity that belongs to the node by its home row.
func ownedBy(t *testing.T, n *Node) string {
	t.Helper()
	for _, id := range identities() {
		if where(t, n, id) == n.ID() {
			return id
		}
	}
	t.Fatal("the node owns nothing")
	return ""
}
