package persistence

// Changes of blueprints. Each locks the blueprint's row and checks the right under the lock; a
// change with steps renumbers them in the same transaction (blueprint_step.go). A deletion also
// stops the tasks that run the blueprint.

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/pointer"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// CreateBlueprint implements domain.BlueprintService.
func (s Blueprints) CreateBlueprint(ctx context.Context, caller domain.Caller, d domain.BlueprintDraft) (*domain.Blueprint, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	// The draft does not depend on the transaction, unlike that of a conversation
	// (blueprint_start.go).
	return s.createBlueprint(ctx, caller, kindBlueprint, d.Key, func(pgx.Tx) (*domain.BlueprintDraft, error) { return &d, nil })
}

// createBlueprint creates the blueprint that write inserts, once for a key, and reads it.
func (s Blueprints) createBlueprint(
	ctx context.Context, caller domain.Caller, kind string, key domain.IdempotencyKey, write func(pgx.Tx) (*domain.BlueprintDraft, error),
) (*domain.Blueprint, error) {
	id, err := s.createInt64(ctx, caller, kind, key, func(tx pgx.Tx) (id int64, err error) {
		// A repeated request does not come here: it gets the id of the first one.
		d, err := write(tx)
		if err != nil {
			return 0, err
		}
		if err := s.checkBlueprint(ctx, tx, caller, 0, d); err != nil {
			return 0, err
		}
		return s.insertBlueprint(ctx, tx, caller, d)
	})
	if err != nil {
		return nil, err
	}
	return s.Blueprint(ctx, caller, id)
}

// insertBlueprint inserts the row and its steps. The transaction has checked the references.
func (s Blueprints) insertBlueprint(ctx context.Context, tx pgx.Tx, caller domain.Caller, d *domain.BlueprintDraft) (int64, error) {
	row := dbsqlc.BlueprintInsertOf(d)
	row.OrgID, row.OwnerID, row.At = caller.OrganisationID, caller.UserID, s.now()
	row.DataSources, row.ProjectLabels, row.UseCaseCategories = idsOf(d.DataSources), idsOf(d.ProjectLabels), idsOf(d.Categories)
	// Lists are filtered by this column, so it is stored and not derived when it is read.
	about := domain.Blueprint{InputParameters: row.InputParameters}
	row.NeedsInputs = about.NeedsInputs()
	id, err := s.q.BlueprintInsert(ctx, tx, row)
	if err != nil {
		return 0, err
	}
	return id, s.arrangeSteps(ctx, tx, caller, id, pointer.Value(d.Steps), nil)
}

// UpdateBlueprint implements domain.BlueprintService.
func (s Blueprints) UpdateBlueprint(
	ctx context.Context, caller domain.Caller, id int64, d domain.BlueprintDraft,
) (*domain.Blueprint, error) {
	err := s.runOnce(ctx, caller, func(tx pgx.Tx) error {
		row, err := s.lockBlueprint(ctx, tx, caller, id, domain.ChangeBlueprint)
		if err != nil {
			return err
		}
		// Rights come before the rules of a body, here as everywhere.
		if err := d.Validate(); err != nil {
			return err
		}
		// 0 means no version, and then the change is made to what is stored.
		if err := fresh(d.Version, row.Version); err != nil {
			return err
		}
		if err := s.checkBlueprint(ctx, tx, caller, id, &d); err != nil {
			return err
		}
		change := dbsqlc.BlueprintUpdateOf(&d)
		change.ID, change.At = id, s.now()
		// Without new parameters the column stays as it is.
		if d.InputParameters != nil {
			about := domain.Blueprint{InputParameters: *d.InputParameters}
			needs := about.NeedsInputs()
			change.NeedsInputs = &needs
		}
		// A list that is not given is nil, and the statement leaves its column unchanged.
		for _, list := range []struct {
			from *[]int64
			to   *[]int64
		}{{d.DataSources, &change.DataSources}, {d.ProjectLabels, &change.ProjectLabels}, {d.Categories, &change.UseCaseCategories}} {
			if list.from != nil {
				*list.to = idsOf(list.from)
			}
		}
		if err := s.q.BlueprintUpdate(ctx, tx, change); err != nil {
			return err
		}
		// Without steps in the request they stay as they are.
		return s.arrangeSteps(ctx, tx, caller, id, pointer.Value(d.Steps), d.RemovedSteps)
	})
	if err != nil {
		return nil, err
	}
	return s.Blueprint(ctx, caller, id)
}

