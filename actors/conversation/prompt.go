package conversation

import (
	"context"
	"math"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/google/uuid"

	"parley.dev/parley/actors/conversation/ledger"
	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// sendPrompt reads the stored message of the prompt's id, its agent and its blueprint, then
// lets the state decide.
func (a *Actor) sendPrompt(ctx actor.Context, msg *protocol.SendPrompt, w *caller) {
	a.allowed(ctx, msg.Caller, domain.SendPrompt, w, func(w *caller) {
		in := ledger.Send{To: w, Caller: msg.Caller.Domain(), Origin: msg.Origin, Prompt: domain.Prompt{
			Conversation: a.id, Message: protocol.ID(msg.Message), Parent: protocol.ID(msg.Parent),
			Text: msg.Text, AnalystID: msg.AnalystId, DataSources: msg.DataSources, BlueprintID: msg.BlueprintId, Inputs: msg.Inputs,
		}}
		if err := in.Prompt.Validate(); err != nil {
			a.answer(ctx, ledger.Answer{To: w, Err: err})
			return
		}
		if a.closing {
			a.answer(ctx, ledger.Answer{To: w, Err: ledger.Fenced()})
			return
		}
		a.prepare(ctx, w, func(c context.Context) (err error) {
			if in.Existing, err = a.c.Store.MessageByID(c, in.Caller.OrganisationID, in.Prompt.Message); err != nil {
				return err
			}
			if in.Existing != nil {
				in.Asked, err = a.c.Store.TurnAnalyst(c, in.Existing.TurnID)
				return err
			}
			if in.Analyst, err = a.analyst(c, in.Caller, in.Prompt.AnalystID); err != nil || in.Prompt.BlueprintID == 0 {
				return err
			}
			in.Plan, err = a.c.Store.PromptPlan(c, in.Caller, &in.Prompt)
			return err
		}, func() { a.step(ctx, in) })
	})
}

// analyst finds the agent of a prompt: one that the caller may use, and the
// default one for 0.
func (a *Actor) analyst(c context.Context, caller domain.Caller, id int64) (domain.Analyst, error) {
	read := func() (*domain.Analyst, error) { return a.c.Analysts.UsableAnalyst(c, caller, id) }
	if id == 0 {
		read = func() (*domain.Analyst, error) { return a.c.Analysts.DefaultAnalyst(c, caller.OrganisationID) }
	}
	found, err := read()
	switch {
	case domain.CodeOf(err) == domain.CodeNotFound:
		return domain.Analyst{}, domain.Invalid("message.analystId", "This agent is not there.")
	case err != nil:
		return domain.Analyst{}, err
	case !found.IsEnabled:
		return domain.Analyst{}, domain.Invalid("message.analystId", "This agent is not enabled.")
	default:
		return *found, nil
	}
}

// rewindTo finds the message and those before it, then rewinds.
func (a *Actor) rewindTo(ctx actor.Context, msg *protocol.RewindTo, w *caller) {
	id, handling := protocol.ID(msg.Message), a.poison.handling
	a.allowed(ctx, msg.Caller, domain.RewindConversation, w, func(w *caller) {
		w.readAgain = func() {
			before := a.poison.handling
			a.poison.handling = handling
			a.findRewind(ctx, w, id)
			a.poison.handling = before
		}
		a.findRewind(ctx, w, id)
	})
}

// findRewind reads what a rewind to a message needs, and applies it.
func (a *Actor) findRewind(ctx actor.Context, w *caller, id uuid.UUID) {
	in, organisation := ledger.Rewind{To: w, Generation: a.state.Generation()}, a.state.Organisation()
	a.prepare(ctx, w, func(c context.Context) error {
		message, err := a.c.Store.MessageByID(c, organisation, id)
		if err != nil {
			return err
		}
		if message == nil || message.ConversationID != a.id {
			return domain.NotFound("Message")
		}
		in.Message = *message
		recent, err := a.c.Store.MessagesBefore(c, a.id, message.Seq+1, tailRead+1)
		if err != nil {
			return err
		}
		if n := len(recent); n > 0 && recent[n-1].ID == id {
			in.Tail = ledger.Tail(recent[:n-1])
			return nil
		}
		// An earlier rewind has removed it. A repeat changes nothing, unless messages were added
		// since.
		last, err := a.c.Store.MessagesBefore(c, a.id, math.MaxInt64, 1)
		if err == nil && len(last) > 0 && last[0].Seq > message.Seq {
			return domain.NotFound("Message")
		}
		in.Left = true
		return err
	}, func() { a.step(ctx, in) })
}

// prepare runs the reads of a request outside the actor and then continues the request.
func (a *Actor) prepare(ctx actor.Context, w *caller, read func(context.Context) error, then func()) {
	a.read(ctx, read, func(err error) {
		if err == nil && a.phase != active {
			err = ledger.Fenced()
		}
		if err != nil {
			a.answer(ctx, ledger.Answer{To: w, Err: err})
			return
		}
		then()
	})
}

// read runs work of the request being served outside the actor, and then calls then inside it.
func (a *Actor) read(ctx actor.Context, work func(context.Context) error, then func(error)) {
	handling := a.poison.handling
	a.run(ctx, work, func(err error) {
		a.poison.handling = handling
		then(err)
		a.poison.handling = stashed{}
	})
}

func readUpdate(msg *protocol.Change) domain.ConversationUpdate {
	u := domain.ConversationUpdate{Name: msg.Name, Description: msg.Description}
	if msg.DataSources != nil {
		ids := append([]int64{}, msg.DataSources.Ids...)
		u.DataSources = &ids
	}
	if msg.ProjectLabels != nil {
		ids := append([]int64{}, msg.ProjectLabels.Ids...)
		u.ProjectLabels = &ids
	}
	return u
}

func readGrants(msg *protocol.SetGrants) []domain.Grant {
	grants := make([]domain.Grant, 0, len(msg.Grants))
	for _, g := range msg.Grants {
		grants = append(grants, domain.Grant{
			Grantee:    domain.Grantee{ID: g.GranteeId, Type: domain.GranteeType(g.GranteeType)},
			Permission: domain.Permission(g.Permission),
		})
	}
	return grants
}
