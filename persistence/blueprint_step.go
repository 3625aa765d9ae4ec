package persistence

// Single steps of a blueprint, and their order. Steps are numbered from 1 without gaps, at most 50.
// A step without a blueprint belongs to its maker and waits for a blueprint for a day. A change of
// a step is a change of its blueprint: it needs the right to it, its lock, and raises its version.

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// CreateStep implements domain.BlueprintService.
func (s Blueprints) CreateStep(ctx context.Context, caller domain.Caller, d domain.StepDraft) (*domain.BlueprintStep, error) {
	// A client cannot choose the id of a step.
	d.ID = 0
	var out *domain.BlueprintStep
	err := s.write(ctx, caller.OrganisationID, func(tx pgx.Tx) error {
		first, err := s.beginOnce(ctx, tx, caller, kindBlueprintStep, d.Key)
		if err != nil {
			return err
		}
		// The answer is read in the same transaction in both cases, so a repeated request gets the
		// step as it is now.
		var id int64
		if first != "" {
			if id, err = strconv.ParseInt(first, 10, 64); err != nil {
				return err //nolint:wrapcheck // translated by write
			}
		} else if id, err = s.addStep(ctx, tx, caller, &d); err != nil {
			return err
		}
		if out, err = s.step(ctx, tx, caller, id); err != nil {
			return err
		}
		return s.finishOnce(ctx, tx, caller, d.Key, strconv.FormatInt(id, 10))
	})
	return out, err
}

// addStep creates a step, in a blueprint or waiting for one, and returns its id.
func (s Blueprints) addStep(ctx context.Context, tx pgx.Tx, caller domain.Caller, d *domain.StepDraft) (int64, error) {
	// The blueprint is locked before the step exists, which is the order of locks.
	if d.BlueprintID != 0 {
		if err := s.beginStep(ctx, tx, caller, d.BlueprintID, d.Version); err != nil {
			return 0, err
		}
	}
	// Rights come before the rules of a body, here as everywhere.
	if err := d.Validate(); err != nil {
		return 0, err
	}
	if err := s.checkStep(ctx, tx, caller, d); err != nil {
		return 0, err
	}
	// The step is inserted as a waiting one first, and arrangeSteps then moves it to its position.
	id, err := s.q.BlueprintStepInsert(ctx, tx, s.stepParams(caller, 0, 0, d))
	if err != nil || d.BlueprintID == 0 {
		return id, err
	}
	d.ID = id
	return id, s.arrangeSteps(ctx, tx, caller, d.BlueprintID, []domain.StepDraft{*d}, nil)
}

// UpdateStep implements domain.BlueprintService.
func (s Blueprints) UpdateStep(ctx context.Context, caller domain.Caller, id int64, d domain.StepDraft) (*domain.BlueprintStep, error) {
	d.ID = id
	err := s.runOnce(ctx, caller, func(tx pgx.Tx) error {
		// The step is only read here: its blueprint must be locked before it.
		row, err := s.stepRow(ctx, tx, caller, id)
		if err != nil {
			return err
		}
		if row.BlueprintID != 0 && d.BlueprintID != 0 && d.BlueprintID != row.BlueprintID {
			return domain.Invalid("icebreaker", "A step stays with its blueprint.")
		}
		// Without a blueprint in the request the step stays where it is.
		if row.BlueprintID != 0 {
			d.BlueprintID = row.BlueprintID
		}
		if d.BlueprintID != 0 {
			if err := s.beginStep(ctx, tx, caller, d.BlueprintID, d.Version); err != nil {
				return err
			}
		}
		// Under the locks the step must still be where it was found.
		if err := s.holdStep(ctx, tx, row); err != nil {
			return err
		}
		if err := d.Validate(); err != nil {
			return err
		}
		if err := s.checkStep(ctx, tx, caller, &d); err != nil {
			return err
		}
		if d.BlueprintID == 0 {
			// A waiting step has a position only for the client: it decides where the step goes
			// later.
			return s.q.BlueprintStepUpdate(ctx, tx, s.stepChange(caller, id, 0, max(d.Order, 1), &d))
		}
		return s.arrangeSteps(ctx, tx, caller, d.BlueprintID, []domain.StepDraft{d}, nil)
	})
	if err != nil {
		return nil, err
	}
	// The answer is read after the commit, also for a repeated request.
	var out *domain.BlueprintStep
	err = s.write(ctx, caller.OrganisationID, func(tx pgx.Tx) (err error) {
		out, err = s.step(ctx, tx, caller, id)
		return err
	})
	return out, err
}

