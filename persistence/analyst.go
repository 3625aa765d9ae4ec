package persistence

import (
	"context"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// Analyst implements domain.AnalystService.
func (s *Store) Analyst(ctx context.Context, organisation, id int64) (*domain.Analyst, error) {
	return s.analyst(ctx, organisation, dbsqlc.AnalystGet, id)
}

// DefaultAnalyst implements domain.AnalystService.
func (s *Store) DefaultAnalyst(ctx context.Context, organisation int64) (*domain.Analyst, error) {
	return s.analyst(ctx, organisation, dbsqlc.AnalystDefault, organisation)
}

func (s *Store) analyst(ctx context.Context, organisation int64, sql string, arg any) (*domain.Analyst, error) {
	var row *dbsqlc.AnalystGetRow
	err := s.read(ctx, organisation, func(r *reading) { one(r, &row, sql, arg) })
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, domain.NotFound("Agent")
	}
	return analystOf(&dbsqlc.AnalystListRow{
		Analyst: row.Analyst, OwnerUuid: row.OwnerUuid, OwnerName: row.OwnerName, OwnerPicture: row.OwnerPicture,
	}), nil
}

// Analysts implements domain.AnalystService: the default one first, then by name.
func (s *Store) Analysts(ctx context.Context, caller domain.Caller, onlyEnabled bool, page domain.Page) (domain.List[domain.Analyst], error) {
	var (
		rows  []dbsqlc.AnalystListRow
		count *int64
		p     = pageOf(page, 100)
	)
	err := s.read(ctx, caller.OrganisationID, func(r *reading) {
		many(r, &rows, dbsqlc.AnalystList, args(dbsqlc.AnalystListParams{UserID: caller.UserID, OnlyEnabled: onlyEnabled, Size: p.size, Skip: p.skip})...)
		one(r, &count, dbsqlc.AnalystCount, onlyEnabled)
	})
	if err != nil {
		return domain.List[domain.Analyst]{}, err
	}
	list := domain.List[domain.Analyst]{Results: make([]domain.Analyst, len(rows)), Count: int(value(count))}
	for i := range rows {
		list.Results[i] = *analystOf(&rows[i])
	}
	return list, nil
}

func analystOf(r *dbsqlc.AnalystListRow) *domain.Analyst {
	a := &domain.Analyst{
		ID: r.Analyst.ID, OrganisationID: r.Analyst.OrgID, Name: r.Analyst.Name, Description: r.Analyst.Description,
		Controller: r.Analyst.Controller, Provider: r.Analyst.Provider, Model: r.Analyst.Model, IsEnabled: r.Analyst.IsEnabled,
		IsFavorite: r.IsFavorite, IsDefault: r.Analyst.IsDefault, Instructions: r.Analyst.Instructions, UpdatedAt: utc(r.Analyst.UpdatedAt),
	}
	if r.Analyst.OwnerID != nil {
		a.Owner = &domain.Person{ID: *r.Analyst.OwnerID, UUID: r.OwnerUuid.UUID, FullName: value(r.OwnerName), Picture: value(r.OwnerPicture)}
	}
	return a
}
