package persistence_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/persistencetest"
)

// tasks is a store with people, one of Ben's blueprints, and a connection with the engine's
// rights by which tests change due times.
type tasks struct {
	*blueprints
	raw       *pgx.Conn
	blueprint *domain.Blueprint
	// away is the time of day of the tasks, and other is another one.
	away, other string
}

func openTasks(t *testing.T) *tasks {
	t.Helper()
	// Read once, so that all inputs of a test have the same schedule.
	now := time.Now().UTC().Truncate(30 * time.Minute) //nolint:forbidigo // compared with the database's clock
	s := &tasks{blueprints: openBlueprints(t), away: now.Add(12 * time.Hour).Format("15:04"), other: now.Add(11 * time.Hour).Format("15:04")}
	s.raw = persistencetest.Connect(t, s.url, "parley_engine")
	s.blueprint = s.make(t, s.ben, "Report", "Look", "Count")
	return s
}

// input is a daily task that runs Ben's blueprint. Its time of day is half a day from now,
// so that none of its own times becomes due during a test.
func (s *tasks) input(change ...func(*domain.TaskInput)) domain.TaskInput {
	in := domain.TaskInput{
		Name: "Morning", BlueprintID: &s.blueprint.ID, Schedule: domain.ScheduleInput{Type: "cron", TimeZone: "Etc/UTC", Time: s.away},
	}
	for _, f := range change {
		f(&in)
	}
	return in
}

func (s *tasks) create(t *testing.T, caller domain.Caller, change ...func(*domain.TaskInput)) *domain.ScheduledTask {
	t.Helper()
	task, err := s.store.Tasks.CreateTask(t.Context(), caller, s.input(change...))
	require.NoError(t, err)
	return task
}

func (s *tasks) exec(t *testing.T, sql string, args ...any) {
	t.Helper()
	_, err := s.raw.Exec(t.Context(), sql, args...)
	require.NoError(t, err)
}

func (s *tasks) label(t *testing.T, name string) int64 {
	t.Helper()
	l, err := s.store.ProjectLabels.CreateProjectLabel(t.Context(), s.ben, domain.ProjectLabelDraft{
		Name: name, Description: "D",
		Color: "#008080",
	})
	require.NoError(t, err)
	return l.ID
}

// requireNext checks the next time of a task that was created after since. That time may
// have passed meanwhile.
func requireNext(t *testing.T, calendar *domain.Calendar, since time.Time, task *domain.ScheduledTask) {
	t.Helper()
	now := time.Now() //nolint:forbidigo // compared with the database's clock
	require.Contains(t, []time.Time{calendar.Next(since), calendar.Next(now)}, task.NextRunAt)
}

