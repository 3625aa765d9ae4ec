package persistence

// What people say about their data. Rows are only added and withdrawn; the lock of the connector's row orders the people who
// correct the same connector, so that the limit and "said once" need no constraint.

import (
	"context"

	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// Corrections keep what people said about their data.
type Corrections struct{ *core }

var _ domain.CorrectionService = Corrections{}

// Corrections implements domain.CorrectionService.
func (s Corrections) Corrections(ctx context.Context, organisation, user int64, sources []int64) ([]domain.StandingCorrection, error) {
	if len(sources) == 0 {
		return []domain.StandingCorrection{}, nil
	}
	var rows []dbsqlc.CorrectionShown
	var tables []dbsqlc.CorrectionTablesRow
	err := s.asTenant(ctx, organisation, func(r *reading) {
		r.CorrectionList(&dbsqlc.CorrectionListParams{Ids: sources, UserID: user}, &rows)
		r.CorrectionTables(&dbsqlc.CorrectionTablesParams{Ids: sources, UserID: user}, &tables)
	})
	if err != nil {
		return nil, err
	}
	present := make(map[int64][]domain.DataResource, len(sources))
	for i := range tables {
		table := domain.DataResource{Table: tables[i].TableName}
		for _, name := range tables[i].Columns {
			table.Columns = append(table.Columns, domain.Column{Name: name})
		}
		present[tables[i].DataSourceID] = append(present[tables[i].DataSourceID], table)
	}
	out := make([]domain.StandingCorrection, len(rows))
	for i := range rows {
		out[i].Correction = *correctionOf(&rows[i])
		out[i].Rests = domain.Resting(&out[i].Correction, present[rows[i].DataSourceID])
	}
	return out, nil
}

// StandingOf returns the same corrections for the derivation of a meaning, where what rests finds nothing to hold for.
func (s Corrections) StandingOf(ctx context.Context, organisation, user int64, sources []int64) ([]meaning.Correction, error) {
	standing, err := s.Corrections(ctx, organisation, user, sources)
	if err != nil {
		return nil, err
	}
	out := make([]meaning.Correction, len(standing))
	for i := range standing {
		out[i] = standing[i].Correction
	}
	return out, nil
}

func correctionOf(row *dbsqlc.CorrectionShown) *meaning.Correction {
	return &meaning.Correction{
		ID: row.ID, Source: row.DataSourceID, Table: row.TableName, Column: row.ColumnName, Field: meaning.Field(row.Field),
		Value: row.Value, Reason: row.Reason, By: row.SaidBy, ByName: row.FullName, At: utc(row.SaidAt),
	}
}

// Correct implements domain.CorrectionService.
func (s Corrections) Correct(
	ctx context.Context, caller domain.Caller, source int64, n domain.NewCorrection,
) (*meaning.Correction, error) {
	id, err := s.createInt64(ctx, caller, kindCorrection, n.Key, func(tx pgx.Tx) (int64, error) {
		if _, err := s.lockDataSource(ctx, tx, caller, source, domain.ChangeDataSource); err != nil {
			return 0, err
		}
		// Rights come first: people without them learn nothing about errors in the body.
		if err := n.Validate(); err != nil {
			return 0, err
		}
		table, err := s.checkedTable(ctx, tx, caller, source, &n)
		if err != nil {
			return 0, err
		}
		return s.correct(ctx, tx, caller, source, table, &n)
	})
	if err != nil {
		return nil, err
	}
	var row *dbsqlc.CorrectionShown
	if err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) { r.CorrectionOne(id, &row) }); err != nil {
		return nil, err
	}
	if row == nil { // the connector was deleted meanwhile
		return nil, domain.NounDataSource.Missing()
	}
	return correctionOf(row), nil
}

