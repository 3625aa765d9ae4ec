package persistence

// Projects. Deleting one leaves a tombstone: objects keep its id, lists leave it out, and reports
// of the past keep its name (docs/knowledge.md, projects).

import (
	"context"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// ProjectLabels keep the projects that people group their work into.
type ProjectLabels struct{ *core }

var _ domain.ProjectLabelService = ProjectLabels{}

// projectLabelPage is the size of a page where none was asked for.
const projectLabelPage = 50

// ProjectLabels implements domain.ProjectLabelService.
func (s ProjectLabels) ProjectLabels(
	ctx context.Context, caller domain.Caller, f domain.ProjectLabelFilter,
) (domain.List[domain.ProjectLabel], error) {
	p, pattern := pageOf(f.Page, projectLabelPage), patternOf(f.Search)
	rows, total, err := readPage(ctx, s.core, caller.OrganisationID, p, func(r *reading, w window, into *[]dbsqlc.ProjectLabelShown,
		total *int64,
	) {
		r.ProjectLabelList(&dbsqlc.ProjectLabelListParams{
			UserID: caller.UserID, OrgID: caller.OrganisationID, Pattern: pattern, Skip: w.skip, Size: w.size,
		}, into, total)
	})
	if err != nil {
		return domain.List[domain.ProjectLabel]{}, err
	}
	list := domain.List[domain.ProjectLabel]{Results: make([]domain.ProjectLabel, len(rows)), Count: total}
	for i := range rows {
		list.Results[i] = *projectLabelOf(&rows[i])
	}
	return list, nil
}

// NamedProjectLabels implements domain.ProjectLabelService.
func (s ProjectLabels) NamedProjectLabels(ctx context.Context, organisation int64, ids []int64) ([]domain.ProjectLabel, error) {
	// Without ids nothing is sent to the database.
	if len(ids) == 0 {
		return []domain.ProjectLabel{}, nil
	}
	var rows []dbsqlc.ProjectLabelNamedRow
	if err := s.asTenant(ctx, organisation, func(r *reading) { r.ProjectLabelNamed(ids, &rows) }); err != nil {
		return nil, err
	}
	labels := make([]domain.ProjectLabel, len(rows))
	for i, row := range rows {
		labels[i] = domain.ProjectLabel{ID: row.ID, OrganisationID: organisation, Name: row.Name, Color: row.Color}
	}
	return labels, nil
}

// CreateProjectLabel implements domain.ProjectLabelService.
func (s ProjectLabels) CreateProjectLabel(
	ctx context.Context, caller domain.Caller, d domain.ProjectLabelDraft,
) (*domain.ProjectLabel, error) {
	if err := d.Validate(); err != nil {
		return nil, err
	}
	// Every member may make a project, so there is no right to check.
	id, err := s.createInt64(ctx, caller, kindProjectLabel, d.Key, func(tx pgx.Tx) (id int64, err error) {
		row := dbsqlc.ProjectLabelInsertOf(&d)
		row.OrgID, row.OwnerID, row.At = caller.OrganisationID, caller.UserID, s.now()
		return s.q.ProjectLabelInsert(ctx, tx, row)
	})
	if err != nil {
		return nil, err
	}
	return s.projectLabel(ctx, caller, id)
}

// UpdateProjectLabel implements domain.ProjectLabelService.
func (s ProjectLabels) UpdateProjectLabel(
	ctx context.Context, caller domain.Caller, id int64, d domain.ProjectLabelDraft,
) (*domain.ProjectLabel, error) {
	err := s.runOnce(ctx, caller, func(tx pgx.Tx) error {
		version, err := s.lockLabel(ctx, tx, caller, id, domain.ChangeProjectLabel)
		if err != nil {
			return err
		}
		// The right comes before the rules of the body.
		if err := d.Validate(); err != nil {
			return err
		}
		if err := fresh(d.Version, version); err != nil {
			return err
		}
		change := dbsqlc.ProjectLabelUpdateOf(&d)
		change.ID, change.At = id, s.now()
		return s.q.ProjectLabelUpdate(ctx, tx, change)
	})
	if err != nil {
		return nil, err
	}
	return s.projectLabel(ctx, caller, id)
}

// DeleteProjectLabel implements domain.ProjectLabelService. Objects with the label keep its id
// and no longer show it.
func (s ProjectLabels) DeleteProjectLabel(ctx context.Context, caller domain.Caller, id int64) error {
	return s.runOnce(ctx, caller, func(tx pgx.Tx) error {
		if _, err := s.lockLabel(ctx, tx, caller, id, domain.DeleteProjectLabel); err != nil {
			return err
		}
		return s.q.ProjectLabelDelete(ctx, tx, &dbsqlc.ProjectLabelDeleteParams{At: s.now(), ID: id})
	})
}

// lockLabel locks a label's row, checks the caller's right to the action, and returns the
// label's version.
func (s ProjectLabels) lockLabel(ctx context.Context, tx pgx.Tx, caller domain.Caller, id int64, action domain.Action) (int32, error) {
	row, err := s.q.ProjectLabelLock(ctx, tx, id)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, domain.NounProjectLabel.Missing()
	}
	if err != nil {
		return 0, err
	}
	return row.Version, action.Authorize(caller, ownedBy(row.OwnerID, caller))
}

// knownLabels refuses project labels that do not exist, were deleted, or are of another
// organisation. Every service whose objects have labels calls it for the ids of a request.
func (s ProjectLabels) knownLabels(ctx context.Context, tx pgx.Tx, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	wanted := slices.Compact(slices.Sorted(slices.Values(ids)))
	known, err := s.q.ProjectLabelKnown(ctx, tx, wanted)
	if err == nil && int(known) != len(wanted) {
		return domain.Invalid("projectLabels", "One of the projects is not available.")
	}
	return err
}

// projectLabel reads one project as the caller sees it.
func (s ProjectLabels) projectLabel(ctx context.Context, caller domain.Caller, id int64) (*domain.ProjectLabel, error) {
	var row *dbsqlc.ProjectLabelShown
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		r.ProjectLabelGet(&dbsqlc.ProjectLabelGetParams{UserID: caller.UserID, ID: id}, &row)
	})
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, domain.NounProjectLabel.Missing()
	}
	return projectLabelOf(row), nil
}

// projectLabelOf makes the project of a row.
func projectLabelOf(r *dbsqlc.ProjectLabelShown) *domain.ProjectLabel {
	l := dbsqlc.ProjectLabelOf(r)
	l.OrganisationID = r.ProjectLabel.OrgID
	l.Owner = domain.Person{ID: r.ProjectLabel.OwnerID, UUID: r.OwnerUuid, FullName: r.OwnerName, Picture: r.OwnerPicture}
	return &l
}
