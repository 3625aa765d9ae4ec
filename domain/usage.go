package domain

import (
	"context"
	"math"
	"time"

	"github.com/google/uuid"
)

// UsageLevel says whose usage a report counts.
type UsageLevel string

// The levels. User and conversation count the caller's own, organisation and
// project label everybody's of the organisation.
const (
	UsageOfUser          UsageLevel = "user"
	UsageOfOrganisation  UsageLevel = "organization"
	UsageOfConversations UsageLevel = "conversation"
	UsageOfProjectLabels UsageLevel = "project_label"
)

// OnlyMine tells whether the level counts the caller's own usage alone.
func (l UsageLevel) OnlyMine() bool { return l == UsageOfUser || l == UsageOfConversations }

// UsageGroup is what the rows of a report stand for.
type UsageGroup string

// The groups.
const (
	UsageByDate         UsageGroup = "date"
	UsageByWeek         UsageGroup = "week"
	UsageByUser         UsageGroup = "user_id"
	UsageByConversation UsageGroup = "conversation_id"
	UsageByProjectLabel UsageGroup = "project_label_id"
)

// UsageQuery asks for a report over the days from First to Last, both included.
type UsageQuery struct {
	Level       UsageLevel
	Group       UsageGroup
	First, Last time.Time
	// WithoutDeleted leaves out what was used in conversations that are deleted now,
	// from all rows and from both totals.
	WithoutDeleted bool
	Page           Page
}

// UsageRow is one line of a report. Which of the names is set follows from the group.
type UsageRow struct {
	Day            time.Time // of UsageByDate, or the Monday of UsageByWeek
	UserID         int64
	ConversationID uuid.UUID // zero: those that the caller may not see, in one row
	ProjectLabelID int64     // 0: no project assigned
	Name           string
	Color          string
	IsDeleted      bool
	Credits        float64
	// Percentage is of what the level counts, OverOrganisation of the whole
	// organisation in the same days; 0 where nothing was used.
	Percentage       float64
	OverOrganisation float64
}

// UsageReport is a page of rows, by days in order, else the largest first. The
// rows of all pages add up to Total, whatever the group.
type UsageReport struct {
	Rows         List[UsageRow]
	Total        float64
	Organisation float64 // credits of the whole organisation in the same days
}

// CreditsInfo is where an organisation stands this month. Limit is nil for one
// that pays as it goes.
type CreditsInfo struct {
	Used  float64
	Limit *float64
}

// creditParts is how finely credits are counted: in millionths, as they are stored.
const creditParts = 1_000_000

// SumCredits adds credits up and rounds the sum to a millionth. What counts credits counts them by
// this, before they are stored and before anybody is told, so that the same amount stands in an
// event, in an answer and in a report. An amount that is no number counts as nothing: a price
// that somebody has mistyped must not spoil the sum.
func SumCredits(amounts ...float64) float64 {
	sum := 0.0
	for _, amount := range amounts {
		if !math.IsNaN(amount) && !math.IsInf(amount*creditParts, 0) {
			sum += amount
		}
	}
	return math.Round(sum*creditParts) / creditParts
}

// UsageService reports on the credits that were used. Errors: CodeInvalid.
type UsageService interface {
	UsageReport(ctx context.Context, caller Caller, q UsageQuery) (*UsageReport, error)
	CreditsInfo(ctx context.Context, caller Caller, first, last time.Time) (*CreditsInfo, error)
}

// CreditKeeper is asked before each model call.
type CreditKeeper interface {
	// CreditsLeft is what an organisation may still use this month, in UTC by the clock
	// of the store; below 0 where it has used more than its limit, nil where it has none.
	// It counts the calls that are committed: of turns that run at once each may still
	// make the call that passes the limit.
	CreditsLeft(ctx context.Context, organisation int64) (*float64, error)
}
