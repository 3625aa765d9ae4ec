package cluster

import (
	"net"
	"strconv"

	protocluster "github.com/asynkron/protoactor-go/cluster"

	"parley.dev/parley/domain"
)

// toProto tells protoactor of a member. Its id is the node with its
// incarnation, so that a node that comes back is a new member: protoactor never
// lets a member return under an id that has left.
func toProto(m domain.Member, kinds []string) (*protocluster.Member, error) {
	host, portText, err := net.SplitHostPort(m.Address)
	if err != nil {
		return nil, domain.Internal(err, "a member's address is not host:port")
	}
	port, err := strconv.ParseInt(portText, 10, 32)
	if err != nil {
		return nil, domain.Internal(err, "a member's port is not a number")
	}
	return &protocluster.Member{Id: m.Node, Host: host, Port: int32(port), Kinds: kinds}, nil
}