// DeleteStep implements domain.BlueprintService.
func (s Blueprints) DeleteStep(ctx context.Context, caller domain.Caller, id int64) error {
	return s.runOnce(ctx, caller, func(tx pgx.Tx) error {
		row, err := s.stepRow(ctx, tx, caller, id)
		if err != nil {
			return err
		}
		if row.BlueprintID != 0 {
			// A deletion names no version.
			if err := s.beginStep(ctx, tx, caller, row.BlueprintID, 0); err != nil {
				return err
			}
		}
		if err := s.holdStep(ctx, tx, row); err != nil {
			return err
		}
		if row.BlueprintID == 0 {
			return s.q.BlueprintStepsDelete(ctx, tx, []int64{id})
		}
		// The others close the gap, and a blueprint keeps at least one step.
		return s.arrangeSteps(ctx, tx, caller, row.BlueprintID, nil, []int64{id})
	})
}

// Steps implements domain.BlueprintService.
func (s Blueprints) Steps(ctx context.Context, caller domain.Caller, ids []int64) (map[int64]domain.BlueprintStep, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	// The number is limited before the ids are sent to the database.
	var c domain.Checks
	c.Within(domain.StepCount("steps", len(ids)))
	if err := c.Err(); err != nil {
		return nil, err
	}
	var rows []dbsqlc.StepShown
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		r.BlueprintStepsSeen(&dbsqlc.BlueprintStepsSeenParams{Ids: ids, UserID: caller.UserID}, &rows)
	})
	if err != nil {
		return nil, err
	}
	found := make(map[int64]domain.BlueprintStep, len(rows))
	for i := range rows {
		found[rows[i].ID] = stepOf(&rows[i])
	}
	// Which of the ids is wrong is not said: a step that another person has and one that does not
	// exist are the same.
	for _, id := range ids {
		if _, ok := found[id]; !ok {
			return nil, domain.Invalid("steps", "One of the steps is not available.")
		}
	}
	return found, nil
}

// beginStep locks the blueprint of a step that changes, and raises its version.
func (s Blueprints) beginStep(ctx context.Context, tx pgx.Tx, caller domain.Caller, blueprint int64, version int) error {
	row, err := s.lockBlueprint(ctx, tx, caller, blueprint, domain.ChangeBlueprint)
	if err != nil {
		return err
	}
	if err := fresh(version, row.Version); err != nil {
		return err
	}
	// An update without fields raises the version and the time of the change.
	return s.q.BlueprintUpdate(ctx, tx, &dbsqlc.BlueprintUpdateParams{ID: blueprint, At: s.now()})
}

// stepRow finds a step that the caller may see.
func (s Blueprints) stepRow(ctx context.Context, tx pgx.Tx, caller domain.Caller, id int64) (*dbsqlc.BlueprintStepGetRow, error) {
	row, err := s.q.BlueprintStepGet(ctx, tx, &dbsqlc.BlueprintStepGetParams{UserID: caller.UserID, ID: id})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, domain.NounStep.Missing()
	}
	return row, err
}

// holdStep locks a step and checks that it still belongs to the same blueprint, which is
// locked already, or to no blueprint. CodeConflict if a waiting step was added to a
// blueprint since: the order of locks forbids to lock that blueprint after the step.
func (s Blueprints) holdStep(ctx context.Context, tx pgx.Tx, row *dbsqlc.BlueprintStepGetRow) error {
	now, err := s.q.BlueprintStepLock(ctx, tx, row.ID)
	if errors.Is(err, pgx.ErrNoRows) {
		return domain.NounStep.Missing()
	}
	if err == nil && now != row.BlueprintID {
		err = domain.Errorf(domain.CodeConflict, "Somebody else changed this meanwhile. Please load it again.")
	}
	return err
}

