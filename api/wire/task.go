package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// Task is a scheduled task, as the caller sees it.
type Task struct {
	ID             uuid.UUID         `json:"id" format:"uuid" doc:"Its id."`
	Name           string            `json:"name" doc:"At most {characters} characters."`
	Icebreaker     int64             `json:"icebreaker" doc:"The id of the blueprint that is run."`
	ProjectLabels  []ProjectLabelRef `json:"projectLabels" nullable:"false" doc:"The conversations that it makes are put into these projects."`
	Owner          protocol.Person   `json:"owner" doc:"Whose it is; null where it belongs to the product."`
	IsEnabled      bool              `json:"isEnabled" doc:"Whether it is switched on."`
	Status         string            `json:"status" enum:"active,archived" doc:"active or archived."`
	DisabledReason string            `json:"disabledReason" doc:"Why it cannot run any more, for people: its blueprint was deleted. Empty where it can. With another blueprint it can be switched on again."`
	NextRunAt      *protocol.Time    `json:"nextRunAt" doc:"When it is due next; null while it is disabled or archived."`
	Schedule       Schedule          `json:"schedule" doc:"When it is due."`
	Version        int               `json:"version" doc:"Rises by 1 with each change. Named with a change, a stale version is 409."`
	Abilities      TaskAbilities     `json:"abilities" doc:"What the caller may do."`
	CreatedAt      protocol.Time     `json:"createdAt"`
	UpdatedAt      protocol.Time     `json:"updatedAt"`
}

// TransformSchema implements huma.SchemaTransformer.
func (Task) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return limited(s, new(domain.TaskInput).Limits())
}

// TaskAbilities says what the caller may do.
type TaskAbilities struct {
	Edit    bool `json:"edit" doc:"May change it."`
	Enable  bool `json:"enable" doc:"May switch it on and off."`
	Archive bool `json:"archive" doc:"To the archive or back: for superusers, of the work of others."`
	Delete  bool `json:"delete" doc:"May delete it."`
}

// Schedule says when it is due.
type Schedule struct {
	Type          string `json:"type" enum:"cron" doc:"cron"`
	FrequencyType string `json:"frequencyType" enum:"daily,weekly,monthly,annually" doc:"How often it comes round."`
	TimeZone      string `json:"timeZone" doc:"An IANA name, such as Europe/Paris."`
	Time          string `json:"time" doc:"HH:MM of 24 hours."`
	DayOfWeek     *int   `json:"dayOfWeek" doc:"0 for Sunday to 6; null unless weekly."`
	DayOfMonth    *int   `json:"dayOfMonth" doc:"1 to 31, in a shorter month its last day; null unless monthly or annually."`
	Month         *int   `json:"month" doc:"1 to 12; null unless annually."`
}

// NewTask converts a task for a caller.
func NewTask(caller domain.Caller) func(*domain.ScheduledTask) Task {
	return func(t *domain.ScheduledTask) Task { return newTask(caller, t) }
}

func newTask(caller domain.Caller, t *domain.ScheduledTask) Task {
	relation := t.Relation(caller)
	change := domain.ChangeTask.May(caller, relation)
	out := Task{
		ID: t.ID, Name: t.Name, Icebreaker: t.BlueprintID, ProjectLabels: make([]ProjectLabelRef, 0, len(t.ProjectLabels)),
		Owner:     NewPerson(&t.Owner),
		IsEnabled: t.IsEnabled, DisabledReason: t.DisabledReason, Status: "active", Schedule: newSchedule(&t.Schedule), Version: t.Version,
		Abilities: TaskAbilities{
			Edit: change, Enable: change && !t.IsArchived, Archive: domain.ArchiveTask.May(caller, relation),
			Delete: domain.DeleteTask.May(caller, relation),
		},
		CreatedAt: protocol.Time(t.CreatedAt), UpdatedAt: protocol.Time(t.UpdatedAt),
	}
	for _, l := range t.ProjectLabels {
		out.ProjectLabels = append(out.ProjectLabels, ProjectLabelRef(l))
	}
	if t.IsArchived {
		out.Status = "archived"
	}
	out.NextRunAt = timeOrNull(t.NextRunAt)
	return out
}

