package loadtest

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Config is the configuration of one run.
type Config struct {
	// URLs are the base URLs of the nodes; sockets and calls are spread over them.
	URLs []string
	// Tokens are bearers, one for each person. Sockets and streams are spread over the persons.
	Tokens []string
	// Sockets is how many sockets to open; 0 means one for each watcher.
	Sockets int
	// Streams is how many answers to keep streaming; 0 measures idle sockets.
	Streams int
	// Subscribe lets each idle socket follow a conversation of its person, as a page does that shows one.
	Subscribe bool
	// Rate is the number of tokens per second of each answer.
	Rate float64
	// Watchers is how many sockets follow each answer.
	Watchers int
	// Ramp is the time over which sockets, and then streams, are started; Duration is
	// the length of the measurement after it.
	Ramp, Duration time.Duration
	// Answer is how long one answer of a trial takes; 0 means 8 s.
	Answer time.Duration
	// Enough, if it is closed, ends a trial before its Duration is over. May be nil.
	Enough <-chan struct{}
	// AtOnce is how many sockets or streams are being started at the same time; 0 means 64.
	AtOnce int
	// Missed is the number of events that each client of a storm misses.
	Missed int
	// Lose, if it is not nil, is called in a storm in which no socket is cut: it lets sockets be lost, as those of
	// a node that is killed, or lets the run wait until somebody else does.
	Lose func(ctx context.Context) error
	// Seed determines the order in which sockets and streams are started.
	Seed uint64
	// Metrics are the URLs of the nodes' metrics, for their CPU and memory, which are added up; without any they are
	// omitted.
	Metrics []string
	// PostgresPID is the process id of the postmaster on this machine, for its CPU; 0 omits it.
	PostgresPID int
	// Cut is the average interval at which a trial breaks a random socket; 0 means never.
	Cut time.Duration
	// Agent is the name of the agent that is asked; empty means the default agent of the organisation.
	Agent string
	// Progress is called from time to time with a line about the progress.
	Progress func(format string, args ...any)
}

// conversations is the number of conversations that are made and followed.
func (c *Config) conversations() int {
	if c.Subscribe {
		return c.Sockets
	}
	return c.Streams
}

// Validate checks the configuration, and sets the defaults of fields that are 0.
func (c *Config) Validate() error {
	switch {
	case len(c.URLs) == 0:
		return errors.New("at least one --url is needed")
	case len(c.Tokens) == 0:
		return errors.New("at least one person is needed: --user or --token")
	case c.Streams < 0, c.Sockets < 0, c.Watchers < 0:
		return errors.New("streams, sockets and watchers are at least 0")
	case c.Streams > 0 && c.Watchers < 1:
		return errors.New("a stream needs at least one watcher")
	case c.Streams == 0 && c.Sockets == 0:
		return errors.New("nothing to do: give --streams or --sockets")
	case c.Streams > 0 && (c.Rate <= 0 || c.Rate > 1000):
		return errors.New("the rate is between 0 and 1000 tokens a second")
	case c.Subscribe && c.Streams > 0:
		return errors.New("--subscribe is for idle sockets; streams have watchers")
	case c.Cut < 0:
		return errors.New("sockets are cut every so often, or never: --cut is at least 0")
	case c.AtOnce < 0, c.Missed < 0, c.Lose != nil && c.Missed != 0:
		return errors.New("--at-once and --missed are at least 0; with --loss nothing is missed")
	case c.Answer < 0:
		return errors.New("an answer takes at least 0 s")
	case c.Duration <= 0:
		return errors.New("the duration must be positive")
	}
	if c.Answer == 0 {
		c.Answer = trialAnswer
	}
	if c.AtOnce == 0 {
		c.AtOnce = 64
	}
	if c.Sockets == 0 {
		c.Sockets = c.Streams * c.Watchers
	}
	if c.Subscribe {
		c.Watchers = 1
	}
	if need := c.Watchers * len(c.Tokens); c.Streams > 0 && c.Sockets < min(need, c.Watchers*c.Streams) {
		return fmt.Errorf("%d watchers a stream need at least %d sockets for %d persons", c.Watchers, need, len(c.Tokens))
	}
	// The server permits at most 200 conversations on one socket.
	if per := float64(c.Streams*c.Watchers) / float64(c.Sockets); per > 200 {
		return fmt.Errorf("%d streams on %d sockets are more than 200 each", c.Streams, c.Sockets)
	}
	return nil
}
