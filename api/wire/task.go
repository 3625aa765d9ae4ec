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
	ID             uuid.UUID         `json:"id" format:"uuid" doc:"The id."`
	Name           string            `json:"name" doc:"At most {characters} characters."`
	Icebreaker     int64             `json:"icebreaker" doc:"The id of the blueprint that is run."`
	ProjectLabels  []ProjectLabelRef `json:"projectLabels" nullable:"false" doc:"The projects to which the conversations of the task are added."`
	Owner          protocol.Person   `json:"owner" doc:"The owner; null if it belongs to the product."`
	IsEnabled      bool              `json:"isEnabled" doc:"Whether it is enabled."`
	Status         string            `json:"status" enum:"active,archived" doc:"active or archived."`
	DisabledReason string            `json:"disabledReason" doc:"Why the task cannot run any more, as a text to show to people, such as that its blueprint was deleted; empty if it can run. A task with another blueprint can be enabled again."`
	NextRunAt      *protocol.Time    `json:"nextRunAt" doc:"When the task runs next; null if it is disabled or archived."`
	Schedule       Schedule          `json:"schedule" doc:"When the task runs."`
	Version        int               `json:"version" doc:"Increases by 1 with each change. A change that is based on an older version returns 409."`
	Abilities      TaskAbilities     `json:"abilities" doc:"What the caller may do with it."`
	CreatedAt      protocol.Time     `json:"createdAt"`
	UpdatedAt      protocol.Time     `json:"updatedAt"`
}

// TransformSchema implements huma.SchemaTransformer.
func (Task) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return Limited(s, new(domain.TaskInput).Limits())
}

// TaskAbilities says what the caller may do.
type TaskAbilities struct {
	Edit    bool `json:"edit" doc:"Whether the caller may change it."`
	Enable  bool `json:"enable" doc:"May switch it on and off."`
	Archive bool `json:"archive" doc:"Whether the caller may archive and restore it."`
	Delete  bool `json:"delete" doc:"Whether the caller may delete it."`
}

// Schedule says when it is due.
type Schedule struct {
	Type          string `json:"type" enum:"cron" doc:"Always cron."`
	FrequencyType string `json:"frequencyType" enum:"daily,weekly,monthly,annually" doc:"How often the task runs."`
	TimeZone      string `json:"timeZone" doc:"An IANA time zone, such as Europe/Paris."`
	Time          string `json:"time" doc:"The time of day as HH:MM, in 24 hours."`
	DayOfWeek     *int   `json:"dayOfWeek" doc:"0 (Sunday) to 6 (Saturday); null unless weekly."`
	DayOfMonth    *int   `json:"dayOfMonth" doc:"1 to 31. In a shorter month, the last day is used. Null unless monthly or annually."`
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
	ProjectLabels *[]int64        `json:"projectLabels,omitempty" nullable:"true" maxItems:"100" doc:"Ids of the projects that it belongs to."`
	Icebreaker    *int64          `json:"icebreaker,omitempty" nullable:"true" doc:"The id of a blueprint without inputs."`
	IsEnabled     *bool           `json:"isEnabled,omitempty" nullable:"true" doc:"For a change: the default is the current value. A new task is always enabled."`
	Schedule      ScheduleRequest `json:"schedule,omitempty" doc:"When the task runs."`
	Version       int             `json:"version,omitempty" minimum:"0" doc:"For a change: the version that it is based on."`
}

// TransformSchema implements huma.SchemaTransformer.
func (TaskRequest) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return Limited(s, new(domain.TaskInput).Limits())
}

// ScheduleRequest says when the task must be due.
type ScheduleRequest struct {
	_             struct{}        `additionalProperties:"true"`
	Type          *string         `json:"type,omitempty" nullable:"true" doc:"Always cron." example:"cron"`
	FrequencyType *string         `json:"frequencyType,omitempty" nullable:"true" doc:"daily, weekly, monthly or annually. The default follows from the days that are given." example:"monthly"`
	TimeZone      *string         `json:"timeZone,omitempty" nullable:"true" doc:"An IANA time zone."`
	Time          *string         `json:"time,omitempty" nullable:"true" doc:"A full or half hour, such as 14:30 or 2:30 PM."`
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
	Results []protocol.Time `json:"results" nullable:"false" doc:"Three times in UTC."`
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
	IsEnabled bool     `json:"isEnabled" doc:"Whether it is enabled."`
	Version   int      `json:"version,omitempty" minimum:"0" doc:"The version that the change is based on."`
}

// TaskStatusChange archives a task, restores it, or switches it on or off. Exactly one of
// them is given.
type TaskStatusChange struct {
	_         struct{} `additionalProperties:"true"`
	Status    string   `json:"status,omitempty" enum:"active,archived" doc:"active or archived."`
	IsEnabled *bool    `json:"isEnabled,omitempty" doc:"Whether it is enabled."`
	Enabled   *bool    `json:"enabled,omitempty" doc:"The same as isEnabled."`
}

// TaskRun is one due time and what became of it.
type TaskRun struct {
	DueAt          protocol.Time  `json:"dueAt"`
	Status         string         `json:"status" enum:"skipped,running,complete,stopped,interrupted,failed" doc:"skipped (the time was missed, or the previous run was not finished), running, or how the run ended."`
	Reason         string         `json:"reason" doc:"Why the run was skipped or failed, as a text to show to people."`
	ConversationID *uuid.UUID     `json:"conversationId" format:"uuid" doc:"Null if no conversation was started."`
	TurnID         *uuid.UUID     `json:"turnId" format:"uuid" doc:"The id of the turn: one prompt and the work that answers it."`
	StartedAt      protocol.Time  `json:"startedAt"`
	EndedAt        *protocol.Time `json:"endedAt" doc:"Null while the task is running."`
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
	TimeZone string `json:"timezone" doc:"An IANA time zone."`
	Offset   string `json:"offset" doc:"The current offset from UTC, such as +02:00."`
}

// NewTimeZone converts a zone.
func NewTimeZone(z *domain.TimeZone) TimeZone {
	sign, offset := '+', z.Offset
	if offset < 0 {
		sign, offset = '-', -offset
	}
	return TimeZone{TimeZone: z.Name, Offset: fmt.Sprintf("%c%02d:%02d", sign, offset/3600, offset/60%60)}
}
