package integration_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// task is a scheduled task as the API returns it.
type task struct {
	ID        uuid.UUID  `json:"id"`
	NextRunAt *time.Time `json:"nextRunAt"`
	IsEnabled bool       `json:"isEnabled"`
	Version   int        `json:"version"`
}

// taskRun is one entry of a task's history.
type taskRun struct {
	DueAt          time.Time  `json:"dueAt"`
	Status         string     `json:"status"`
	Reason         string     `json:"reason"`
	ConversationID *uuid.UUID `json:"conversationId"`
	EndedAt        *time.Time `json:"endedAt"`
}

// schedule creates a task that runs a blueprint every day.
func (p *person) schedule(b blueprint, more ...any) task {
	p.t.Helper()
	body := map[string]any{
		"name": "Morning report", "icebreaker": b.ID, "is_enabled": true,
		"schedule": map[string]any{"type": "cron", "time_zone": "Europe/Paris", "time": "9:30 AM"},
	}
	for i := 0; i < len(more); i += 2 {
		name, ok := more[i].(string)
		require.True(p.t, ok)
		body[name] = more[i+1]
	}
	var made task
	p.do("POST", "/discourse/scheduledtasks", body).into(p.t, 201, &made)
	require.NotNil(p.t, made.NextRunAt)
	return made
}

func (p *person) runs(of task) []taskRun {
	p.t.Helper()
	var list struct {
		Results []taskRun `json:"results"`
	}
	p.do("GET", "/discourse/scheduledtasks/"+of.ID.String()+"/runs?page_size=100", nil).into(p.t, 200, &list)
	return list.Results
}

// makeDue makes tasks due now. It changes their due times in the database, because the
// database's clock decides what is due.
func makeDue(t *testing.T, url string, tasks ...task) {
	t.Helper()
	c, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, c.Close(t.Context())) }()
	_, err = c.Exec(t.Context(), "SET ROLE parley_engine")
	require.NoError(t, err)
	ids := make([]uuid.UUID, len(tasks))
	for i := range tasks {
		ids[i] = tasks[i].ID
	}
	_, err = c.Exec(t.Context(), "UPDATE scheduled_task SET next_due_at = date_trunc('second', clock_timestamp()) WHERE id = ANY($1)", ids)
	require.NoError(t, err)
}

// scheduledTasks: a due task starts a conversation that is answered, without any request, on
// a whole node. The test reads whole lists, so it uses an organisation of its own.
func scheduledTasks(t *testing.T, n *node) {
	t.Helper()
	const email = "anna@tasks.example"
	world := persistencetest.World()
	acme := world.Organisations[0]
	acme.Name, acme.Teams = "Tasks", nil
	acme.People = []persistence.SeedPerson{{Email: email, FullName: "Anna Acme", IsSuperuser: true, Flags: acme.People[0].Flags}}
	acme.DataSources[0].Owner = email
	world.Organisations = []persistence.SeedOrganisation{acme}
	require.NoError(t, n.store.Samples.Seed(t.Context(), world))
	anna := n.as(t, email)
	var label struct {
		ID int64 `json:"id"`
	}
	anna.do("POST", "/discourse/projectlabels", map[string]any{"name": "Sales", "description": "D", "color": "#008080"}).into(t, 201, &label)
	var sources struct {
		Results []struct {
			ID int64 `json:"id"`
		} `json:"results"`
	}
	anna.do("GET", "/memory/datasources", nil).into(t, 200, &sources)
	report := anna.blueprint(map[string]any{
		"name": "Orders", "data_sources": []int64{sources.Results[0].ID},
		"steps": []map[string]any{{"name": "Countries", "detailed_instructions": "What is the total amount by country?"}},
	})

	t.Run("OK", func(t *testing.T) {
		s := anna.open()
		s.say(map[string]any{"type": "hello", "cursor": map[string]any{}})
		s.wait(func(f frame) bool { return f.Type == protocol.FrameSessionReady })
		made := anna.schedule(report, "project_labels", []int64{label.ID})
		makeDue(t, n.database, made)

		var news struct {
			TaskID         uuid.UUID `json:"taskId"`
			Name           string    `json:"name"`
			ConversationID uuid.UUID `json:"conversationId"`
		}
		f := s.wait(func(f frame) bool { return f.Type == "task.run-started" })
		require.NoError(t, json.Unmarshal(f.Data, &news))
		require.Equal(t, made.ID, news.TaskID)
		require.Equal(t, "Morning report", news.Name)
		n.settle(t, news.ConversationID)
		n.begun(t, news.ConversationID, 1)

		var list struct {
			Results []struct {
				ID            uuid.UUID `json:"id"`
				Name          string    `json:"name"`
				IsStreaming   bool      `json:"isStreaming"`
				ProjectLabels []int64   `json:"projectLabels"`
			} `json:"results"`
		}
		anna.do("GET", "/discourse/conversations", nil).into(t, 200, &list)
		require.Equal(t, news.ConversationID, list.Results[0].ID)
		require.Equal(t, "Morning report", list.Results[0].Name)
		require.False(t, list.Results[0].IsStreaming)
		require.Equal(t, []int64{label.ID}, list.Results[0].ProjectLabels)
		answered := false
		for _, m := range anna.get(news.ConversationID).MessageSet {
			require.NotEqual(t, "failed", m.Status)
			answered = answered || m.Role == "assistant" && m.Status == "complete" && m.Text != ""
		}
		require.True(t, answered, "the builtin planner must have answered")

		runs := anna.runs(made)
		require.Len(t, runs, 1)
		require.Equal(t, "complete", runs[0].Status)
		require.Equal(t, news.ConversationID, *runs[0].ConversationID)
		var now task
		anna.do("GET", "/discourse/scheduledtasks/"+made.ID.String(), nil).into(t, 200, &now)
		require.Equal(t, made.NextRunAt, now.NextRunAt)
	})
	t.Run("ErrFailed", func(t *testing.T) {
		s := anna.open()
		s.say(map[string]any{"type": "hello", "cursor": map[string]any{}})
		s.wait(func(f frame) bool { return f.Type == protocol.FrameSessionReady })
		broken := anna.blueprint(map[string]any{
			"name": "Broken", "steps": []map[string]any{{
				"name": "Fail", "detailed_instructions": "seed=1 fault=401",
				"analyst": anna.scriptedAgent(),
			}},
		})
		made := anna.schedule(broken)
		makeDue(t, n.database, made)
		f := s.wait(func(f frame) bool { return f.Type == "task.run-failed" })
		require.Contains(t, string(f.Data), made.ID.String())
		runs := anna.runs(made)
		require.Len(t, runs, 1)
		require.Equal(t, "failed", runs[0].Status)
		require.NotEmpty(t, runs[0].Reason)

		// A disabled task has no next run.
		var off task
		anna.do("PATCH", "/discourse/scheduledtasks/"+made.ID.String(), map[string]any{"isEnabled": false}).into(t, 200, &off)
		require.Nil(t, off.NextRunAt)
	})
}
