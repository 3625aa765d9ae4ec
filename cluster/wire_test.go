//go:build !race

// protoactor's remote sets a logger of grpc's for the whole process each time one is
// started, and so races where two are. What does not need the real wire is tried over
// the network of nodetest, with the detector.

package cluster

import (
	"crypto/tls"
	"testing"

	"github.com/asynkron/protoactor-go/remote"
	"github.com/stretchr/testify/require"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"

	"parley.dev/parley/internal/clock"
)

// onWire gives a node the real transport.
func onWire(c *Config) { c.Transport = nil }

func TestWire(t *testing.T) {
	t.Parallel()
	s := newWorld(t)
	a, b := s.start(t, "a", onWire), s.start(t, "b", onWire)
	meet(t, a, b)

	t.Run("OneOwnerSeenFromEveryNode", func(t *testing.T) {
		for _, id := range identities()[:16] {
			require.Equal(t, where(t, a, id), where(t, b, id))
		}
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
