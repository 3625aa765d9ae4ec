// Package logctx puts the ids of what a line of the log is about on that line: of the request, the
// conversation, the turn and the node. They are values of the context, set once where the work begins,
// so that code that logs does not have to know them.
//
// Only ids belong here. Texts of people, values of their data and secrets are in no line of the log.
package logctx

import (
	"context"
	"log/slog"
	"slices"

	"github.com/google/uuid"
)

// The keys of the ids. Each has one meaning in all lines.
const (
	keyRequest      = "request"
	keyConversation = "conversation"
	keyTurn         = "turn"
	keyNode         = "node"
)

// Request is the id of a request, as its answer has it in X-Request-Id.
func Request(id string) slog.Attr { return slog.String(keyRequest, id) }

// Conversation is the id of a conversation.
func Conversation(id uuid.UUID) slog.Attr { return slog.String(keyConversation, id.String()) }

// Turn is the id of a turn.
func Turn(id uuid.UUID) slog.Attr { return slog.String(keyTurn, id.String()) }

// Node is the configured name of the node.
func Node(name string) slog.Attr { return slog.String(keyNode, name) }

type key struct{}

// With returns a context whose lines have these ids, in addition to those that it has already.
func With(ctx context.Context, ids ...slog.Attr) context.Context {
	before := idsOf(ctx)
	// The slice is not shared: two contexts may be made from the same one.
	return context.WithValue(ctx, key{}, append(before[:len(before):len(before)], ids...))
}

// RequestOf returns the id of the context's request; empty if it has none.
func RequestOf(ctx context.Context) string {
	for _, id := range idsOf(ctx) {
		if id.Key == keyRequest {
			return id.Value.String()
		}
	}
	return ""
}

func idsOf(ctx context.Context) []slog.Attr {
	ids, _ := ctx.Value(key{}).([]slog.Attr)
	return ids
}

// Handler adds the ids of the context to every line.
type Handler struct {
	next   slog.Handler
	always []slog.Attr
}

var _ slog.Handler = (*Handler)(nil)

// NewHandler makes a handler. always is on every line, at its end.
func NewHandler(next slog.Handler, always ...slog.Attr) *Handler { return &Handler{next, always} }

// Enabled implements slog.Handler.
func (h *Handler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.next.Enabled(ctx, level)
}

// Handle implements slog.Handler. An id that the line itself has is not added a second time: the line
// knows better than its context what it is about.
func (h *Handler) Handle(ctx context.Context, r slog.Record) error {
	var own []string
	r.Attrs(func(a slog.Attr) bool {
		own = append(own, a.Key)
		return true
	})
	r = r.Clone() // its attributes may be shared with another handler
	for _, ids := range [][]slog.Attr{idsOf(ctx), h.always} {
		for _, id := range ids {
			if !slices.Contains(own, id.Key) {
				own = append(own, id.Key)
				r.AddAttrs(id)
			}
		}
	}
	return h.next.Handle(ctx, r) //nolint:wrapcheck // a handler around another one
}

// WithAttrs implements slog.Handler.
func (h *Handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &Handler{h.next.WithAttrs(attrs), h.always}
}

// WithGroup implements slog.Handler. The ids of later lines are in the group as well.
func (h *Handler) WithGroup(name string) slog.Handler {
	return &Handler{h.next.WithGroup(name), h.always}
}
