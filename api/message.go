package api

// The calls that send a prompt and stop a turn. Both are served by the conversation's owner, the
// actor behind Engine. A prompt happens once: its id is the key of the message (G4), and the web
// repeats a failed request once.

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// messageID is the input of a call that needs only the id of a message.
type messageID struct {
	ID uuid.UUID `path:"id" format:"uuid"`
}

// userText is the input of a prompt.
type userText struct {
	IdempotencyKey string `header:"Idempotency-Key" doc:"For clients that do not choose the id of the message. The key is only compared with the keys of other prompts."`
	Body           wire.UserText
}

// messageRoutes registers the calls on messages.
func (s *Server) messageRoutes(a huma.API) {
	tags := []string{"messages"}

	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/discourse/user-text", Tags: tags,
		Summary: "Send a prompt and start the turn that answers it",
		Description: "The answer is sent on the stream. A request with the same message id returns the first result and sends nothing. With " +
			"iceBreakerId the turn runs the steps of that blueprint in order. 422 for an input that is missing in both inputs and the text, with " +
			"its name.",
	}, needs(domain.SendPrompt).by("conversationId"), s.send)

	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/analyst/process-control/stop-process-in-redis", Tags: tags,
		Summary:     "Stop the running turn of a conversation",
		Description: "After the response, no more events of the turn are sent. The response is also 200 if no turn is running.",
	}, needs(domain.StopTurn).by("conversationId"), func(ctx context.Context, in *struct{ Body wire.StopTurn }) (*body[wire.Stopped], error) {
		// When Stop returns, the end of the turn is committed (G10). A repeated stop answers the
		// same end.
		r, err := s.Engine.Stop(ctx, callerOf(ctx), in.Body.ConversationID)
		if err != nil {
			return nil, err
		}
		if r.LastMessage != nil {
			withPicture(ctx, r.LastMessage)
		}
		return answer(wire.NewStopped(r)), nil
	})
}

// send checks a prompt as far as that needs no actor, and passes it to the conversation's owner.
// The answer comes after the commit (G5); the text of the turn comes on the stream.
func (s *Server) send(ctx context.Context, in *userText) (*body[wire.Sent], error) {
	caller := callerOf(ctx)
	if err := s.sends.allow(ctx, caller.UserID); err != nil {
		return nil, err
	}
	prompt := domain.Prompt{
		Conversation: in.Body.ConversationID,
		Message:      promptID(caller, in),
		Text:         in.Body.Message.Text,
		DataSources:  in.Body.DataSources,
	}
	// Inputs without a blueprint are ignored: they are values of its steps.
	if id := in.Body.IceBreakerID; id != nil {
		var err error
		if prompt.Inputs, err = wire.InputValues(in.Body.Inputs); err != nil {
			return nil, err
		}
		prompt.BlueprintID = *id
	}
	if p := in.Body.Message.ParentMessageID; p != nil {
		prompt.Parent = *p
	}
	if a := in.Body.Message.AnalystID; a != nil {
		prompt.AnalystID = *a
	}
	if err := prompt.Validate(); err != nil {
		// Rights are checked before the rules of a body.
		if denied := s.authorizeOf(ctx, domain.SendPrompt, domain.Key{ID: prompt.Conversation}); denied != nil {
			return nil, denied
		}
		return nil, err
	}
	if err := s.checkSources(ctx, caller, prompt.Conversation, prompt.DataSources); err != nil {
		return nil, err
	}
	// The owner checks the right and the parent again, under its own order of events.
	r, err := s.Engine.Send(ctx, caller, prompt)
	// The conversation has changed, or an answer is still being written. The client reads on from
	// the head.
	if domain.CodeOf(err) == domain.CodeConflict {
		return nil, s.withHead(ctx, caller, prompt.Conversation, err)
	}
	if err != nil {
		return nil, err
	}
	if prompt.BlueprintID != 0 && !r.Repeated {
		// The prompt is sent even if the list of recent blueprints cannot be updated.
		if err := s.Blueprints.UseBlueprint(ctx, caller, prompt.BlueprintID); err != nil {
			s.log.LogAttrs(ctx, slog.LevelWarn, "the use of a blueprint was not noted", slog.Any("error", err))
		}
	}
	withPicture(ctx, &r.Message)
	return answer(wire.NewSent(r)), nil
}

// withPicture adds the caller's picture to their prompt. The events of a conversation's log
// have only the author's name, because a picture may be 100 kB large.
func withPicture(ctx context.Context, m *domain.Message) {
	if user := requestOf(ctx).user; m.Author != nil && user != nil && m.Author.ID == user.ID {
		author := *m.Author
		author.Picture = user.Picture
		m.Author = &author
	}
}

// withHead adds the current head of the conversation to a conflict, so that the client can
// fetch the messages that it misses.
func (s *Server) withHead(ctx context.Context, caller domain.Caller, conversation uuid.UUID, conflict error) error {
	c, err := s.Conversations.ConversationAccess(ctx, caller, conversation)
	if err != nil {
		return err
	}
	p := problemOf(conflict, requestOf(ctx).id)
	p.Head = &ProblemHead{Seq: c.Head, Generation: c.Generation}
	if c.Last != uuid.Nil {
		p.Head.MessageID = &c.Last
	}
	return p
}

// promptID returns the id that the client chose; otherwise an id that is derived from its
// idempotency key, so that a repeated request has the same id in any conversation; otherwise
// a new id.
func promptID(caller domain.Caller, in *userText) uuid.UUID {
	// An id of zeros counts as no id.
	switch {
	case in.Body.Message.ID != nil && *in.Body.Message.ID != uuid.Nil:
		return *in.Body.Message.ID
	case in.IdempotencyKey != "":
		name := strconv.FormatInt(caller.UserID, 10) + " " + in.IdempotencyKey
		return uuid.NewSHA1(uuid.NameSpaceOID, []byte(name))
	}
	// A UUID of version 7 begins with the time (RFC 9562, 5.7).
	return uuid.Must(uuid.NewV7())
}