func TestStore_CreateTask(t *testing.T) {
	t.Parallel()
	s := openTasks(t)
	sales := s.label(t, "Sales")

	t.Run("OK", func(t *testing.T) {
		off := false
		before := time.Now() //nolint:forbidigo // compared with the database's clock
		task := s.create(t, s.ben, func(in *domain.TaskInput) { in.ProjectLabels, in.IsEnabled = []int64{sales, sales}, &off })
		require.True(t, task.IsEnabled, "a new task is enabled, whatever was requested")
		require.Equal(t, uuid.Version(7), task.ID.Version())
		require.Equal(t, "Morning", task.Name)
		require.Equal(t, s.ben.UserUUID, task.Owner.UUID)
		require.Equal(t, "Sales", task.ProjectLabels[0].Name)
		require.Len(t, task.ProjectLabels, 1)
		require.Equal(t, domain.FrequencyDaily, task.Schedule.Frequency)
		require.True(t, domain.ChangeTask.May(s.ben, task.Relation(s.ben)))
		require.False(t, domain.ArchiveTask.May(s.ben, task.Relation(s.ben)))
		calendar, err := task.Schedule.Calendar()
		require.NoError(t, err)
		requireNext(t, calendar, before, task)
	})
	t.Run("OK the next run of every frequency", func(t *testing.T) {
		now := time.Now() //nolint:forbidigo // compared with the database's clock
		for _, in := range []domain.ScheduleInput{
			{Time: "06:00"},
			{Time: "18:30", DayOfWeek: ptr(int(now.Weekday()))},
			{Time: "00:00", DayOfMonth: ptr(31)},
			{Time: "12:00 PM", DayOfMonth: ptr(29), Month: ptr(2)},
		} {
			in.TimeZone = "Asia/Kathmandu"
			task := s.create(t, s.ben, func(i *domain.TaskInput) { i.Schedule = in })
			calendar, err := task.Schedule.Calendar()
			require.NoError(t, err)
			requireNext(t, calendar, now, task)
		}
	})
	t.Run("OK once for a key", func(t *testing.T) {
		keyed := func(in *domain.TaskInput) { in.Key = domain.IdempotencyKey{Key: "k", Body: [32]byte{1}} }
		first, second := s.create(t, s.ben, keyed), s.create(t, s.ben, keyed)
		require.Equal(t, first.ID, second.ID)
		_, err := s.store.Tasks.CreateTask(t.Context(), s.ben, s.input(func(in *domain.TaskInput) {
			in.Key = domain.IdempotencyKey{Key: "k", Body: [32]byte{2}}
		}))
		requireFields(t, err, "Idempotency-Key")
	})
	t.Run("ErrEverythingAtOnce", func(t *testing.T) {
		_, err := s.store.Tasks.CreateTask(t.Context(), s.ben, domain.TaskInput{
			Name: " ", ProjectLabels: []int64{9999},
			Schedule: domain.ScheduleInput{Frequency: "annually"},
		})
		requireFields(t, err, "name", "icebreaker", "schedule.timeZone", "schedule.time", "schedule.dayOfMonth", "schedule.month",
			"projectLabels")
	})
	t.Run("ErrFlag", func(t *testing.T) { // B14
		_, err := s.store.Tasks.CreateTask(t.Context(), s.cleo, s.input())
		requireCode(t, domain.CodeForbidden, err)
	})

	archived := s.make(t, s.ben, "Old", "Look")
	require.NoError(t, s.ArchiveBlueprint(t.Context(), s.ben, archived.ID, true))
	asking, err := s.CreateBlueprint(t.Context(), s.ben, domain.BlueprintDraft{
		Name: "Asking", InputParameters: ptr("Region: such as North"),
		Steps: &[]domain.StepDraft{{Name: "Look", DetailedInstructions: ptr("Do")}},
	})
	require.NoError(t, err)
	annas := s.make(t, s.anna, "Anna's", "Look")
	hidden, err := s.CreateBlueprint(t.Context(), s.anna, domain.BlueprintDraft{
		Name: "Of Anna's data", DataSources: &[]int64{s.own(t, s.anna)},
		Steps: &[]domain.StepDraft{{Name: "Look", DetailedInstructions: ptr("Do")}},
	})
	require.NoError(t, err)
	s.share(t, hidden, domain.GranteeUser, s.ben.UserID, domain.PermissionRead)
	foreign := s.make(t, s.doris, "Doris's", "Look")
	idle := s.make(t, s.ben, "Without steps")
	for name, id := range map[string]int64{ // D08, B08
		"ErrNeedsInputs": asking.ID, "ErrArchived": archived.ID, "ErrNotShared": annas.ID, "ErrOtherOrganisation": foreign.ID,
		"ErrNoSuch": 999_999, "ErrConnectorNotShared": hidden.ID, "ErrNothingToRun": idle.ID,
	} {
		t.Run(name, func(t *testing.T) {
			_, err := s.store.Tasks.CreateTask(t.Context(), s.ben, s.input(func(in *domain.TaskInput) { in.BlueprintID = &id }))
			requireFields(t, err, "icebreaker")
			task := s.create(t, s.ben)
			_, err = s.store.Tasks.UpdateTask(t.Context(), s.ben, task.ID, s.input(func(in *domain.TaskInput) { in.BlueprintID = &id }))
			requireFields(t, err, "icebreaker")
		})
	}
	t.Run("ErrLabelOfOthers", func(t *testing.T) {
		l, err := s.store.ProjectLabels.CreateProjectLabel(t.Context(), s.doris, domain.ProjectLabelDraft{
			Name: "Beta's", Description: "D",
			Color: "#008080",
		})
		require.NoError(t, err)
		_, err = s.store.Tasks.CreateTask(t.Context(), s.ben, s.input(func(in *domain.TaskInput) { in.ProjectLabels = []int64{l.ID} }))
		requireFields(t, err, "projectLabels")
	})
}