// DeleteBlueprint implements domain.BlueprintService.
func (s Blueprints) DeleteBlueprint(ctx context.Context, caller domain.Caller, id int64) error {
	var events []domain.UserEvent
	err := s.runOnce(ctx, caller, func(tx pgx.Tx) error {
		// The tasks are locked first, because that is the order of locks (doc.go); whether the
		// caller may do this at all is checked under the blueprint's lock.
		if err := s.q.TaskBlueprintLock(ctx, tx, id); err != nil {
			return err
		}
		if _, err := s.lockBlueprint(ctx, tx, caller, id, domain.DeleteBlueprint); err != nil {
			return err
		}
		if err := s.q.BlueprintDelete(ctx, tx, id); err != nil {
			return err
		}
		var err error
		// The tasks stay in their owners' lists, switched off and with the reason; their owners get an
		// event.
		events, err = s.tasks().stopTasks(ctx, tx, caller, id)
		return err
	})
	// The events are announced after the commit.
	if err == nil {
		s.announce(events)
	}
	return err
}

// ArchiveBlueprint implements domain.BlueprintService.
func (s Blueprints) ArchiveBlueprint(ctx context.Context, caller domain.Caller, id int64, archived bool) error {
	return s.write(ctx, caller.OrganisationID, func(tx pgx.Tx) error {
		row, err := s.lockBlueprint(ctx, tx, caller, id, domain.ArchiveBlueprint)
		// To archive what is archived changes nothing, not even the version, so no key is needed.
		if err != nil || row.IsArchived == archived {
			return err
		}
		return s.q.BlueprintUpdate(ctx, tx, &dbsqlc.BlueprintUpdateParams{
			ID: id, IsArchived: &archived, At: s.now(),
		})
	})
}

// SetBlueprintFavorite implements domain.BlueprintService.
func (s Blueprints) SetBlueprintFavorite(ctx context.Context, caller domain.Caller, id int64, on bool) error {
	return s.write(ctx, caller.OrganisationID, func(tx pgx.Tx) error {
		if _, err := s.lockBlueprint(ctx, tx, caller, id, domain.UseBlueprint); err != nil {
			return err
		}
		return s.q.BlueprintSetFavorite(ctx, tx, &dbsqlc.BlueprintSetFavoriteParams{
			UserID: caller.UserID, BlueprintID: id, OrgID: caller.OrganisationID, IsFavorite: on,
		})
	})
}

// CopyBlueprint implements domain.BlueprintService.
func (s Blueprints) CopyBlueprint(
	ctx context.Context, caller domain.Caller, id int64, name string, key domain.IdempotencyKey,
) (*domain.Blueprint, error) {
	// A repeated copy is answered before the original is read, which may be deleted since.
	if copied, err := s.int64ResultOf(ctx, caller, kindBlueprintCopy, key); err != nil {
		return nil, err
	} else if copied != 0 {
		return s.Blueprint(ctx, caller, copied)
	}
	first, err := s.Blueprint(ctx, caller, id)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(name) == "" {
		name = domain.Shorten("Copy of "+first.Name, domain.BlueprintNameMax)
	}
	// The draft has only what the copier sees of the original.
	d := first.Draft()
	d.Name = name
	steps := *d.Steps
	for i := range steps {
		// All steps are new ones of the copy.
		steps[i].ID = 0
	}
	if err := d.Validate(); err != nil {
		return nil, err
	}
	return s.createBlueprint(ctx, caller, kindBlueprintCopy, key, func(tx pgx.Tx) (*domain.BlueprintDraft, error) {
		// Agents and memories that the copier may not use are left out; data sources were
		// left out when the original was read.
		// The errors in c are not returned: checkSteps removes what the copier may not use, and
		// here that is no error.
		var c domain.Checks
		return &d, s.checkSteps(ctx, tx, caller, &c, id, steps, func(int) string { return "" })
	})
}

// checkBlueprint refuses references that the caller may not use. An object that does not
// exist and another person's give the same error.
func (s Blueprints) checkBlueprint(ctx context.Context, tx pgx.Tx, caller domain.Caller, blueprint int64, d *domain.BlueprintDraft) error {
	// The data sources are alone in their error, because the check is shared with conversations.
	if err := s.conversations().mayUse(ctx, tx, caller, idsOf(d.DataSources)); err != nil {
		return err
	}
	var c domain.Checks
	if categories := idsOf(d.Categories); len(categories) > 0 {
		known, err := s.q.UseCaseCategoriesKnown(ctx, tx, categories)
		if err != nil {
			return err
		}
		c.Require(known == int64(len(categories)), "useCaseCategories", "One of the categories is not available.")
	}
	if labels := idsOf(d.ProjectLabels); len(labels) > 0 {
		known, err := s.q.ProjectLabelNamed(ctx, tx, labels)
		if err != nil {
			return err
		}
		c.Require(len(known) == len(labels), "projectLabels", "One of the projects is not available.")
	}
	err := s.checkSteps(ctx, tx, caller, &c, blueprint, pointer.Value(d.Steps), func(i int) string {
		return "steps[" + strconv.Itoa(i) + "]."
	})
	if err != nil {
		return err
	}
	return c.Err()
}

// idsOf are the ids of an optional list: sorted, each once, never nil.
func idsOf(ids *[]int64) []int64 {
	out := append([]int64{}, pointer.Value(ids)...)
	slices.Sort(out)
	return slices.Compact(out)
}
