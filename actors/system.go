package actors

import (
	"context"

	protocluster "github.com/asynkron/protoactor-go/cluster"
	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// System is the engine of one process. Order of use: New, give Kinds to the
// cluster's configuration, Attach, start the cluster member, Start; and at the
// end Shutdown, then stop the cluster.
type System struct {
	c Config
}

var _ domain.ConversationEngine = (*System)(nil)

// New makes the engine.
func New(c Config) *System {
	c.mustValidate()
	return &System{c: c}
}

// Kinds are the actors that the cluster places: conversation and session.
func (s *System) Kinds() []*protocluster.Kind { return nil }

// Attach tells the engine its cluster and this node's id, before the cluster starts.
func (s *System) Attach(cluster *protocluster.Cluster, node string) {}

// Start begins the work of this node: timers, the fan-out and the sweeper.
func (s *System) Start(ctx context.Context) error { return nil }

// Shutdown drains: it refuses new work, lets running turns end within the limit,
// releases what this node owns and closes the sockets.
func (s *System) Shutdown(ctx context.Context) error { return nil }

var errStarting = domain.Errorf(domain.CodeUnavailable, "The server is starting.")

// Connect opens the engine's end of a socket.
func (s *System) Connect(ctx context.Context, r ConnectRequest) (*Connection, error) {
	return nil, errStarting
}

// Connection is the handle that a transport holds.
type Connection struct{}

// Receive hands over a client's text frame; it takes the slice and never blocks.
func (c *Connection) Receive(frame []byte) {}

// Pong says that the client answered a ping.
func (c *Connection) Pong() {}

// Close says that the socket is gone, or must go, for this reason.
func (c *Connection) Close(d domain.Disconnect) {}

// Send implements domain.ConversationEngine.
func (s *System) Send(ctx context.Context, caller domain.Caller, p domain.Prompt) (*domain.SendResult, error) {
	return nil, errStarting
}

// Stop implements domain.ConversationEngine.
func (s *System) Stop(ctx context.Context, caller domain.Caller, conversation uuid.UUID) (*domain.StopResult, error) {
	return nil, errStarting
}

// Rewind implements domain.ConversationEngine.
func (s *System) Rewind(ctx context.Context, caller domain.Caller, conversation, message uuid.UUID) (*domain.RewindResult, error) {
	return nil, errStarting
}

// Change implements domain.ConversationEngine.
func (s *System) Change(ctx context.Context, caller domain.Caller, conversation uuid.UUID, u domain.ConversationUpdate) error {
	return errStarting
}

// Delete implements domain.ConversationEngine.
func (s *System) Delete(ctx context.Context, caller domain.Caller, conversation uuid.UUID) error {
	return errStarting
}

// SetGrants implements domain.ConversationEngine.
func (s *System) SetGrants(ctx context.Context, caller domain.Caller, conversation uuid.UUID, grants []domain.Grant) error {
	return errStarting
}

// Announce implements domain.ConversationEngine.
func (s *System) Announce(events []domain.UserEvent) {}
