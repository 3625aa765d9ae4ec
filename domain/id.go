package domain

import "github.com/google/uuid"

// NewID returns a new id of a conversation, message, display object or turn: a UUIDv7,
// which sorts by time and so keeps indexes dense.
func NewID() uuid.UUID { return uuid.Must(uuid.NewV7()) }