func TestStore_UpdateTask(t *testing.T) {
	t.Parallel()
	s := openTasks(t)
	due := time.Now().Add(-time.Minute).UTC().Truncate(time.Second) //nolint:forbidigo // compared with the database's clock

	t.Run("OK a due time that has come is kept with its schedule", func(t *testing.T) {
		task := s.create(t, s.ben)
		s.exec(t, "UPDATE scheduled_task SET next_due_at = $2 WHERE id = $1", task.ID, due)
		changed, err := s.store.Tasks.UpdateTask(t.Context(), s.ben, task.ID, s.input(func(in *domain.TaskInput) { in.Name = "Evening" }))
		require.NoError(t, err)
		require.Equal(t, "Evening", changed.Name)
		require.Equal(t, task.Version+1, changed.Version)
		require.Equal(t, due, changed.NextRunAt)

		changed, err = s.store.Tasks.UpdateTask(t.Context(), s.ben, task.ID, s.input(func(in *domain.TaskInput) { in.Schedule.Time = s.other }))
		require.NoError(t, err)
		require.Equal(t, s.other, changed.Schedule.Clock())
		require.True(t, changed.NextRunAt.After(due))
	})
	t.Run("OK keeps the switch unless it is given", func(t *testing.T) {
		task := s.create(t, s.ben)
		_, err := s.store.Tasks.SetTaskEnabled(t.Context(), s.ben, task.ID, false, 0)
		require.NoError(t, err)
		changed, err := s.store.Tasks.UpdateTask(t.Context(), s.ben, task.ID, s.input())
		require.NoError(t, err)
		require.False(t, changed.IsEnabled)
		require.Zero(t, changed.NextRunAt)
		changed, err = s.store.Tasks.UpdateTask(t.Context(), s.ben, task.ID, s.input(func(in *domain.TaskInput) { in.IsEnabled = ptr(true) }))
		require.NoError(t, err)
		require.True(t, changed.IsEnabled)
		require.Equal(t, task.NextRunAt, changed.NextRunAt)
	})
	t.Run("ErrConflict", func(t *testing.T) { // D12
		task := s.create(t, s.ben)
		_, err := s.store.Tasks.UpdateTask(t.Context(), s.ben, task.ID, s.input())
		require.NoError(t, err)
		_, err = s.store.Tasks.UpdateTask(t.Context(), s.ben, task.ID, s.input(func(in *domain.TaskInput) {
			in.Version, in.Name = task.Version, "Lost"
		}))
		requireCode(t, domain.CodeConflict, err)
		_, err = s.store.Tasks.SetTaskEnabled(t.Context(), s.ben, task.ID, false, task.Version)
		requireCode(t, domain.CodeConflict, err)
		now, err := s.store.Tasks.Task(t.Context(), s.ben, task.ID)
		require.NoError(t, err)
		require.Equal(t, "Morning", now.Name)
		require.True(t, now.IsEnabled)
	})
}

