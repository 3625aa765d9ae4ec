package actors

import (
	"context"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// noHints is the implementation of domain.HintBoard for a node that shares nothing with
// others.
type noHints struct{}

func (noHints) Send(domain.HintTopic, string, []byte)               {}
func (noHints) Listen(domain.HintTopic, func([]byte)) (stop func()) { return func() {} }

// noTails keeps nothing.
type noTails struct{}

func (noTails) Keep(uuid.UUID, []byte)                   {}
func (noTails) Forget(uuid.UUID)                         {}
func (noTails) Tail(context.Context, uuid.UUID) [][]byte { return nil }

// noPresence knows no one.
type noPresence struct{}

func (noPresence) Enter(uuid.UUID, uuid.UUID, func()) (leave func()) { return func() {} }

func (noPresence) Present(context.Context, ...uuid.UUID) map[uuid.UUID][]uuid.UUID { return nil }