// step reads one as it is now.
func (s Blueprints) step(ctx context.Context, tx pgx.Tx, caller domain.Caller, id int64) (*domain.BlueprintStep, error) {
	row, err := s.stepRow(ctx, tx, caller, id)
	if err != nil {
		return nil, err
	}
	// Only its maker sees a waiting step.
	if row.BlueprintID == 0 {
		waiting, err := s.q.BlueprintStepsWaiting(ctx, tx, &dbsqlc.BlueprintStepsWaitingParams{Ids: []int64{id}, UserID: caller.UserID})
		if err != nil {
			return nil, err
		}
		if len(waiting) == 0 {
			return s.step(ctx, tx, caller, id) // it was just added to a blueprint or deleted
		}
		out := stepOf(waiting[0])
		return &out, nil
	}
	// The lock keeps the steps and the version together while both are read.
	of, err := s.lockBlueprint(ctx, tx, caller, row.BlueprintID, domain.SeeBlueprint)
	if err != nil {
		return nil, err
	}
	// All steps are read, because the position of one depends on the others.
	rows, err := s.q.BlueprintSteps(ctx, tx, &dbsqlc.BlueprintStepsParams{Whole: true, Blueprints: []int64{row.BlueprintID}})
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		if r.ID == id {
			out := stepOf(r)
			out.Version = int(of.Version)
			return &out, nil
		}
	}
	return nil, domain.NounStep.Missing()
}

// arrangedStep is a step and its position in the new order.
type arrangedStep struct {
	id    int64
	order int
	draft *domain.StepDraft // nil: unchanged
	taken bool              // it waited for a blueprint until now
}

// arrangeSteps applies drafts and removals to the steps of a blueprint, whose row is locked.
// Steps that are not mentioned stay, before or after the others by their order; then all are
// numbered from 1 without gaps.
func (s Blueprints) arrangeSteps(
	ctx context.Context, tx pgx.Tx, caller domain.Caller, blueprint int64, drafts []domain.StepDraft, removed []int64,
) error {
	if len(drafts) == 0 && len(removed) == 0 {
		return nil
	}
	now, err := s.q.BlueprintSteps(ctx, tx, &dbsqlc.BlueprintStepsParams{Blueprints: []int64{blueprint}})
	if err != nil {
		return err
	}
	order := make(map[int64]int, len(now))
	for _, r := range now {
		order[r.ID] = int(r.Place)
	}
	// Waiting steps of the caller may be named like those of the blueprint; they are taken over.
	waiting, err := s.waitingSteps(ctx, tx, caller, drafts, order)
	if err != nil {
		return err
	}
	var (
		c      domain.Checks
		list   []arrangedStep
		leaves = make(map[int64]bool, len(removed))
	)
	for _, id := range removed {
		c.Require(order[id] > 0, "removedSteps", "This step is not part of the blueprint.")
		leaves[id] = true
	}
	mentioned := make(map[int64]bool, len(drafts))
	for i := range drafts {
		d := &drafts[i]
		// A step that is both changed and removed is removed.
		if d.ID != 0 && leaves[d.ID] {
			continue
		}
		c.Require(d.ID == 0 || order[d.ID] > 0 || waiting[d.ID], "steps["+strconv.Itoa(i)+"].id", "This step is not part of the blueprint.")
		mentioned[d.ID] = true
		// The order of the request counts if it is given. Otherwise a list of several steps has the
		// order in which it was sent.
		p := arrangedStep{id: d.ID, order: d.Order, draft: d, taken: waiting[d.ID]}
		switch {
		case p.order > 0:
		case len(drafts) > 1 || order[d.ID] == 0 && len(now) == 0:
			p.order = i + 1
		case order[d.ID] > 0:
			p.order = order[d.ID] // keeps its position
		default:
			p.order = len(now) + 1 // a new step is placed last
		}
		list = append(list, p)
	}
	for _, r := range now {
		if !mentioned[r.ID] && !leaves[r.ID] {
			list = append(list, arrangedStep{id: r.ID, order: int(r.Place)})
		}
	}
	c.Within(domain.StepCount("steps", len(list)))
	c.Require(len(list) > 0 || len(removed) == 0, "steps", "A blueprint needs at least one step.")
	if err := c.Err(); err != nil {
		return err
	}
	// A step that moves up comes before the one at its new position, one that moves down after it.
	// Two steps may want the same position, because the others keep their old numbers.
	slices.SortStableFunc(list, func(a, b arrangedStep) int {
		if a.order != b.order {
			return a.order - b.order
		}
		return b.direction(order) - a.direction(order)
	})
	return s.writeSteps(ctx, tx, caller, blueprint, list, removed)
}