func newSchedule(s *domain.Schedule) Schedule {
	out := Schedule{Type: domain.ScheduleCron, FrequencyType: string(s.Frequency), TimeZone: s.TimeZone, Time: s.Clock()}
	weekday, day, month := int(s.DayOfWeek), s.DayOfMonth, int(s.Month)
	switch s.Frequency {
	case domain.FrequencyWeekly:
		out.DayOfWeek = &weekday
	case domain.FrequencyMonthly:
		out.DayOfMonth = &day
	case domain.FrequencyAnnually:
		out.DayOfMonth, out.Month = &day, &month
	case domain.FrequencyDaily:
	}
	return out
}

func timeOrNull(t time.Time) *protocol.Time {
	if t.IsZero() {
		return nil
	}
	out := protocol.Time(t)
	return &out
}

// TaskRequest has the fields that a person writes to make or to change a scheduled task. All
// errors in it are reported at once, so no field is required here.
type TaskRequest struct {
	_             struct{}        `additionalProperties:"true"`
	Name          *string         `json:"name,omitempty" nullable:"true" doc:"At most {characters} characters."`
	ProjectLabels *[]int64        `json:"projectLabels,omitempty" nullable:"true" maxItems:"100" doc:"The projects that it belongs to, by their ids."`
	Icebreaker    *int64          `json:"icebreaker,omitempty" nullable:"true" doc:"The id of a blueprint that needs no inputs."`
	IsEnabled     *bool           `json:"isEnabled,omitempty" nullable:"true" doc:"Of a change: left out keeps it. New work is enabled."`
	Schedule      ScheduleRequest `json:"schedule,omitempty" doc:"When it is due."`
	Version       int             `json:"version,omitempty" minimum:"0" doc:"Of a change: the version that it was made from."`
}

// TransformSchema implements huma.SchemaTransformer.
func (TaskRequest) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return limited(s, new(domain.TaskInput).Limits())
}

// ScheduleRequest says when the task must be due.
type ScheduleRequest struct {
	_             struct{}        `additionalProperties:"true"`
	Type          *string         `json:"type,omitempty" nullable:"true" doc:"cron"`
	FrequencyType *string         `json:"frequencyType,omitempty" nullable:"true" doc:"daily, weekly, monthly or annually; left out, it follows from the days that are given."`
	TimeZone      *string         `json:"timeZone,omitempty" nullable:"true" doc:"An IANA name."`
	Time          *string         `json:"time,omitempty" nullable:"true" doc:"On the hour or the half hour: 14:30 or 2:30 PM."`
	DayOfWeek     *CalendarNumber `json:"dayOfWeek,omitempty"`
	DayOfMonth    *CalendarNumber `json:"dayOfMonth,omitempty"`
	Month         *CalendarNumber `json:"month,omitempty"`
}

// Input converts a request.
func (r *TaskRequest) Input() domain.TaskInput {
	in := domain.TaskInput{Name: text(r.Name), BlueprintID: r.Icebreaker, IsEnabled: r.IsEnabled, Schedule: r.Schedule.Input()}
	if r.ProjectLabels != nil {
		in.ProjectLabels = *r.ProjectLabels
	}
	return in
}

// Input converts a schedule.
func (s *ScheduleRequest) Input() domain.ScheduleInput {
	return domain.ScheduleInput{
		Type: text(s.Type), Frequency: text(s.FrequencyType), TimeZone: text(s.TimeZone), Time: text(s.Time),
		DayOfWeek:  s.DayOfWeek.number("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"),
		DayOfMonth: s.DayOfMonth.number(),
		Month: s.Month.number("", "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
			"november", "december"),
	}
}

// ComingRuns are the next due times of a schedule, the first one first.
type ComingRuns struct {
	Results []protocol.Time `json:"results" nullable:"false" doc:"Three of them, in UTC."`
}

