package persistence

// What answers cost. The journal writes a row for each model call (G20), and reports read sums by
// day. A report of an organization shows what its people may see by name, and the rest as one row
// without a name, so that each grouping has the same total (docs/rights.md).

import (
	"context"
	"time"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/pointer"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// Usage counts what answers cost.
type Usage struct{ *core }

var (
	_ domain.UsageService = Usage{}
	_ domain.CreditKeeper = Usage{}
)

// usagePage is the size of a page where none was asked for: a report is one page.
const usagePage = domain.MaxPageSize

// UsageReport implements domain.UsageService. All queries of a report read the same snapshot,
// so that rows and totals agree.
func (s Usage) UsageReport(ctx context.Context, caller domain.Caller, q domain.UsageQuery) (*domain.UsageReport, error) {
	var (
		totals *dbsqlc.UsageTotalsRow
		rows   []domain.UsageRow
		mine   = q.Level.OnlyMine()
	)
	collect, err := usageGroup(&q)
	if err != nil {
		return nil, err
	}
	var take func() []domain.UsageRow
	err = s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		// The totals are always over the whole period, whatever the page.
		r.UsageTotals(&dbsqlc.UsageTotalsParams{
			UserID: caller.UserID, OrgID: caller.OrganisationID, First: q.First, Last: q.Last, WithoutDeleted: q.WithoutDeleted,
		}, &totals)
		// The grouping adds its query to the same reading.
		take = collect(r, usageScope{caller: caller, mine: mine, q: &q})
	})
	if err != nil {
		return nil, err
	}
	rows = take()
	report := &domain.UsageReport{Organisation: totals.Organisation, Total: totals.Organisation}
	// The level decides whose usage counts; the organization's total is shown in both cases.
	if mine {
		report.Total = totals.Mine
	}
	for i := range rows {
		rows[i].Percentage = share(rows[i].Credits, report.Total)
		rows[i].OverOrganisation = share(rows[i].Credits, report.Organisation)
	}
	// All rows are read, because the shares need them; only the page is answered.
	p := pageOf(q.Page, usagePage)
	report.Rows.Count = len(rows)
	if p.skip < int64(len(rows)) {
		report.Rows.Results = rows[p.skip:min(p.skip+p.size, int64(len(rows)))]
	}
	return report, nil
}

// share returns a percentage. Without any usage it is 0.
func share(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * part / whole
}

// usageScope are the parameters that all groupings have.
type usageScope struct {
	caller domain.Caller
	mine   bool
	q      *domain.UsageQuery
}

// usageGroup finds the query of a grouping. The query returns a function that reads its rows
// after the reading was run.
// An unknown grouping is CodeInvalid.
func usageGroup(q *domain.UsageQuery) (func(*reading, usageScope) func() []domain.UsageRow, error) {
	switch q.Group {
	case domain.UsageByDate:
		return usageByDay, nil
	case domain.UsageByWeek:
		return usageByWeek, nil
	case domain.UsageByUser:
		return usageByUser, nil
	case domain.UsageByConversation:
		return usageByConversation, nil
	case domain.UsageByProjectLabel:
		return usageByProjectLabel, nil
	}
	return nil, domain.Invalid("groupBy", "There is no such grouping")
}

// usageByDay returns a row for each day, also for those without usage.
func usageByDay(r *reading, s usageScope) func() []domain.UsageRow {
	var found []dbsqlc.UsageByDayRow
	r.UsageByDay(&dbsqlc.UsageByDayParams{
		OrgID: s.caller.OrganisationID, First: s.q.First, Last: s.q.Last, OnlyMine: s.mine, UserID: s.caller.UserID,
		WithoutDeleted: s.q.WithoutDeleted,
	}, &found)
	return func() []domain.UsageRow {
		credits := make(map[time.Time]float64, len(found))
		for _, f := range found {
			credits[utc(f.Day)] = f.Credits
		}
		return everyDay(s.q.First, s.q.Last, 1, credits)
	}
}

// usageByWeek returns a row for each week of the days, named by its Monday.
func usageByWeek(r *reading, s usageScope) func() []domain.UsageRow {
	var found []dbsqlc.UsageByWeekRow
	r.UsageByWeek(&dbsqlc.UsageByWeekParams{
		OrgID: s.caller.OrganisationID, First: s.q.First, Last: s.q.Last, OnlyMine: s.mine, UserID: s.caller.UserID,
		WithoutDeleted: s.q.WithoutDeleted,
	}, &found)
	return func() []domain.UsageRow {
		credits := make(map[time.Time]float64, len(found))
		for _, f := range found {
			credits[utc(f.Week)] = f.Credits
		}
		// Weekday is 0 on Sunday, so this is the number of days since Monday.
		monday := s.q.First.AddDate(0, 0, -(int(s.q.First.Weekday())+6)%7)
		return everyDay(monday, s.q.Last, 7, credits)
	}
}