// direction is 1 for a step that moves up or is new, -1 for one that moves down, else 0.
// now is the position that the step had before.
func (p *arrangedStep) direction(was map[int64]int) int {
	switch now, ok := was[p.id]; {
	case p.draft == nil:
		return 0
	case ok && now < p.order:
		return -1
	case ok && now == p.order:
		return 0
	}
	return 1
}

// waitingSteps are those drafts' steps that the caller has created without a blueprint.
func (s Blueprints) waitingSteps(
	ctx context.Context, tx pgx.Tx, caller domain.Caller, drafts []domain.StepDraft, known map[int64]int,
) (map[int64]bool, error) {
	var ids []int64
	// Steps that the blueprint already has are known.
	for i := range drafts {
		if id := drafts[i].ID; id != 0 && known[id] == 0 {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := s.q.BlueprintStepsWaiting(ctx, tx, &dbsqlc.BlueprintStepsWaitingParams{Ids: ids, UserID: caller.UserID})
	if err != nil {
		return nil, err
	}
	found := make(map[int64]bool, len(rows))
	for i, r := range rows {
		found[r.ID] = true
		// Untouched means that the client named the step by its id alone.
		for k := range drafts {
			if drafts[k].ID == r.ID && drafts[k].Untouched {
				// The row is written again with its blueprint; its content stays.
				step := stepOf(rows[i])
				at := drafts[k].Order
				drafts[k] = step.Draft()
				drafts[k].Order = at
			}
		}
	}
	return found, nil
}

// writeSteps writes a list in its order, in one round trip.
// The rows are locked by their blueprint, so their order here does not matter for other
// transactions.
func (s Blueprints) writeSteps(
	ctx context.Context, tx pgx.Tx, caller domain.Caller, blueprint int64, list []arrangedStep, removed []int64,
) error {
	var (
		r     reading
		place dbsqlc.BlueprintStepsPlaceParams
		gone  = append([]int64{}, removed...)
	)
	if len(gone) > 0 {
		r.BlueprintStepsDelete(gone)
	}
	for i := range list {
		p := &list[i]
		switch {
		// A step whose content stays gets only its number, all of them in one statement.
		case p.draft == nil || p.draft.Untouched:
			place.Ids, place.Places = append(place.Ids, p.id), append(place.Places, int32(i+1))
		case p.id == 0:
			r.BlueprintStepInsert(s.stepParams(caller, blueprint, i+1, p.draft), new(*int64))
		default:
			r.BlueprintStepUpdate(s.stepChange(caller, p.id, blueprint, i+1, p.draft))
		}
	}
	if len(place.Ids) > 0 {
		r.BlueprintStepsPlace(&place)
	}
	return tx.SendBatch(ctx, &r.Batch).Close() //nolint:wrapcheck // translated by write
}

// stepParams makes the row of a step. A step with a blueprint has no owner of its own: the
// blueprint's owner counts.
func (s Blueprints) stepParams(caller domain.Caller, blueprint int64, at int, d *domain.StepDraft) *dbsqlc.BlueprintStepInsertParams {
	p := dbsqlc.BlueprintStepInsertOf(d)
	p.OrgID, p.BlueprintID, p.At = caller.OrganisationID, blueprint, s.now()
	p.Place, p.Memories = int32(min(max(at, d.Order, 1), domain.BlueprintStepsMax)), idsOf(&d.Memories)
	if blueprint == 0 {
		p.OwnerID = caller.UserID
	} else {
		p.Place = int32(at) //nolint:gosec // at most 50
	}
	// Code without a language is taken for Python.
	if p.Code != "" && p.Language == "" {
		p.Language = "python"
	}
	return p
}

// stepChange is stepParams for an existing step.
func (s Blueprints) stepChange(caller domain.Caller, id, blueprint int64, at int, d *domain.StepDraft) *dbsqlc.BlueprintStepUpdateParams {
	p, c := s.stepParams(caller, blueprint, at, d), dbsqlc.BlueprintStepUpdateOf(d)
	c.ID, c.BlueprintID, c.OwnerID, c.Place, c.Language, c.Memories = id, p.BlueprintID, p.OwnerID, p.Place, p.Language, p.Memories
	return c
}

// usableRefs are the agents and memories of steps that the caller may use. The held ones
// are in the blueprint already: those that were deleted meanwhile are left out without an
// error, since the caller did not add them.
type usableRefs struct{ analysts, memories, heldAnalysts, heldMemories map[int64]bool }

// keep leaves out held agents and memories that were deleted, and refuses any others that
// the caller may not use.
func (u *usableRefs) keep(c *domain.Checks, d *domain.StepDraft, at string) {
	if !u.analysts[d.AnalystID] && d.AnalystID != 0 {
		c.Require(u.heldAnalysts[d.AnalystID], at+"analyst", "This agent is not available.")
		d.AnalystID = 0
	}
	unknown := false
	d.Memories = slices.DeleteFunc(slices.Clone(d.Memories), func(id int64) bool {
		unknown = unknown || !u.memories[id] && !u.heldMemories[id]
		return !u.memories[id]
	})
	c.Require(!unknown, at+"memories", "One of the memories is not available.")
}

// stepRefs reads which agents and memories of some drafts the caller may use.
// blueprint is the blueprint of the drafts, 0 if it does not exist yet.
func (s Blueprints) stepRefs(
	ctx context.Context, tx pgx.Tx, caller domain.Caller, blueprint int64, drafts []domain.StepDraft,
) (*usableRefs, error) {
	u := &usableRefs{analysts: map[int64]bool{}, memories: map[int64]bool{}, heldAnalysts: map[int64]bool{}, heldMemories: map[int64]bool{}}
	var analysts, memories []int64
	for i := range drafts {
		if id := drafts[i].AnalystID; id != 0 {
			analysts = append(analysts, id)
		}
		memories = append(memories, drafts[i].Memories...)
	}
	// Without references nothing has to be read.
	if len(analysts)+len(memories) == 0 {
		return u, nil
	}
	held, err := s.q.BlueprintSteps(ctx, tx, &dbsqlc.BlueprintStepsParams{Blueprints: []int64{blueprint}})
	if err != nil {
		return nil, err
	}
	for _, step := range held {
		addAll(u.heldAnalysts, []int64{step.AnalystID})
		addAll(u.heldMemories, step.Memories)
	}
	// Agents that are switched off are accepted here; whether one can be asked is decided when the
	// step runs.
	known, err := s.q.BlueprintAnalystsKnown(ctx, tx, &dbsqlc.BlueprintAnalystsKnownParams{Ids: idsOf(&analysts), UserID: caller.UserID})
	if err != nil {
		return nil, err
	}
	addAll(u.analysts, known)
	// A memory may be used by those who may see it, also if it is switched off.
	known, err = s.q.BlueprintMemoriesKnown(ctx, tx, &dbsqlc.BlueprintMemoriesKnownParams{
		Ids:       idsOf(&memories),
		Superuser: domain.SeeMemory.MayOnOthers(caller),
	})
	addAll(u.memories, known)
	return u, err
}

// addAll adds ids to a set.
func addAll(set map[int64]bool, ids []int64) {
	for _, id := range ids {
		set[id] = true
	}
}

// checkSteps refuses agents and memories that the caller may not use. at names
// the field of a step by its place.
func (s Blueprints) checkSteps(
	ctx context.Context, tx pgx.Tx, caller domain.Caller, c *domain.Checks, blueprint int64, drafts []domain.StepDraft, at func(i int) string,
) error {
	usable, err := s.stepRefs(ctx, tx, caller, blueprint, drafts)
	if err != nil {
		return err
	}
	for i := range drafts {
		usable.keep(c, &drafts[i], at(i))
	}
	return nil
}

// checkStep is checkSteps for a single draft, with the names of fields of its own call.
func (s Blueprints) checkStep(ctx context.Context, tx pgx.Tx, caller domain.Caller, d *domain.StepDraft) error {
	var c domain.Checks
	drafts := []domain.StepDraft{*d}
	if err := s.checkSteps(ctx, tx, caller, &c, d.BlueprintID, drafts, func(int) string { return "" }); err != nil {
		return err
	}
	// Held references that were deleted have been removed from the draft.
	*d = drafts[0]
	return c.Err()
}
