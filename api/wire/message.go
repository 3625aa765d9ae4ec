package wire

import (
	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// NewMessage converts a message to the shape that events contain as well.
func NewMessage(m *domain.Message) protocol.Message {
	out := protocol.Message{
		ID:               m.ID,
		ConversationID:   m.ConversationID,
		ParentMessageID:  optional(m.ParentID),
		TurnID:           optional(m.TurnID),
		Seq:              m.Seq,
		Generation:       m.Generation,
		Role:             string(m.Role),
		DisplayRole:      string(m.Role),
		Text:             m.Text,
		Status:           string(m.Status),
		Reason:           m.Reason,
		DataSources:      append([]int64{}, m.DataSources...),
		IceBreakerID:     m.BlueprintID,
		DisplayobjectSet: make([]protocol.DisplayObject, 0, len(m.DisplayObjects)),
		FeedbackSet:      []protocol.Feedback{},
		CreatedAt:        protocol.Time(m.CreatedAt),
		CutGeneration:    m.CutGeneration,
		Annotation:       protocol.AnnotationOf(m),
	}
	if m.Author != nil {
		author := NewPerson(m.Author)
		out.Author = &author
	}
	if m.AnalystID != 0 {
		out.Analyst = &protocol.Analyst{ID: m.AnalystID, Name: m.AnalystName}
	}
	for i := range m.DisplayObjects {
		out.DisplayobjectSet = append(out.DisplayobjectSet, newDisplayObject(&m.DisplayObjects[i]))
	}
	return out
}

// NewMessages converts messages and never returns nil.
func NewMessages(messages []domain.Message) []protocol.Message {
	out := make([]protocol.Message, 0, len(messages))
	for i := range messages {
		out = append(out, NewMessage(&messages[i]))
	}
	return out
}

func newDisplayObject(o *domain.DisplayObject) protocol.DisplayObject {
	return protocol.DisplayObject{
		ID:          o.ID,
		Name:        o.Name,
		Type:        string(o.Type),
		Language:    o.Language,
		ContentType: o.ContentType,
		Size:        o.Size,
		Columns:     protocol.ColumnsData(o.Columns),
	}
}

// optional returns nil, which becomes null in JSON, for the zero id.
func optional(id uuid.UUID) *uuid.UUID {
	if id == uuid.Nil {
		return nil
	}
	return &id
}

// PresignedURL is a link to an object's bytes that needs no bearer.
type PresignedURL struct {
	URL       string        `json:"url" doc:"A relative URL. Everybody who has it may read the object until it expires."`
	ExpiresAt protocol.Time `json:"expiresAt"`
}

// UserText is a prompt that is sent to a conversation.
type UserText struct {
	_              struct{}        `additionalProperties:"true"`
	ConversationID uuid.UUID       `json:"conversationId" format:"uuid" doc:"The id of the conversation."`
	DataSources    []int64         `json:"dataSources,omitempty" maxItems:"100" doc:"Ids of the connectors that the agent may query. The default is those of the conversation."`
	IceBreakerID   *int64          `json:"iceBreakerId,omitempty" nullable:"true" doc:"The id of a blueprint whose steps the turn runs."`
	Inputs         map[string]any  `json:"inputs,omitempty" nullable:"true" doc:"With iceBreakerId: the values of the blueprint's inputs, by name. A missing value is read from the text of the prompt: from the place of its placeholder in the initial message, or from a line such as Region: North."`
	Message        UserTextMessage `json:"message" doc:"The prompt."`
}

// UserTextMessage is the prompt itself.
type UserTextMessage struct {
	_               struct{}   `additionalProperties:"true"`
	ID              *uuid.UUID `json:"id,omitempty" format:"uuid" nullable:"true" doc:"A UUIDv7 that the client chooses. A request with the same id returns the first result and sends nothing."`
	Text            string     `json:"text,omitempty" doc:"At most {bytes}."`
	AnalystID       *int64     `json:"analystId,omitempty" nullable:"true" doc:"The id of the agent. The default is the default agent."`
	ParentMessageID *uuid.UUID `json:"parentMessageId,omitempty" format:"uuid" nullable:"true" doc:"The last message that the person has seen. 409 if the conversation has a newer one."`
}

// TransformSchema implements huma.SchemaTransformer.
func (UserTextMessage) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return Limited(s, new(domain.Prompt).Limits(), "text", "message.text")
}

// Sent is the answer to a prompt.
type Sent struct {
	ConversationID uuid.UUID        `json:"conversationId" format:"uuid" doc:"The id of the conversation."`
	TurnID         uuid.UUID        `json:"turnId" format:"uuid" doc:"The id of the turn that answers the prompt."`
	Message        protocol.Message `json:"message" doc:"The stored prompt."`
}

// NewSent converts the result of a send.
func NewSent(r *domain.SendResult) Sent {
	return Sent{ConversationID: r.Message.ConversationID, TurnID: r.TurnID, Message: NewMessage(&r.Message)}
}

// StopTurn names the conversation whose turn must end.
type StopTurn struct {
	_              struct{}  `additionalProperties:"true"`
	ConversationID uuid.UUID `json:"conversationId" format:"uuid" doc:"The id of the conversation."`
}

// Stopped is the answer to a stop.
type Stopped struct {
	Stopped     bool              `json:"stopped" doc:"False if no turn was running, or if the turn ended before it was stopped."`
	Status      string            `json:"status" doc:"How the turn ended: stopped, complete, interrupted or failed; empty if there was no turn." example:"stopped"`
	LastMessage *protocol.Message `json:"lastMessage" doc:"The prompt to put back into the draft, or null."`
}

// NewStopped converts the result of a stop.
func NewStopped(r *domain.StopResult) Stopped {
	out := Stopped{Stopped: r.Stopped, Status: string(r.End)}
	if r.LastMessage != nil {
		m := NewMessage(r.LastMessage)
		out.LastMessage = &m
	}
	return out
}
