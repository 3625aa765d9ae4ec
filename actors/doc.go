// Package actors is the engine: it makes the actors' kinds and props, wires
// conversation, turn, session and connection, which do not know each other, and
// is the front door that transports call.
package actors
