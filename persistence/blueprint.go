package persistence

// Blueprints and their lists. A blueprint refers to data sources, projects and categories by their
// ids, in arrays; each reader sees only those that they may use. Writes are in blueprint_write.go,
// steps in blueprint_step.go.

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/pointer"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// Blueprints keep blueprints with their steps, and start conversations from them.
type Blueprints struct{ *core }

var _ domain.BlueprintService = Blueprints{}

// blueprintPage is the size of a page where none was asked for.
const blueprintPage = 1000

// Blueprint implements domain.BlueprintService.
func (s Blueprints) Blueprint(ctx context.Context, caller domain.Caller, id int64) (*domain.Blueprint, error) {
	var row *dbsqlc.BlueprintShown
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		r.BlueprintGet(&dbsqlc.BlueprintGetParams{UserID: caller.UserID, ID: id}, &row)
	})
	if err != nil {
		return nil, err
	}
	// A single blueprint is read as a list of one, with the texts of its steps.
	list, err := s.blueprintsOf(ctx, caller, listOf(row), true)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, domain.NounBlueprint.Missing()
	}
	return &list[0], nil
}

// Blueprints implements domain.BlueprintService. Their steps come without
// texts: a page of a thousand with all of them would be too big to send.
func (s Blueprints) Blueprints(ctx context.Context, caller domain.Caller, f domain.BlueprintFilter) (domain.List[domain.Blueprint], error) {
	var (
		none domain.List[domain.Blueprint]
		p    = pageOf(f.Page, blueprintPage)
	)
	// The API accepts more names than these; here only those that the query knows.
	if err := validateBlueprintFilter(&f); err != nil {
		return none, err
	}
	conditions, err := conditionsOf(f.Filters)
	if err != nil {
		return none, err
	}
	pattern, labels := patternOf(f.Search), idsOf(&f.Labels)
	// readPage also counts the list, and reads the last page if the requested one does not exist
	// any more.
	rows, total, err := readPage(ctx, s.core, caller.OrganisationID, p, func(r *reading, w window, into *[]dbsqlc.BlueprintShown,
		total *int64,
	) {
		r.BlueprintList(&dbsqlc.BlueprintListParams{
			UserID: caller.UserID, OrgID: caller.OrganisationID, Sort: f.Sort, Archived: f.Archived, Scope: f.Scope, Library: f.Library,
			Inputs: f.Inputs, Category: f.Category, Pattern: pattern, Conditions: conditions, Labels: labels, Skip: w.skip, Size: w.size,
		}, into, total)
	})
	if err != nil {
		return none, err
	}
	list, err := s.blueprintsOf(ctx, caller, rows, false)
	return domain.List[domain.Blueprint]{Results: list, Count: total}, err
}

// validateBlueprintFilter refuses unknown values, and sorts the recent blueprints by their
// last use.
func validateBlueprintFilter(f *domain.BlueprintFilter) error {
	// The query compares these texts and would silently find nothing for an unknown one.
	var c domain.Checks
	switch f.Scope {
	case "", "favorite", "organization", "owned", "shared", "recent":
	default:
		c.Require(false, "scope", "There is no such filter.")
	}
	switch f.Library {
	case "", "library", "exclude":
	default:
		c.Require(false, "libraryScope", "There is no such filter.")
	}
	switch f.Inputs {
	case "", "with", "without":
	default:
		c.Require(false, "inputParametersScope", "There is no such filter.")
	}
	switch f.Sort {
	case "":
		f.Sort = defaultSort
		if f.Scope == "recent" {
			f.Sort = "-used_at"
		}
	case defaultSort, "updated_at", "-created_at", "created_at", "-name", "name":
	default:
		c.Require(false, "sort", "This list cannot be sorted like that.")
	}
	return c.Err()
}

// UseCaseCategories implements domain.BlueprintService.
func (s Blueprints) UseCaseCategories(ctx context.Context, caller domain.Caller) ([]domain.UseCaseCategory, error) {
	var rows []dbsqlc.UseCaseCategoriesRow
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) { r.UseCaseCategories(caller.OrganisationID, &rows) })
	if err != nil {
		return nil, err
	}
	list := make([]domain.UseCaseCategory, len(rows))
	for i, r := range rows {
		list[i] = domain.UseCaseCategory(r)
	}
	return list, nil
}

