package cluster

import (
	"context"
	"fmt"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/asynkron/protoactor-go/remote"
)

// writerQueue is the initial capacity, in messages, of the library's queue to another node.
// outlets limits the queue.
const writerQueue = 1024

// grpcTransport is protoactor's remote, with mutual TLS and a limit on the messages that wait
// for each other node.
type grpcTransport struct {
	host    string
	port    int
	config  *remote.Config
	remote  *remote.Remote
	outlets *outlets
}

var _ Transport = (*grpcTransport)(nil)

func newGRPC(ctx context.Context, c *Config) (*grpcTransport, error) {
	host, port, err := splitAddress(c.Address)
	if err != nil {
		return nil, err
	}
	cert, key, err := c.Members.Authority(ctx, func() ([]byte, []byte, error) { return newAuthority(c.Clock.Now()) })
	if err != nil {
		return nil, fmt.Errorf("read the cluster's authority: %w", err)
	}
	issuer, err := newIssuer(cert, key, c.Clock)
	if err != nil {
		return nil, err
	}
	config := remote.Configure(host, port,
		//nolint:contextcheck // the interceptors get the context of each call
		remote.WithServerOptions(serverOptions(issuer, c.Logger)...),
		remote.WithDialOptions(dialOptions(issuer)...),
		remote.WithEndpointWriterBatchSize(writerBatch),
		remote.WithEndpointWriterQueueSize(writerQueue),
	)
	if c.Advertise != "" {
		if _, _, err := splitAddress(c.Advertise); err != nil {
			return nil, err
		}
		config.AdvertisedHost = c.Advertise
	}
	// Each further try of the library makes another connection and does not close the
	// earlier ones, which then dial a dead address indefinitely. A later message to the address
	// starts with a new writer anyway.
	config.MaxRetryCount = 1
	return &grpcTransport{host: host, port: port, config: config, outlets: newOutlets(c.Logger)}, nil
}

// Start implements Transport. The library panics if it cannot listen; here the panic
// becomes an error.
func (t *grpcTransport) Start(system *actor.ActorSystem) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r) //nolint:err113 // the library's own text
		}
	}()
	r := remote.NewRemote(system, t.config)
	// The first resolver that answers is used, so this one is registered before the library's.
	t.outlets.attach(system)
	r.Start()
	t.remote = r
	return nil
}

// Lost implements Transport.
func (t *grpcTransport) Lost(address string) {
	t.outlets.system.EventStream.Publish(&remote.EndpointTerminatedEvent{Address: address})
}

// Stop implements Transport.
func (t *grpcTransport) Stop() {
	if t.remote != nil {
		t.remote.Shutdown(false)
	}
}
