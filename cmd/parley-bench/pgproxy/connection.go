package pgproxy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
	"golang.org/x/sync/errgroup"
)

// connection is a client's connection, with the connection to the server that it uses alone.
type connection struct {
	client *pgproto3.Backend
	server *pgproto3.Frontend

	// note receives each statement. Nil if the connection's statements are not recorded.
	note func(execution)

	// prepared and bound hold the client's statements and portals by name. Only the
	// goroutine that reads from the client uses them.
	prepared map[string]string
	bound    map[string]execution
}

// serve forwards messages in both directions until one side closes or ctx ends.
func (p *Proxy) serve(ctx context.Context, client net.Conn) error {
	defer client.Close()
	defer context.AfterFunc(ctx, func() { _ = client.Close() })()
	c := &connection{client: pgproto3.NewBackend(client, client), prepared: map[string]string{}, bound: map[string]execution{}}
	start, err := c.startup(client)
	if err != nil || start == nil {
		return err
	}
	upstream, err := p.connect(ctx, start.Parameters)
	if err != nil {
		return err
	}
	defer upstream.Conn.Close()
	c.server = upstream.Frontend
	if p.cfg.Application == "" || start.Parameters["application_name"] == p.cfg.Application {
		c.note = p.note
	}
	if err := c.greet(upstream); err != nil {
		return err
	}
	// When one direction ends, it closes the connection of the other.
	g := new(errgroup.Group)
	g.Go(func() error { defer upstream.Conn.Close(); return c.toServer() })
	g.Go(func() error { defer client.Close(); return c.toClient() })
	err = g.Wait()
	if errors.Is(err, net.ErrClosed) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err //nolint:wrapcheck // wrapped where it was made
}

// startup reads the startup message of the client. It returns nil for a cancel request, which
// the proxy does not forward: recorded statements run to their end.
func (c *connection) startup(client io.Writer) (*pgproto3.StartupMessage, error) {
	for {
		message, err := c.client.ReceiveStartupMessage()
		if err != nil {
			return nil, fmt.Errorf("read how a client begins: %w", err)
		}
		switch m := message.(type) {
		case *pgproto3.StartupMessage:
			return m, nil
		case *pgproto3.CancelRequest:
			return nil, nil //nolint:nilnil // documented above
		default:
			// The client asks for encryption, which a socket file does not need.
			if _, err := client.Write([]byte{'N'}); err != nil {
				return nil, fmt.Errorf("answer a client: %w", err)
			}
		}
	}
}

// connect connects to the server with the client's settings.
func (p *Proxy) connect(ctx context.Context, parameters map[string]string) (*pgconn.HijackedConn, error) {
	cfg := p.upstream.Copy()
	for name, value := range parameters {
		if name != "user" && name != "database" {
			cfg.RuntimeParams[name] = value
		}
	}
	conn, err := pgconn.ConnectConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("reach the database: %w", err)
	}
	hijacked, err := conn.Hijack()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("take the connection over: %w", err), conn.Close(context.WithoutCancel(ctx)))
	}
	return hijacked, nil
}

// greet completes the client's startup with the parameters and key of the server's connection.
func (c *connection) greet(server *pgconn.HijackedConn) error {
	c.client.Send(&pgproto3.AuthenticationOk{})
	for _, name := range slices.Sorted(maps.Keys(server.ParameterStatuses)) {
		c.client.Send(&pgproto3.ParameterStatus{Name: name, Value: server.ParameterStatuses[name]})
	}
	c.client.Send(&pgproto3.BackendKeyData{ProcessID: server.PID, SecretKey: server.SecretKey})
	c.client.Send(&pgproto3.ReadyForQuery{TxStatus: 'I'})
	if err := c.client.Flush(); err != nil {
		return fmt.Errorf("greet a client: %w", err)
	}
	return nil
}

// toServer forwards the client's messages and records its statements.
func (c *connection) toServer() error {
	for {
		message, err := c.client.Receive()
		if err != nil {
			return fmt.Errorf("read from a client: %w", err)
		}
		if c.note != nil {
			c.observe(message)
		}
		c.server.Send(message)
		if err := c.server.Flush(); err != nil {
			return fmt.Errorf("write to the database: %w", err)
		}
	}
}

// toClient forwards the server's messages.
func (c *connection) toClient() error {
	for {
		message, err := c.server.Receive()
		if err != nil {
			return fmt.Errorf("read from the database: %w", err)
		}
		c.client.Send(message)
		if c.server.ReadBufferLen() > 0 {
			continue // more messages are buffered, and one flush sends them together
		}
		if err := c.client.Flush(); err != nil {
			return fmt.Errorf("write to a client: %w", err)
		}
	}
}

// observe records the statement that a message of the client runs, if it runs one.
func (c *connection) observe(message pgproto3.FrontendMessage) {
	switch m := message.(type) {
	case *pgproto3.Parse:
		c.prepared[m.Name] = m.Query
	case *pgproto3.Bind:
		e := execution{sql: c.prepared[m.PreparedStatement], formats: slices.Clone(m.ParameterFormatCodes)}
		for _, value := range m.Parameters {
			e.values = append(e.values, slices.Clone(value)) // nil, which is NULL, stays nil
		}
		c.bound[m.DestinationPortal] = e
	case *pgproto3.Execute:
		c.note(c.bound[m.Portal])
	case *pgproto3.Query:
		// Settings of new connections and checks of idle ones are sent by the pool, not by a request.
		if !strings.HasPrefix(m.String, "SET ") && !strings.HasPrefix(m.String, "--") {
			c.note(execution{sql: m.String})
		}
	}
}
