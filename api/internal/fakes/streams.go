package fakes

import (
	"context"
	"sync"

	"parley.dev/parley/api/stream"
	"parley.dev/parley/domain"
)

// Streams accepts sockets and passes to the test what they receive.
type Streams struct {
	// Opened gets every connection.
	Opened chan *Connection
	// Depth is how many frames a connection holds. Set before the server starts.
	Depth int
	// Refuse, when not nil, is the error that Connect returns. Set before the server starts.
	Refuse error
	// OnReceive, when not nil, runs on every frame. Set before the server starts.
	OnReceive func(c *Connection, frame []byte)
}

// NewStreams makes a connector.
func NewStreams() *Streams { return &Streams{Opened: make(chan *Connection, 10_000), Depth: 500} }

// Connect implements stream.Connector.
func (s *Streams) Connect(_ context.Context, r stream.Request) (stream.Connection, error) {
	if s.Refuse != nil {
		return nil, s.Refuse
	}
	c := &Connection{
		Request: r, Frames: make(chan string, s.Depth), Pongs: make(chan struct{}, 10), Closed: make(chan domain.Disconnect, 1),
		onReceive: s.OnReceive,
	}
	s.Opened <- c
	return c, nil
}

// Connection is one socket.
type Connection struct {
	Request stream.Request
	Frames  chan string
	Pongs   chan struct{}
	// Closed gets the first reason.
	Closed chan domain.Disconnect

	once      sync.Once
	onReceive func(*Connection, []byte)
}

// Receive implements stream.Connection.
func (c *Connection) Receive(frame []byte) {
	if c.onReceive != nil {
		c.onReceive(c, frame)
	}
	c.Frames <- string(frame)
}

// Pong implements stream.Connection.
func (c *Connection) Pong() { c.Pongs <- struct{}{} }

// Close implements stream.Connection.
func (c *Connection) Close(d domain.Disconnect) { c.once.Do(func() { c.Closed <- d }) }
