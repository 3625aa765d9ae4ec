package persistence

// Blueprints that become conversations, and conversations that become blueprints. A start stores
// the conversation, its first message and the turn with a copy of the plan in one transaction: if
// the node stops afterwards, a sweeper finds the turn. Later changes of the blueprint do not change
// a turn that has begun.

import (
	"cmp"
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// StartBlueprint implements domain.BlueprintService.
func (s Blueprints) StartBlueprint(
	ctx context.Context, caller domain.Caller, id int64, start domain.BlueprintStart,
) (*domain.BlueprintStarted, error) {
	// A repeated start is answered before the blueprint is read, which may be changed or deleted
	// since.
	if first, err := s.resultOf(ctx, caller, kindBlueprintStart, start.Key); err != nil {
		return nil, err
	} else if first != "" {
		return startedBefore(first)
	}
	// The blueprint is read with the caller's right to it, and only with the data sources that they
	// may use.
	b, err := s.Blueprint(ctx, caller, id)
	if err != nil {
		return nil, err
	}
	out := &domain.BlueprintStarted{}
	var events []domain.UserEvent
	err = s.write(ctx, caller.OrganisationID, func(tx pgx.Tx) error {
		// A request with the same key may run at this moment. This waits for it.
		first, err := s.beginOnce(ctx, tx, caller, kindBlueprintStart, start.Key)
		if err != nil {
			return err
		}
		if first != "" {
			out, err = startedBefore(first)
			return err
		}
		started, err := s.startBlueprint(ctx, tx, caller, b, &start)
		if err != nil {
			return err
		}
		// The events are announced after the commit.
		out.Conversation, events = started.ID, started.Events
		// A caller who names the data sources misses none.
		if start.DataSources == nil {
			out.MissingDataSources = b.MissingDataSources
		}
		return s.finishOnce(ctx, tx, caller, start.Key, started.ID.String()+" "+strconv.Itoa(out.MissingDataSources))
	})
	if err != nil {
		return nil, err
	}
	s.announce(events)
	return out, nil
}

// startedBefore parses the stored result of a start.
// It has the form that StartBlueprint stores: the conversation's id and a number.
func startedBefore(result string) (*domain.BlueprintStarted, error) {
	conversation, missing, _ := strings.Cut(result, " ")
	id, err := uuid.Parse(conversation)
	if err != nil {
		return nil, errUnreadableKey(err)
	}
	number, err := strconv.Atoi(missing)
	if err != nil {
		return nil, errUnreadableKey(err)
	}
	return &domain.BlueprintStarted{Conversation: id, MissingDataSources: number}, nil
}

// startBlueprint starts a blueprint that was read before, as the last work of a transaction
// (see startConversation). The caller's right is asked again: since then the blueprint may have
// been deleted, or their access taken away.
func (s Blueprints) startBlueprint(
	ctx context.Context, tx pgx.Tx, caller domain.Caller, b *domain.Blueprint, start *domain.BlueprintStart,
) (*startedConversation, error) {
	if err := s.authorize(ctx, tx, caller, domain.UseBlueprint, domain.Key{Number: b.ID}); err != nil {
		return nil, err
	}
	if b.IsArchived {
		return nil, domain.Invalid("blueprint", "This blueprint is archived.")
	}
	// The inputs are put into the texts of the steps, so the plan needs no blueprint afterwards. A
	// missing input is CodeInvalid with its name.
	message, plan, err := b.Start(start.Inputs)
	if err != nil {
		return nil, err
	}
	// Data sources that the caller may not use are not in b (blueprintsOf), but they may be in
	// those that the request names.
	sources := idsOf(&b.DataSources)
	if start.DataSources != nil {
		sources = idsOf(start.DataSources)
	}
	if err := s.conversations().mayUse(ctx, tx, caller, sources); err != nil {
		return nil, err
	}
	if start.AnalystID != 0 {
		if err := s.mayAsk(ctx, tx, caller, start.AnalystID); err != nil {
			return nil, err
		}
	}
	// This is what the list of recent blueprints reads.
	err = s.q.BlueprintUsed(ctx, tx, &dbsqlc.BlueprintUsedParams{
		UserID: caller.UserID, BlueprintID: b.ID, OrgID: caller.OrganisationID, At: s.now(),
	})
	if err != nil {
		return nil, err
	}
	return s.conversations().startConversation(ctx, tx, &conversationStart{
		caller: caller, name: cmp.Or(start.Name, b.Name), description: b.Description, dataSources: sources,
		projectLabels: domain.LabelIDs(b.ProjectLabels),
		text:          message, analystID: start.AnalystID, plan: plan,
	})
}

// UseBlueprint implements domain.BlueprintService.
// Nothing else changes, not even the version: the list of recent blueprints belongs to the caller.
func (s Blueprints) UseBlueprint(ctx context.Context, caller domain.Caller, id int64) error {
	return s.write(ctx, caller.OrganisationID, func(tx pgx.Tx) error {
		if _, err := s.lockBlueprint(ctx, tx, caller, id, domain.UseBlueprint); err != nil {
			return err
		}
		return s.q.BlueprintUsed(ctx, tx, &dbsqlc.BlueprintUsedParams{
			UserID: caller.UserID, BlueprintID: id, OrgID: caller.OrganisationID, At: s.now(),
		})
	})
}

// mayAsk refuses an agent that the caller may not use, and one that is switched off.
func (s Blueprints) mayAsk(ctx context.Context, tx pgx.Tx, caller domain.Caller, id int64) error {
	known, err := s.q.BlueprintAnalystsKnown(ctx, tx, &dbsqlc.BlueprintAnalystsKnownParams{
		Ids: []int64{id}, OnlyEnabled: true,
		UserID: caller.UserID,
	})
	if err == nil && len(known) == 0 {
		return domain.Invalid("analystId", "This agent is not available.")
	}
	return err
}

// BlueprintFromConversation implements domain.BlueprintService.
func (s Blueprints) BlueprintFromConversation(
	ctx context.Context, caller domain.Caller, conversation uuid.UUID, given domain.BlueprintDraft,
) (*domain.Blueprint, error) {
	if first, err := s.int64ResultOf(ctx, caller, kindBlueprintFrom, given.Key); err != nil {
		return nil, err
	} else if first != 0 {
		return s.Blueprint(ctx, caller, first)
	}
	c, err := s.conversations().Conversation(ctx, caller, conversation)
	if err != nil {
		return nil, err
	}
	// Only prompts become steps, so only the turns that answer one are read.
	var turns []uuid.UUID
	for i := range c.Messages {
		if m := &c.Messages[i]; m.Role == domain.RoleUser && m.TurnID != uuid.Nil {
			turns = append(turns, m.TurnID)
		}
	}
	// Only the engine's role reads steps of turns; the caller may read their conversation.
	var rows []dbsqlc.TurnQueriesRow
	var planned []dbsqlc.TurnPlansRow
	err = s.asEngine(ctx, func(r *reading) {
		r.TurnQueries(turns, &rows)
		r.TurnPlans(&dbsqlc.TurnPlansParams{Turns: turns, UserID: caller.UserID}, &planned)
	})
	if err != nil {
		return nil, err
	}
	// A turn that ran a blueprint has its plan; its steps replace the prompt.
	plans := map[uuid.UUID]*domain.Plan{}
	for _, p := range planned {
		plans[p.ID] = &domain.Plan{}
		if err := json.Unmarshal(p.Plan, plans[p.ID]); err != nil {
			return nil, domain.Internal(err, "the plan of a turn cannot be read")
		}
	}
	queries := make([]domain.TurnQuery, len(rows))
	for i, r := range rows {
		queries[i] = domain.TurnQuery{Turn: r.TurnID, SQL: r.Sql}
	}
	d := domain.DraftFromConversation(c, queries, plans)
	if len(*d.Steps) == 0 {
		return nil, domain.Invalid("fromConversation", "The conversation has no messages yet.")
	}
	// What the person has written counts more than what was proposed.
	d.Override(&given)
	if err := d.Validate(); err != nil {
		return nil, err
	}
	return s.createBlueprint(ctx, caller, kindBlueprintFrom, given.Key, func(tx pgx.Tx) (*domain.BlueprintDraft, error) {
		// Data sources of the conversation that this person may not use are left out.
		usable, err := s.q.BlueprintSourcesUsable(ctx, tx, &dbsqlc.BlueprintSourcesUsableParams{UserID: caller.UserID, Ids: *d.DataSources})
		if err != nil {
			return nil, err
		}
		d.DataSources = &usable
		// Projects that were deleted since are left out; given ones are checked as those of every
		// blueprint.
		if given.ProjectLabels != nil {
			return &d, nil
		}
		known, err := s.q.ProjectLabelNamed(ctx, tx, idsOf(d.ProjectLabels))
		labels := make([]int64, len(known))
		for i, l := range known {
			labels[i] = l.ID
		}
		d.ProjectLabels = &labels
		return &d, err
	})
}
