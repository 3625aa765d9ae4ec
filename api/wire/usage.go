package wire

import (
	"strings"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// UsageRow is one line of a usage report. It has the fields of its group. If fields were
// requested by name, it has only those.
type UsageRow struct {
	Date string `json:"date,omitempty" format:"date" doc:"The day, if grouped by date."`
	Week string `json:"week,omitempty" format:"date" doc:"The Monday of the week, if grouped by week."`

	TotalTokensCreditSum                  *float64 `json:"totalTokensCreditSum,omitempty" doc:"The credits."`
	TotalTokensCreditPercentageSum        *float64 `json:"totalTokensCreditPercentageSum,omitempty" doc:"Percentage of the credits that the level counts."`
	TotalTokensCreditPercentageOverOrgSum *float64 `json:"totalTokensCreditPercentageOverOrgSum,omitempty" doc:"Percentage of the credits of the whole organization in the same period."`

	ConversationID        *uuid.UUID `json:"conversationId,omitempty" format:"uuid" doc:"Missing in the row that combines the conversations that the caller may not see."`
	ConversationName      *string    `json:"conversationName,omitempty" doc:"The name of the conversation; empty in the row that combines the conversations that the caller may not see."`
	ConversationIsDeleted *bool      `json:"conversationIsDeleted,omitempty" doc:"Whether the conversation is deleted."`
	ProjectID             *int64     `json:"projectId,omitempty" doc:"Missing in the row of conversations without a project."`
	ProjectName           *string    `json:"projectName,omitempty" doc:"The name of the project; empty in the row of conversations without a project."`
	ProjectIsDeleted      *bool      `json:"projectIsDeleted,omitempty" doc:"Whether the project is deleted."`
	ProjectColor          *string    `json:"projectColor,omitempty" doc:"The colour of the project; empty in the row of conversations without a project." example:"Teal blue"`
	UserID                *int64     `json:"userId,omitempty" doc:"The user id of the person."`
	UserName              *string    `json:"userName,omitempty" doc:"The full name of the person."`
	UserIsDeleted         *bool      `json:"userIsDeleted,omitempty" doc:"Whether the account of the person is disabled."`
}

// UsageReport is a page of a report with its totals.
type UsageReport struct {
	Page[UsageRow]
	TotalTokensCreditSum        float64 `json:"totalTokensCreditSum" doc:"The credits of all rows on all pages."`
	TotalTokensCreditSumOverOrg float64 `json:"totalTokensCreditSumOverOrg" doc:"The credits of the whole organization in the same period."`
	StartDate                   string  `json:"startDate" format:"date" doc:"The first day of the period."`
	EndDate                     string  `json:"endDate" format:"date" doc:"The last day of the period, inclusive."`
}

// UsageFields are the requested fields of a report; if it is empty, all fields are requested.
type UsageFields map[string]bool

const (
	fieldCredits    = "total_tokens_credit" //nolint:gosec // tokens of a model, not of a sign-in
	fieldPercentage = "total_tokens_credit_percentage"
	fieldOverOrg    = "total_tokens_credit_percentage_over_org"
	fieldDeleted    = "is_deleted"
	fieldColor      = "project_label_color"
)

// ParseUsageFields reads names, one by one or separated by commas. It returns CodeInvalid for
// a name that a report does not have.
func ParseUsageFields(lists []string) (UsageFields, error) {
	fields := UsageFields{}
	for name := range strings.SplitSeq(strings.Join(lists, ","), ",") {
		if name = snake(strings.TrimSpace(name)); name == "" {
			continue
		}
		switch name {
		case fieldCredits, fieldPercentage, fieldOverOrg, fieldDeleted, fieldColor,
			"entity_name", "conversation_name", "project_label_name", "project_name", "user_name":
			fields[name] = true
		default:
			return nil, domain.Invalid("fields", "A report has no field of this name")
		}
	}
	return fields, nil
}

// snake turns totalTokensCredit into total_tokens_credit.
func snake(name string) string {
	var out strings.Builder
	for _, r := range name {
		if 'A' <= r && r <= 'Z' {
			out.WriteByte('_')
			r += 'a' - 'A'
		}
		out.WriteRune(r)
	}
	return out.String()
}

// name reports whether an entity's name was asked for.
func (f UsageFields) name() bool {
	return f["entity_name"] || f["conversation_name"] || f["project_label_name"] || f["project_name"] || f["user_name"]
}

// NewUsageRow converts one line.
func NewUsageRow(r *domain.UsageRow, group domain.UsageGroup, fields UsageFields) UsageRow {
	all := len(fields) == 0
	var out UsageRow
	if all || fields[fieldCredits] {
		out.TotalTokensCreditSum = &r.Credits
	}
	if all || fields[fieldPercentage] {
		out.TotalTokensCreditPercentageSum = &r.Percentage
	}
	if all || fields[fieldOverOrg] {
		out.TotalTokensCreditPercentageOverOrgSum = &r.OverOrganisation
	}
	var name *string
	if all || fields.name() {
		name = &r.Name
	}
	var deleted *bool
	if all || fields[fieldDeleted] {
		deleted = &r.IsDeleted
	}
	switch group {
	case domain.UsageByDate:
		out.Date = r.Day.Format(time.DateOnly)
	case domain.UsageByWeek:
		out.Week = r.Day.Format(time.DateOnly)
	case domain.UsageByConversation:
		out.ConversationID, out.ConversationName, out.ConversationIsDeleted = optional(r.ConversationID), name, deleted
	case domain.UsageByProjectLabel:
		if r.ProjectLabelID != 0 {
			out.ProjectID = &r.ProjectLabelID
		}
		out.ProjectName, out.ProjectIsDeleted = name, deleted
		if all || fields[fieldColor] {
			out.ProjectColor = &r.Color
		}
	case domain.UsageByUser:
		out.UserID, out.UserName, out.UserIsDeleted = &r.UserID, name, deleted
	}
	return out
}

// CreditsInfo is the state of the organization's credits this month. Values that depend on a
// limit are null for an organization that pays per use.
type CreditsInfo struct {
	Plan                      string   `json:"plan" enum:"payAsYouGo,limited" doc:"payAsYouGo: no limit. limited: a limit per month."`
	AvailableCredits          *float64 `json:"availableCredits" doc:"The credits that are left this month, or null."`
	TotalCredits              *float64 `json:"totalCredits" doc:"The credits per month, or null."`
	TotalTokensCredit         float64  `json:"totalTokensCredit" doc:"The credits that were used this month."`
	AvailableTokensPercentage *float64 `json:"availableTokensPercentage" doc:"The percentage of credits that is left this month, or null."`
}

// NewCreditsInfo converts the state of an organisation's credits.
func NewCreditsInfo(c *domain.CreditsInfo) CreditsInfo {
	out := CreditsInfo{Plan: "payAsYouGo", TotalTokensCredit: c.Used}
	if c.Limit != nil {
		left, percent := max(*c.Limit-c.Used, 0), 0.0
		if *c.Limit > 0 {
			percent = 100 * left / *c.Limit
		}
		out.Plan, out.AvailableCredits, out.TotalCredits, out.AvailableTokensPercentage = "limited", &left, c.Limit, &percent
	}
	return out
}

// TimePeriod is a choice of the report's dropdown.
type TimePeriod struct {
	ID   string `json:"id" doc:"The identifier, as the parameter time_period accepts it."`
	Name string `json:"name" doc:"The name."`
}

// NewTimePeriod converts a period.
func NewTimePeriod(p *domain.NamedPeriod) TimePeriod {
	return TimePeriod{ID: string(p.Period), Name: p.Name}
}