// checkedTable checks a correction against the present file, and returns the id of its table.
func (s Corrections) checkedTable(
	ctx context.Context, tx pgx.Tx, caller domain.Caller, source int64, n *domain.NewCorrection,
) (int64, error) {
	tables, err := s.tablesOf(ctx, tx, source)
	if err != nil {
		return 0, err
	}
	// A link can lead to another data source that the caller may read. One that they may not read looks like one that does not exist.
	var others []domain.DataResource
	if link := meaning.ParseLink(n.Value); n.Field == meaning.FieldLink && link.Source != 0 {
		switch err := s.authorize(ctx, tx, caller, domain.SeeDataSource, domain.Key{Number: link.Source}); domain.CodeOf(err) {
		case "":
			if others, err = s.tablesOf(ctx, tx, link.Source); err != nil {
				return 0, err
			}
		case domain.CodeNotFound:
		default:
			return 0, err
		}
	}
	if err := n.Against(tables, func(int64) []domain.DataResource { return others }); err != nil {
		return 0, err
	}
	for i := range tables {
		if tables[i].Table == n.Table {
			return tables[i].ID, nil
		}
	}
	return 0, domain.Internal(nil, "A table that was found is not there.")
}

func (s Corrections) tablesOf(ctx context.Context, tx pgx.Tx, source int64) ([]domain.DataResource, error) {
	rows, err := s.q.DataResourceList(ctx, tx, []int64{source})
	if err != nil {
		return nil, err
	}
	out := make([]domain.DataResource, len(rows))
	for i, row := range rows {
		table, err := resourceOf(row)
		if err != nil {
			return nil, err
		}
		out[i] = *table
	}
	return out, nil
}

// correct stores a correction that fits, and withdraws those whose place it takes. It returns the id of the standing one that
// says the same, if there is one.
func (s Corrections) correct(
	ctx context.Context, tx pgx.Tx, caller domain.Caller, source, table int64, n *domain.NewCorrection,
) (int64, error) {
	rows, err := s.q.CorrectionsStanding(ctx, tx, source)
	if err != nil {
		return 0, err
	}
	var replaced []int64
	for _, row := range rows {
		before := meaning.Correction{Table: row.TableName, Column: row.ColumnName, Field: meaning.Field(row.Field), Value: row.Value}
		switch {
		case n.Says(&before):
			return row.ID, nil
		case n.TakesPlaceOf(&before):
			replaced = append(replaced, row.ID)
		}
	}
	if len(rows)-len(replaced) >= domain.CorrectionsMax {
		return 0, domain.Invalid("value", domain.TooManyCorrections())
	}
	if err := s.withdraw(ctx, tx, caller, source, replaced); err != nil {
		return 0, err
	}
	return s.q.CorrectionInsert(ctx, tx, &dbsqlc.CorrectionInsertParams{
		DataSourceID: source, DataResourceID: &table, OrgID: caller.OrganisationID, TableName: n.Table, ColumnName: n.Column,
		Field: string(n.Field), Value: n.Value, Reason: n.Reason, SaidBy: caller.UserID, SaidAt: s.now(),
	})
}

// withdraw withdraws corrections that stand. CodeNotFound if one of them does not.
func (s Corrections) withdraw(ctx context.Context, tx pgx.Tx, caller domain.Caller, source int64, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	at := s.now()
	n, err := s.q.CorrectionsWithdraw(ctx, tx, &dbsqlc.CorrectionsWithdrawParams{
		UserID: &caller.UserID, At: &at, DataSourceID: source, Ids: ids,
	})
	if err == nil && n != int64(len(ids)) {
		err = domain.NotFound("Correction")
	}
	return err
}

// WithdrawCorrection implements domain.CorrectionService.
func (s Corrections) WithdrawCorrection(ctx context.Context, caller domain.Caller, source, id int64) error {
	return s.runOnce(ctx, caller, func(tx pgx.Tx) error {
		if _, err := s.lockDataSource(ctx, tx, caller, source, domain.ChangeDataSource); err != nil {
			return err
		}
		return s.withdraw(ctx, tx, caller, source, []int64{id})
	})
}
