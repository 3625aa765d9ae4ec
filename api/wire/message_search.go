package wire

import (
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// FoundMessage is a message that contains the words of a search.
type FoundMessage struct {
	ID               uuid.UUID     `json:"id" doc:"The id of the message."`
	ConversationID   uuid.UUID     `json:"conversationId" doc:"The id of its conversation."`
	ConversationName string        `json:"conversationName" doc:"The name of its conversation."`
	Role             string        `json:"role" enum:"user,assistant,summary" doc:"Who says it."`
	Excerpt          string        `json:"excerpt" example:"… net sales of Oslo were 12,400 EUR …" doc:"A part of its text around the first word, in one line and without the marks of Markdown."`
	CreatedAt        protocol.Time `json:"createdAt"`
}

// NewFoundMessage converts what a search has found.
func NewFoundMessage(m *domain.FoundMessage) FoundMessage {
	return FoundMessage{
		ID: m.MessageID, ConversationID: m.ConversationID, ConversationName: m.ConversationName, Role: string(m.Role), Excerpt: m.Excerpt,
		CreatedAt: protocol.Time(m.CreatedAt),
	}
}
