package domain

import (
	"context"
	"math"
	"time"

	"github.com/google/uuid"
)

// UsageLevel says whose usage a report counts.
type UsageLevel string

// The levels. User and conversation count the caller's own usage; organisation and project
// label count the usage of everybody in the organisation.
const (
	UsageOfUser          UsageLevel = "user"
	UsageOfOrganisation  UsageLevel = "organization"
	UsageOfConversations UsageLevel = "conversation"
	UsageOfProjectLabels UsageLevel = "project_label"
)

// OnlyMine reports whether the level counts only the caller's own usage.
func (l UsageLevel) OnlyMine() bool { return l == UsageOfUser || l == UsageOfConversations }

// UsageGroup says by what the rows of a report are grouped.
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
	ConversationID uuid.UUID // zero: all conversations that the caller may not see, in one row
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

// UsageReport is a page of rows, in order of days or else the largest first. The rows of all
// pages add up to Total for every group.
type UsageReport struct {
	Rows         List[UsageRow]
	Total        float64
	Organisation float64 // credits of the whole organisation in the same days
}

// CreditsInfo is the usage of an organisation this month. Limit is nil for an organisation
// that pays for what it uses.
type CreditsInfo struct {
	Used  float64
	Limit *float64
}

// creditParts is the precision of credits: they are counted and stored in millionths.
const creditParts = 1_000_000

// SumCredits adds credits and rounds the sum to a millionth. All code that counts credits
// uses it before it stores or reports an amount, so that events, answers and reports contain
// the same amount. An amount that is not a finite number counts as 0, so that a mistyped
// price does not make the sum unusable.
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

// CreditKeeper limits credits; it is asked before each model call.
type CreditKeeper interface {
	// CreditsLeft returns what an organisation may still use this month, in UTC by the clock
	// of the store. It is negative if the organisation has used more than its limit, and nil
	// if it has no limit. It counts only committed calls, so each of several concurrent turns
	// may still make the call that exceeds the limit.
	CreditsLeft(ctx context.Context, organisation int64) (*float64, error)
}