// everyDay returns a row for each step of days, with 0 where nothing was used.
func everyDay(first, last time.Time, step int, credits map[time.Time]float64) []domain.UsageRow {
	var rows []domain.UsageRow
	for day := first; !day.After(last); day = day.AddDate(0, 0, step) {
		rows = append(rows, domain.UsageRow{Day: day, Credits: credits[day]})
	}
	return rows
}

// usageByUser returns a row for each person who used something.
func usageByUser(r *reading, s usageScope) func() []domain.UsageRow {
	return usageRows(r, (*reading).UsageByUser, &dbsqlc.UsageByUserParams{
		OrgID: s.caller.OrganisationID, First: s.q.First, Last: s.q.Last, OnlyMine: s.mine, UserID: s.caller.UserID,
		WithoutDeleted: s.q.WithoutDeleted,
	}, func(f *dbsqlc.UsageByUserRow) domain.UsageRow {
		return domain.UsageRow{UserID: f.UserID, Name: f.Name, IsDeleted: f.IsDeleted, Credits: f.Credits}
	})
}

// usageByConversation returns a row for each conversation that the caller may see, and one for all
// others.
func usageByConversation(r *reading, s usageScope) func() []domain.UsageRow {
	return usageRows(r, (*reading).UsageByConversation, &dbsqlc.UsageByConversationParams{
		OrgID: s.caller.OrganisationID, First: s.q.First, Last: s.q.Last, OnlyMine: s.mine, UserID: s.caller.UserID,
		WithoutDeleted: s.q.WithoutDeleted,
	}, func(f *dbsqlc.UsageByConversationRow) domain.UsageRow {
		return domain.UsageRow{ConversationID: f.ConversationID, Name: f.Name, IsDeleted: f.IsDeleted, Credits: f.Credits}
	})
}

// usageByProjectLabel returns a row for each project. A conversation counts for its first project.
func usageByProjectLabel(r *reading, s usageScope) func() []domain.UsageRow {
	return usageRows(r, (*reading).UsageByProjectLabel, &dbsqlc.UsageByProjectLabelParams{
		OrgID: s.caller.OrganisationID, First: s.q.First, Last: s.q.Last, OnlyMine: s.mine, UserID: s.caller.UserID,
		WithoutDeleted: s.q.WithoutDeleted,
	}, func(f *dbsqlc.UsageByProjectLabelRow) domain.UsageRow {
		return domain.UsageRow{ProjectLabelID: pointer.Value(f.ID), Name: f.Name, Color: f.Color, IsDeleted: f.IsDeleted, Credits: f.Credits}
	})
}

// usageRows has a row of the report for each row of a query.
// The rows are filled when the reading is sent, so the returned function converts them afterwards.
func usageRows[P, T any](r *reading, query func(*reading, *P, *[]T), params *P, convert func(*T) domain.UsageRow) func() []domain.UsageRow {
	var found []T
	query(r, params, &found)
	return func() []domain.UsageRow {
		rows := make([]domain.UsageRow, len(found))
		for i := range found {
			rows[i] = convert(&found[i])
		}
		return rows
	}
}

// CreditsInfo implements domain.UsageService.
func (s Usage) CreditsInfo(ctx context.Context, caller domain.Caller, first, last time.Time) (*domain.CreditsInfo, error) {
	var (
		totals *dbsqlc.UsageTotalsRow
		limit  *float64
	)
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		r.UsageTotals(&dbsqlc.UsageTotalsParams{UserID: caller.UserID, OrgID: caller.OrganisationID, First: first, Last: last}, &totals)
		r.UsageCreditLimit(caller.OrganisationID, &limit)
	})
	if err != nil {
		return nil, err
	}
	// Without a limit of the organization the pointer is nil.
	return &domain.CreditsInfo{Used: totals.Organisation, Limit: limit}, nil
}

// CreditsLeft implements domain.CreditKeeper.
// The month is the one of the database's clock, in UTC; nil means no limit. A result below 0 is
// possible: each running turn may pass the limit by one call.
func (s Usage) CreditsLeft(ctx context.Context, organisation int64) (*float64, error) {
	var left *float64
	err := s.asTenant(ctx, organisation, func(r *reading) { r.UsageCreditsLeft(organisation, &left) })
	return left, err
}