func TestStore_TaskRights(t *testing.T) {
	t.Parallel()
	s := openTasks(t)
	task := s.create(t, s.ben)
	calls := map[string]func(domain.Caller) error{
		"read": func(c domain.Caller) error { _, err := s.store.Tasks.Task(t.Context(), c, task.ID); return err },
		"runs": func(c domain.Caller) error {
			_, err := s.store.Tasks.TaskRuns(t.Context(), c, task.ID, domain.Page{})
			return err
		},
		"update": func(c domain.Caller) error {
			_, err := s.store.Tasks.UpdateTask(t.Context(), c, task.ID, s.input())
			return err
		},
		"enable": func(c domain.Caller) error {
			_, err := s.store.Tasks.SetTaskEnabled(t.Context(), c, task.ID, true, 0)
			return err
		},
		"archive": func(c domain.Caller) error {
			_, err := s.store.Tasks.SetTaskArchived(t.Context(), c, task.ID, false)
			return err
		},
		"delete": func(c domain.Caller) error { return s.store.Tasks.DeleteTask(t.Context(), c, task.ID) },
	}
	other := s.cleo
	other.Flags.ScheduledTaskView = true
	foreignRoot := s.doris
	foreignRoot.IsSuperuser = true
	ok, no, hidden := domain.Code(""), domain.CodeForbidden, domain.CodeNotFound
	for _, row := range []struct {
		name string
		who  domain.Caller
		want map[string]domain.Code
	}{
		{"owner", s.ben, map[string]domain.Code{"read": ok, "runs": ok, "update": ok, "enable": ok, "archive": no, "delete": ok}},
		{"superuser", s.anna, map[string]domain.Code{"read": ok, "runs": ok, "update": no, "enable": no, "archive": ok, "delete": no}},
		{"colleague", other, map[string]domain.Code{
			"read": hidden, "runs": hidden, "update": hidden, "enable": hidden, "archive": hidden,
			"delete": hidden,
		}},
		{"superuser of others", foreignRoot, map[string]domain.Code{
			"read": hidden, "runs": hidden, "update": hidden, "enable": hidden,
			"archive": hidden, "delete": hidden,
		}},
		{"without the flag", s.cleo, map[string]domain.Code{"read": no, "runs": no, "update": no, "enable": no, "archive": no, "delete": no}},
	} {
		t.Run(row.name, func(t *testing.T) {
			for _, call := range []string{"read", "runs", "update", "enable", "archive"} {
				require.Equal(t, row.want[call], domain.CodeOf(calls[call](row.who)), call)
			}
			if row.want["delete"] != ok {
				require.Equal(t, row.want["delete"], domain.CodeOf(calls["delete"](row.who)))
			}
		})
	}
	t.Run("zones", func(t *testing.T) {
		_, err := s.store.Tasks.TaskZones(t.Context(), s.cleo, "", domain.Page{})
		requireCode(t, no, err)
		zones, err := s.store.Tasks.TaskZones(t.Context(), s.ben, "", domain.Page{})
		require.NoError(t, err)
		require.Len(t, zones.Results, 25)
	})
	t.Run("deleted for ever", func(t *testing.T) {
		s.exec(t, "INSERT INTO task_run (task_id, due_at, org_id, status, ended_at) SELECT $1, now(), $2, 'skipped', now()", task.ID,
			s.ben.OrganisationID)
		require.NoError(t, calls["delete"](s.ben))
		requireCode(t, hidden, calls["read"](s.ben))
		require.Zero(t, count(t, s.raw, "SELECT count(*) FROM task_run"))
	})
}

func TestStore_SetTaskArchived(t *testing.T) {
	t.Parallel()
	s := openTasks(t)
	task := s.create(t, s.ben)

	archived, err := s.store.Tasks.SetTaskArchived(t.Context(), s.anna, task.ID, true)
	require.NoError(t, err)
	require.True(t, archived.IsArchived)
	require.True(t, archived.IsEnabled)
	require.Zero(t, archived.NextRunAt)
	_, err = s.store.Tasks.SetTaskEnabled(t.Context(), s.ben, task.ID, true, 0)
	requireFields(t, err, "isEnabled")

	list, err := s.store.Tasks.Tasks(t.Context(), s.ben, domain.TaskFilter{})
	require.NoError(t, err)
	require.Empty(t, list.Results)
	list, err = s.store.Tasks.Tasks(t.Context(), s.ben, domain.TaskFilter{Archived: true})
	require.NoError(t, err)
	require.Equal(t, 1, list.Count)

	back, err := s.store.Tasks.SetTaskArchived(t.Context(), s.anna, task.ID, false)
	require.NoError(t, err)
	require.Equal(t, task.NextRunAt, back.NextRunAt)
}