// blueprintsOf adds what other tables store about some blueprints, in one reading for all of
// them.
func (s Blueprints) blueprintsOf(
	ctx context.Context, caller domain.Caller, rows []dbsqlc.BlueprintShown, whole bool,
) ([]domain.Blueprint, error) {
	list := make([]domain.Blueprint, len(rows))
	if len(rows) == 0 {
		return list, nil
	}
	// Each table is read once for the whole list.
	var (
		ids     = make([]int64, len(rows))
		sources []int64
		labels  []int64
		steps   []dbsqlc.StepShown
		usable  []int64
		names   []dbsqlc.UseCaseCategoriesRow
		project []dbsqlc.ProjectLabelNamedRow
	)
	for i := range rows {
		ids[i] = rows[i].Blueprint.ID
		sources = append(sources, rows[i].Blueprint.DataSources...)
		labels = append(labels, rows[i].Blueprint.ProjectLabels...)
	}
	// All of it is one round trip. Queries without ids are left out.
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		r.BlueprintSteps(&dbsqlc.BlueprintStepsParams{Whole: whole, Blueprints: ids}, &steps)
		r.UseCaseCategories(caller.OrganisationID, &names)
		if len(sources) > 0 {
			r.BlueprintSourcesUsable(&dbsqlc.BlueprintSourcesUsableParams{UserID: caller.UserID, Ids: sources}, &usable)
		}
		if len(labels) > 0 {
			r.ProjectLabelNamed(labels, &project)
		}
	})
	if err != nil {
		return nil, err
	}
	var (
		place    = make(map[int64]int, len(rows))
		may      = make(map[int64]bool, len(usable))
		category = make(map[int64]string, len(names))
		label    = make(map[int64]domain.LabelRef, len(project))
	)
	for _, p := range project {
		label[p.ID] = domain.LabelRef(p)
	}
	for _, id := range usable {
		may[id] = true
	}
	for _, n := range names {
		category[n.ID] = n.Name
	}
	for i := range rows {
		b := blueprintOf(&rows[i])
		for _, id := range rows[i].Blueprint.DataSources {
			if may[id] {
				b.DataSources = append(b.DataSources, id)
			} else {
				// A person learns how many data sources are missing for them, and not which.
				b.MissingDataSources++
			}
		}
		// Projects and categories that were deleted since are left out.
		for _, id := range rows[i].Blueprint.ProjectLabels {
			if l, ok := label[id]; ok {
				b.ProjectLabels = append(b.ProjectLabels, l)
			}
		}
		for _, id := range rows[i].Blueprint.UseCaseCategories {
			if name, ok := category[id]; ok {
				b.Categories = append(b.Categories, domain.UseCaseCategory{ID: id, Name: name})
			}
		}
		list[i], place[b.ID] = b, i
	}
	for i := range steps {
		b := &list[place[steps[i].BlueprintID]]
		step := stepOf(&steps[i])
		// Steps share the version of their blueprint: a change of one is a change of the whole.
		step.Version = b.Version
		b.Steps = append(b.Steps, step)
	}
	return list, nil
}

// blueprintOf makes the blueprint of a row, still without what other tables store about it.
func blueprintOf(r *dbsqlc.BlueprintShown) domain.Blueprint {
	out := dbsqlc.BlueprintOf(r)
	out.OrganisationID, out.Permission = r.Blueprint.OrgID, permissionOf(r.Rank)
	// The caller sees only those data sources of the row that they may use.
	out.DataSources = []int64{}
	out.ProjectLabels, out.Categories, out.Steps = []domain.LabelRef{}, []domain.UseCaseCategory{}, []domain.BlueprintStep{}
	if r.Blueprint.OwnerID != nil {
		out.Owner = &domain.Person{
			ID: *r.Blueprint.OwnerID, UUID: r.OwnerUuid.UUID, FullName: pointer.Value(r.OwnerName),
			Picture: pointer.Value(r.OwnerPicture),
		}
	}
	return out
}

// stepOf makes the step of a row.
func stepOf(r *dbsqlc.StepShown) domain.BlueprintStep {
	step := dbsqlc.BlueprintStepOf(r)
	step.Order = int(r.Place)
	return step
}

// lockBlueprint locks a blueprint's row until the end of the transaction, and checks the
// caller's right to the action.
func (s Blueprints) lockBlueprint(
	ctx context.Context, tx pgx.Tx, caller domain.Caller, id int64, action domain.Action,
) (*dbsqlc.BlueprintLockRow, error) {
	row, err := s.q.BlueprintLock(ctx, tx, &dbsqlc.BlueprintLockParams{UserID: caller.UserID, ID: id})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, domain.NounBlueprint.Missing()
	}
	if err != nil {
		return nil, err
	}
	return row, action.Authorize(caller, blueprintRelation(row.Rank, row.IsLibrary))
}
