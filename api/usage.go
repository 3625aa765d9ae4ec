package api

// The reports of used credits. Days and weeks are those of UTC, and a week begins on Monday. Each
// model call is counted once (G20), and every grouping adds up to the same total.

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// usageReport is the input of a report. Dates are days without a time.
type usageReport struct {
	PageOf1000
	Level          string   `query:"level" enum:"organization,user,conversation,project_label" default:"organization" doc:"Whose usage is counted. user and conversation: the caller's. organization and project_label: that of the whole organization."`
	TimePeriod     string   `query:"timePeriod" enum:"this_week,this_month,last_month,last_3_months,last_6_months,custom_time" default:"this_month" doc:"Weeks begin on Monday. Days are in UTC."`
	StartDate      string   `query:"startDate" format:"date" doc:"The first day of custom_time."`
	EndDate        string   `query:"endDate" format:"date" doc:"The last day of custom_time, inclusive."`
	Aggregate      string   `query:"aggregate" enum:"sum" default:"sum"`
	Fields         []string `query:"fields,explode" maxItems:"50" doc:"Names of fields, separated by commas or as repeated parameters. The default is all fields."`
	GroupBy        string   `query:"groupBy" enum:"date,week,conversation_id,conversationId,project_label_id,projectLabelId,project_id,projectId,user_id,userId" doc:"The default is by conversation or by project for these levels, otherwise by date."`
	IncludeDeleted bool     `query:"includeDeletedConversations" default:"true" doc:"False excludes the usage of conversations that are now deleted, from the rows and from both totals."`
}

// query parses the parameters; relative periods count from now.
func (in *usageReport) query(now time.Time) (domain.UsageQuery, error) {
	q := domain.UsageQuery{Level: domain.UsageLevel(in.Level), WithoutDeleted: !in.IncludeDeleted, Page: in.page()}
	// Each grouping has the specification's name and the camelCase name, as everything in the API.
	switch in.GroupBy {
	case "date", "week":
		q.Group = domain.UsageGroup(in.GroupBy)
	case "conversation_id", "conversationId":
		q.Group = domain.UsageByConversation
	case "project_label_id", "projectLabelId", "project_id", "projectId":
		q.Group = domain.UsageByProjectLabel
	case "user_id", "userId":
		q.Group = domain.UsageByUser
	// Without a grouping the level decides: a report on conversations or projects has one row for
	// each of them, any other one row for each day.
	default:
		q.Group = map[domain.UsageLevel]domain.UsageGroup{
			domain.UsageOfUser: domain.UsageByDate, domain.UsageOfOrganisation: domain.UsageByDate,
			domain.UsageOfConversations: domain.UsageByConversation, domain.UsageOfProjectLabels: domain.UsageByProjectLabel,
		}[q.Level]
	}
	// The dates are read even if the period is relative, so that a malformed date is an error in
	// any case.
	from, err := date("startDate", in.StartDate)
	if err != nil {
		return q, err
	}
	to, err := date("endDate", in.EndDate)
	if err != nil {
		return q, err
	}
	q.First, q.Last, err = domain.TimePeriod(in.TimePeriod).Days(now, from, to)
	return q, err
}

// date reads a day; an empty text means no day.
func date(field, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return day, domain.Invalid(field, "Please enter a date such as 2026-05-31")
	}
	return day, nil
}

// usageRoutes registers the reports.
func (s *Server) usageRoutes(a huma.API) {
	tags := []string{"usage"}

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/discourse/llm-statistics/usage-report", Tags: tags,
		Summary: "Used credits by day, week, conversation, project or person",
		Description: "All groupings have the same total. Conversations that the caller may not see are combined in one row without a name. " +
			"The credits of a conversation are counted for its first project.",
	}, needs(domain.BeMember), func(ctx context.Context, in *usageReport) (*body[wire.UsageReport], error) {
		// The period is computed from the node's clock. The store only gets days.
		q, err := in.query(s.Clock.Now())
		if err != nil {
			return nil, err
		}
		fields, err := wire.ParseUsageFields(in.Fields)
		if err != nil {
			return nil, err
		}
		report, err := s.Usage.UsageReport(ctx, callerOf(ctx), q)
		if err != nil {
			return nil, err
		}
		// Only the requested fields are in a row; the two totals are always in the answer.
		row := func(r *domain.UsageRow) wire.UsageRow { return wire.NewUsageRow(r, q.Group, fields) }
		return answer(wire.UsageReport{
			Page:                 wire.NewPage(report.Rows, q.Page, requestOf(ctx).url, row),
			TotalTokensCreditSum: report.Total, TotalTokensCreditSumOverOrg: report.Organisation,
			StartDate: q.First.Format(time.DateOnly), EndDate: q.Last.Format(time.DateOnly),
		}), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/discourse/llm-statistics/credits-info", Tags: tags, Summary: "The organization's credits of this month",
	}, needs(domain.BeMember), func(ctx context.Context, _ *none) (*body[wire.CreditsInfo], error) {
		// The limit of credits is for a month in UTC (docs/operating.md), so the period of this
		// call cannot be chosen.
		first, last, err := domain.PeriodThisMonth.Days(s.Clock.Now(), time.Time{}, time.Time{})
		if err != nil {
			return nil, err
		}
		info, err := s.Usage.CreditsInfo(ctx, callerOf(ctx), first, last)
		if err != nil {
			return nil, err
		}
		return answer(wire.NewCreditsInfo(info)), nil
	})

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/discourse/llm-statistics/time-period", Tags: tags, Summary: "The time periods of a report",
	}, needs(domain.BeMember), func(ctx context.Context, in *PageOf25) (*body[wire.Page[wire.TimePeriod]], error) {
		all := domain.TimePeriods()
		page := in.page()
		return answer(wire.NewPage(window(all, page), page, requestOf(ctx).url, wire.NewTimePeriod)), nil
	})
}