func TestStore_Tasks(t *testing.T) {
	t.Parallel()
	s := openTasks(t)
	sales := s.label(t, "Sales")
	for i := range 12 {
		s.create(t, s.ben, func(in *domain.TaskInput) {
			in.Name = fmt.Sprintf("Task %02d", i)
			if i%2 == 0 {
				in.ProjectLabels = []int64{sales}
			}
		})
	}
	annas := s.make(t, s.anna, "Anna's", "Look")
	s.create(t, s.anna, func(in *domain.TaskInput) { in.BlueprintID = &annas.ID })

	first, err := s.store.Tasks.Tasks(t.Context(), s.ben, domain.TaskFilter{})
	require.NoError(t, err)
	require.Equal(t, 12, first.Count)
	require.Len(t, first.Results, 10)
	require.Equal(t, "Task 11", first.Results[0].Name, "the latest change first")
	second, err := s.store.Tasks.Tasks(t.Context(), s.ben, domain.TaskFilter{Page: domain.Page{Number: 2}})
	require.NoError(t, err)
	require.Len(t, second.Results, 2)

	for name, row := range map[string]struct {
		who  domain.Caller
		f    domain.TaskFilter
		want int
	}{
		"superuser sees all":  {s.anna, domain.TaskFilter{}, 13},
		"superuser's own":     {s.anna, domain.TaskFilter{Owned: true}, 1},
		"other organisation":  {s.doris, domain.TaskFilter{}, 0},
		"search":              {s.ben, domain.TaskFilter{Search: "task 0"}, 10},
		"search takes % as %": {s.ben, domain.TaskFilter{Search: "%"}, 0},
		"by label": {
			s.ben,
			domain.TaskFilter{Filters: domain.Filters{{Field: "projectLabels", Op: "contains", Values: []any{float64(sales)}}}},
			6,
		},
		"by next run":          {s.ben, domain.TaskFilter{Filters: domain.Filters{{Field: "nextRunAt", Op: "lt", Values: []any{float64(1)}}}}, 0},
		"of superuser by name": {s.anna, domain.TaskFilter{Filters: domain.Filters{{Field: "name", Op: "eq", Values: []any{"Task 03"}}}}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			list, err := s.store.Tasks.Tasks(t.Context(), row.who, row.f)
			require.NoError(t, err)
			require.Equal(t, row.want, list.Count)
			require.Len(t, list.Results, min(row.want, 10))
		})
	}
}

// TestStore_TaskPlans: the query that runs every second and each list use an index,
// however many tasks there are.
func TestStore_TaskPlans(t *testing.T) {
	t.Parallel()
	s := openTasks(t)
	s.exec(t, `INSERT INTO scheduled_task (id, org_id, owner_id, name, blueprint_id, frequency, time_zone,
			minute, day_of_week, day_of_month, month, next_due_at, created_at, updated_at)
		SELECT gen_random_uuid(), $1, CASE WHEN i % 100 = 0 THEN $2::bigint ELSE $3::bigint END, 'T' || i,
		       1, 'daily', 'UTC', 0, 0, 0, 0, now() + i * interval '1 minute',
		       now(), now() - i * interval '1 second'
		  FROM generate_series(1, 20000) i`, s.ben.OrganisationID, s.ben.UserID, s.cleo.UserID)
	owner, err := pgx.Connect(t.Context(), s.url)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, owner.Close(context.Background())) })
	_, err = owner.Exec(t.Context(), "ANALYZE scheduled_task")
	require.NoError(t, err)
	for index, sql := range map[string]string{
		"scheduled_task_due": "SELECT t.id FROM scheduled_task t WHERE t.next_due_at <= (SELECT clock_timestamp()) ORDER BY " +
			"t.next_due_at LIMIT 1000",
		"scheduled_task_owner": fmt.Sprintf("SELECT * FROM scheduled_task t JOIN app_user o ON o.id = t.owner_id WHERE t.owner_id = %d AND "+
			"NOT t.is_archived ORDER BY t.updated_at DESC, t.id DESC LIMIT 10",
			s.ben.UserID),
		"scheduled_task_organisation": fmt.Sprintf("SELECT * FROM scheduled_task t JOIN app_user o ON o.id = t.owner_id WHERE t.org_id = %d "+
			"AND NOT t.is_archived ORDER BY t.updated_at DESC, t.id DESC LIMIT 10",
			s.ben.OrganisationID),
	} {
		rows, err := s.raw.Query(t.Context(), "EXPLAIN "+sql)
		require.NoError(t, err)
		plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		require.Contains(t, strings.Join(plan, "\n"), index)
		require.NotContains(t, strings.Join(plan, "\n"), "Seq Scan on scheduled_task")
	}
	// If all tasks are due, a read still returns no more than its limit.
	s.exec(t, "UPDATE scheduled_task SET next_due_at = now() - interval '1 minute'")
	due, err := s.store.TaskStore.DueTasks(t.Context(), "node", 100)
	require.NoError(t, err)
	require.Len(t, due.IDs, 100)
	require.WithinDuration(t, time.Now(), due.Now, time.Minute) //nolint:forbidigo // compared with the database's clock
}

// setFlag switches the flag of scheduled tasks for a person.
func (s *tasks) setFlag(t *testing.T, who domain.Caller, on bool) {
	t.Helper()
	s.exec(t, "UPDATE app_user SET scheduled_task_view = $2 WHERE id = $1", who.UserID, on)
}
