package api

// The calls that show one conversation or one of its messages, and the copy of a conversation. They
// read the store and not the conversation's actor: the answer carries the head and the generation
// of what was read, and a client subscribes to the stream from there, so nothing between the two is
// missed (G8, docs/stream-protocol.md).

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// FeedbackScope is the parameter that says whose feedback is included in messages. It is
// exported because huma reads only exported embedded structs.
type FeedbackScope struct {
	FeedbackScope string `query:"feedbackScope" enum:"none,own,user,all,organization,true,false" default:"own" doc:"Whose feedback is returned with messages. none (or false): nobody's. own (or user): the caller's. all (or organization, true): everybody's that the caller may see."`
}

// scope converts the parameter; each scope has several names in the specification.
func (f FeedbackScope) scope() domain.FeedbackScope {
	switch f.FeedbackScope {
	case "none", "false":
		return domain.FeedbackNone
	case "all", "organization", "true":
		return domain.FeedbackAll
	}
	return domain.FeedbackOwn
}

// getConversation is the input of a call that shows a conversation. Its parameters shape the
// answer, and none of them shows more than the caller may see.
type getConversation struct {
	FeedbackScope
	ID                    uuid.UUID `path:"id" format:"uuid"`
	MessagesToTree        bool      `query:"messagesToTree" doc:"Nests replies in the messages that they reply to, as children."`
	OnlyMostRecentVersion bool      `query:"onlyMostRecentVersion" default:"true" doc:"False also returns messages that a rewind has removed, with the generation of that rewind. Only the owner gets them."`
	MessageID             string    `query:"messageId" doc:"Only this message, the messages that it replies to, and the messages that follow it. The id may have the prefix message-."`
	MessagePageSize       int       `query:"messagePageSize" minimum:"0" maximum:"1000" doc:"The maximum number of messages. The newest are returned, and earlierMessages says how to request the ones before them. 0 means no maximum. Cannot be combined with message_id or only_most_recent_version=false, which need the whole conversation."`
	MessagesBefore        int64     `query:"messagesBefore" minimum:"0" doc:"With message_page_size: only messages with a seq below this number; see earlierMessages. 0 means the newest."`
}

// getMessage is the input of a call that shows one message.
type getMessage struct {
	FeedbackScope
	ID uuid.UUID `path:"id" format:"uuid"`
}

// copyConversation is the input of the copy. It has no body.
type copyConversation struct {
	IdempotencyKey string    `header:"Idempotency-Key" doc:"A request with the same key within 24 hours returns the first result and creates nothing."`
	ID             uuid.UUID `path:"id" format:"uuid"`
}

// conversationViewRoutes registers the calls of this file.
func (s *Server) conversationViewRoutes(a huma.API) {
	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/discourse/conversations/{id}", Tags: []string{"conversations"},
		Summary: "Get a conversation with its messages",
		Description: "Contains head and generation, with which a client subscribes to the stream, and the text so far of a message that is " +
			"being written.",
	}, needs(domain.SeeConversation), s.conversation)

	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/discourse/conversations/{id}/copy", Tags: []string{"conversations"}, DefaultStatus: http.StatusCreated,
		Summary: "Duplicate a conversation; returns the copy, which the caller owns",
		Description: "Copies messages and their display objects. Permissions and feedback are not copied, nor are connectors that the caller " +
			"may not use.",
	}, needs(domain.UseConversation), func(ctx context.Context, in *copyConversation) (*body[wire.Conversation], error) {
		// The id of the original is what the key is tied to: the same key for another conversation
		// is 422.
		key, err := idempotency(in.IdempotencyKey, in.ID)
		if err != nil {
			return nil, err
		}
		c, err := s.Conversations.CopyConversation(ctx, callerOf(ctx), in.ID, key)
		if err != nil {
			return nil, err
		}
		return answer(wire.NewConversation(callerOf(ctx))(c)), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/discourse/messages/{id}", Tags: []string{"messages"}, Summary: "Get a message",
	}, needs(domain.SeeMessage), func(ctx context.Context, in *getMessage) (*body[protocol.Message], error) {
		m, err := s.Conversations.Message(ctx, callerOf(ctx), in.ID)
		// A superuser who reviews feedback may read a message of a conversation that is not shared
		// with them. Only this scope asks for that, so an ordinary read of it stays 404.
		if domain.CodeOf(err) == domain.CodeNotFound && in.scope() == domain.FeedbackAll {
			m, err = s.Conversations.MessageReviewed(ctx, callerOf(ctx), in.ID)
		}
		if err != nil {
			return nil, err
		}
		// The message is put into a list of one, because feedback is added to lists of messages.
		out := []protocol.Message{wire.NewMessage(m)}
		if scope := in.scope(); scope != domain.FeedbackNone {
			by, err := s.Feedback.FeedbackOf(ctx, callerOf(ctx), m.ConversationID, scope)
			if err != nil {
				return nil, err
			}
			wire.AddFeedback(out, by)
		}
		return answer(out[0]), nil
	})
}

// page returns the requested page of the messages. To find a branch all of them are read.
func (in *getConversation) page() domain.MessagePage {
	if in.MessageID != "" {
		return domain.MessagePage{}
	}
	return domain.MessagePage{Size: in.MessagePageSize, Before: in.MessagesBefore}
}

// conversation answers a conversation with its messages, in the requested form.
func (s *Server) conversation(ctx context.Context, in *getConversation) (*body[wire.Conversation], error) {
	c, err := s.Conversations.ConversationAs(ctx, callerOf(ctx), in.ID, domain.ConversationView{
		Feedback: in.scope(), AllVersions: !in.OnlyMostRecentVersion, Messages: in.page(),
	})
	if err != nil {
		return nil, err
	}
	out := wire.NewConversation(callerOf(ctx))(c)
	if in.MessageID != "" {
		// The prefix is accepted because the specification writes the id in this form, too.
		id, err := uuid.Parse(strings.TrimPrefix(in.MessageID, "message-"))
		if err != nil {
			return nil, domain.Invalid("messageId", "The id of a message is a UUID")
		}
		// A message that was cut by a rewind, or is of another conversation, is 404.
		if out.MessageSet = wire.Branch(out.MessageSet, id); len(out.MessageSet) == 0 {
			return nil, domain.NotFound("Message")
		}
	}
	// Feedback is added before the messages are nested, because only the flat list is searched.
	wire.AddFeedback(out.MessageSet, c.Feedback)
	if in.MessagesToTree {
		out.MessageSet = wire.Tree(out.MessageSet)
	}
	return answer(out), nil
}
