package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// clusterNodesPath is a call that does not show that the person is active (showsActivity).
const clusterNodesPath = "/cluster/nodes"

// clusterRoutes registers the call about the nodes of the server. It is for the page of operators; the
// command parley status prints the same without a server.
func (s *Server) clusterRoutes(a huma.API) {
	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: clusterNodesPath, Tags: []string{"cluster"}, Summary: "The nodes of the server and their figures",
	}, needs(domain.SeeCluster), func(ctx context.Context, _ *none) (*body[wire.Cluster], error) {
		members, err := s.Cluster.ClusterNodes(ctx, callerOf(ctx))
		if err != nil {
			return nil, err
		}
		return answer(wire.NewCluster(s.Clock.Now(), members)), nil
	})
}