// NewComingRuns converts due times.
func NewComingRuns(due []time.Time) ComingRuns {
	out := ComingRuns{Results: make([]protocol.Time, len(due))}
	for i, at := range due {
		out.Results[i] = protocol.Time(at)
	}
	return out
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// CalendarNumber is a day or a month: a number, or its English name.
type CalendarNumber struct{ raw string }

// UnmarshalJSON takes anything: a value that is not a day or a month is reported together
// with all other errors.
func (n *CalendarNumber) UnmarshalJSON(b []byte) error {
	n.raw = string(bytes.TrimSpace(b))
	var s string
	if json.Unmarshal(b, &s) == nil && n.raw != "null" {
		n.raw = strings.TrimSpace(s)
	}
	return nil
}

// MarshalJSON returns what was read, for the hash of a request.
func (n CalendarNumber) MarshalJSON() ([]byte, error) {
	out, err := json.Marshal(n.raw)
	if err != nil {
		return nil, fmt.Errorf("encode a day: %w", err)
	}
	return out, nil
}

// Schema implements huma.SchemaProvider.
func (CalendarNumber) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Description: "A number, or the English name. Days of the week are 0 for Sunday to 6, months 1 to 12.",
		AnyOf:       []*huma.Schema{{Type: huma.TypeInteger}, {Type: huma.TypeString}, {Type: "null"}},
	}
}

// number returns nil for a missing value, and -1 for a value that is neither a number nor one
// of the names.
func (n *CalendarNumber) number(names ...string) *int {
	if n == nil || n.raw == "null" || n.raw == "" {
		return nil
	}
	if number, err := strconv.Atoi(n.raw); err == nil {
		return &number
	}
	none := -1
	for i, name := range names {
		if given := strings.ToLower(n.raw); name != "" && (given == name || given == name[:3]) {
			return &i
		}
	}
	return &none
}

// TaskChange switches a scheduled task on or off.
type TaskChange struct {
	_         struct{} `additionalProperties:"true"`
	IsEnabled bool     `json:"isEnabled" doc:"Whether it is switched on."`
	Version   int      `json:"version,omitempty" minimum:"0" doc:"Rises by 1 with each change. Named with a change, a stale version is 409."`
}

// TaskStatusChange archives a task, restores it, or switches it on or off. Exactly one of
// them is given.
type TaskStatusChange struct {
	_         struct{} `additionalProperties:"true"`
	Status    string   `json:"status,omitempty" enum:"active,archived" doc:"active or archived."`
	IsEnabled *bool    `json:"isEnabled,omitempty" doc:"Whether it is switched on."`
	Enabled   *bool    `json:"enabled,omitempty" doc:"The same as isEnabled."`
}

// TaskRun is one due time and what became of it.
type TaskRun struct {
	DueAt          protocol.Time  `json:"dueAt"`
	Status         string         `json:"status" enum:"skipped,running,complete,stopped,interrupted,failed" doc:"skipped (missed, or the run before still went on), running, or how it ended."`
	Reason         string         `json:"reason" doc:"Why it was skipped or failed, for people."`
	ConversationID *uuid.UUID     `json:"conversationId" format:"uuid" doc:"Null where none was begun."`
	TurnID         *uuid.UUID     `json:"turnId" format:"uuid" doc:"The turn: one prompt and the work that answers it."`
	StartedAt      protocol.Time  `json:"startedAt"`
	EndedAt        *protocol.Time `json:"endedAt" doc:"Null while it runs."`
}

// NewTaskRun converts a run.
func NewTaskRun(r *domain.TaskRun) TaskRun {
	out := TaskRun{
		DueAt: protocol.Time(r.DueAt), Status: string(r.Status), Reason: r.Reason, StartedAt: protocol.Time(r.StartedAt),
		EndedAt: timeOrNull(r.EndedAt),
	}
	if r.ConversationID != uuid.Nil {
		out.ConversationID, out.TurnID = &r.ConversationID, &r.TurnID
	}
	return out
}

// TimeZone is a time zone that people can choose.
type TimeZone struct {
	TimeZone string `json:"timezone" doc:"An IANA name."`
	Offset   string `json:"offset" doc:"From UTC, now: +02:00."`
}

// NewTimeZone converts a zone.
func NewTimeZone(z *domain.TimeZone) TimeZone {
	sign, offset := '+', z.Offset
	if offset < 0 {
		sign, offset = '-', -offset
	}
	return TimeZone{TimeZone: z.Name, Offset: fmt.Sprintf("%c%02d:%02d", sign, offset/3600, offset/60%60)}
}
