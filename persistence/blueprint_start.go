package persistence

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
	if first, err := s.resultOf(ctx, caller, kindBlueprintStart, start.Key); err != nil {
		return nil, err
	} else if first != "" {
		return startedBefore(first)
	}
	b, err := s.Blueprint(ctx, caller, id)
	if err != nil {
		return nil, err
	}
	out := &domain.BlueprintStarted{}
	var told []domain.UserEvent
	err = s.write(ctx, caller.OrganisationID, func(tx pgx.Tx) error {
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
		out.Conversation, told = started.ID, started.Events
		if start.DataSources == nil {
			out.MissingDataSources = b.MissingDataSources
		}
		return s.finishOnce(ctx, tx, caller, start.Key, started.ID.String()+" "+strconv.Itoa(out.MissingDataSources))
	})
	if err != nil {
		return nil, err
	}
	s.tell(told)
	return out, nil
}

// startedBefore parses the stored result of a start.
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

// startBlueprint starts a blueprint that the caller may read, as the last work
// of a transaction (see startConversation).
func (s Blueprints) startBlueprint(
	ctx context.Context, tx pgx.Tx, caller domain.Caller, b *domain.Blueprint, start *domain.BlueprintStart,
) (*startedConversation, error) {
	if b.IsArchived {
		return nil, domain.Invalid("blueprint", "This blueprint is archived.")
	}
	message, plan, err := b.Start(start.Inputs)
	if err != nil {
		return nil, err
	}
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
