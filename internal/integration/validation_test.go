package integration_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

const (
	vera = "vera@rules.test"
	veit = "veit@rules.test"
)

// validation tests section 5 of the specification: the response to a call has exactly the
// text of the rule that was broken, and a call with several wrong fields reports all of
// them at once.
func validation(t *testing.T, n *node) {
	t.Helper()
	flags := domain.UserFlags{ScheduledTaskView: true, UploadCredentials: true}
	require.NoError(t, n.store.Samples.Seed(context.Background(),
		persistence.SeedInput{Analysts: []persistence.SeedAnalyst{persistencetest.LoadTest()}, Organisations: []persistence.SeedOrganisation{{
			Name: "Rules",
			People: []persistence.SeedPerson{
				{Email: vera, FullName: "Vera Rules", IsSuperuser: true, Flags: flags},
				{Email: veit, FullName: "Veit Rules"},
			},
		}}}))
	served := *n
	served.url = n.serve(t, api.Limits{UploadsPerHour: -1, SendsPerMinute: -1}, func(c *api.Config) {
		c.Intake = n.newIntake(t, nil, anyTable{})
	})
	p, reader := served.as(t, vera), served.as(t, veit)
	var made source
	p.form("/memory/file/datasources", "orders.csv", []byte("a,b\n1,2\n"), "", "description", "D").into(t, 201, &made)
	conversation := p.create()
	p.share(conversation, reader, "read")
	answered := p.send(conversation, "seed=1 tokens=1 rate=0")
	p.stop(conversation)

	const (
		name, description, all = "Please enter a valid name", "Please enter a valid description", "All fields are required"
		either                 = "At least one of Detailed Instructions, QA Instructions, or Code must be provided."
		steps                  = `"steps":[{"name":"","detailedInstructions":"","qaInstructions":" ","code":""},{"name":"S"},{"name":" ",` +
			`"detailedInstructions":" ","qaInstructions":"","code":" "}]`
	)
	inSteps := map[string]string{
		"name": "Please enter the title.", "steps[0].name": "Please enter step name.",
		"steps[0].detailedInstructions": "Please enter step detailed instructions",
		"steps[0].qaInstructions":       "QA Instructions cannot be empty", "steps[0].code": "Please enter code",
		"steps[1].detailedInstructions": either,
		"steps[2].name":                 "Please enter step name.", "steps[2].detailedInstructions": "Detailed instructions cannot be empty",
		"steps[2].qaInstructions": "Please enter step QA Instructions", "steps[2].code": "Code cannot be empty",
	}
	due := func(kind string) string {
		return `{"name":" ","icebreaker":null,"schedule":{"type":"cron","frequencyType":"` + kind + `"}}`
	}
	always := map[string]string{
		"name": name, "icebreaker": "Please select at least one icebreaker", "schedule.timeZone": "Please select a time zone",
		"schedule.time": "Please select a time",
	}
	and := func(more ...string) map[string]string {
		out := map[string]string{}
		for field, text := range always {
			out[field] = text
		}
		for i := 0; i < len(more); i += 2 {
			out[more[i]] = more[i+1]
		}
		return out
	}
	ofSource := "/memory/datasources/" + strconv.FormatInt(made.ID, 10)
	file := func(fileName, content string) func() answer {
		return func() answer {
			return p.form("/memory/file/datasources", fileName, []byte(content), "", "name", strings.Repeat("x", 81), "description", " ")
		}
	}
	json := func(who *person, method, path, body string) func() answer {
		return func() answer { return who.do(method, path, body) }
	}
	blueprint := place(t, p.do("POST", "/discourse/blueprints", `{"name":"B","inputParameters":"Region","steps":[{"name":"S",`+
		`"code":"SELECT 1"}]}`).body, "id")
	for _, row := range []struct {
		what   string
		ask    func() answer
		status int
		detail string // of the problem document; empty means the message of the first field
		fields map[string]string
	}{
		{"a new blueprint", json(p, "POST", "/discourse/blueprints", `{"name":" ",`+steps+`}`), 422, "Please enter the title.", inSteps},
		{
			"a blueprint", json(p, "PUT", fmt.Sprint("/discourse/blueprints/", blueprint), `{"name":"",`+steps+`}`), 422,
			"Please enter the title.", inSteps,
		},
		{
			"a step", json(p, "POST", "/discourse/steps", `{"name":" ","detailedInstructions":" ","qaInstructions":"","code":" "}`), 422, "",
			map[string]string{
				"name": "Please enter step name.", "detailedInstructions": "Detailed instructions cannot be empty",
				"qaInstructions": "Please enter step QA Instructions", "code": "Code cannot be empty",
			},
		},
		// D09
		{
			"a step with nothing to do", json(p, "POST", "/discourse/steps", `{"name":""}`), 422, "",
			map[string]string{"name": "Please enter step name.", "detailedInstructions": either},
		},
		{
			"an agent", json(p, "POST", "/analyst/analysts", `{"agentName":" ","description":"`+strings.Repeat("x", 5001)+`"}`), 422,
			"Please complete the required fields.",
			map[string]string{
				"name": "Enter agent name", "description": "The text is too long",
			},
		},
		{"a conversation", json(p, "PATCH", "/discourse/conversations/"+conversation.String(), `{"name":" ","description":"`+strings.Repeat("x",
			5001)+`"}`), 422, "", map[string]string{
			"name": "Please enter a name", "description": description,
		}},
		{"a message to a shared conversation", func() answer {
			return reader.do("POST", "/discourse/user-text", reader.prompt(conversation, "hi"))
		}, 403, "You cannot send messages to a shared conversation", nil},
		{
			"feedback", json(p, "PUT", "/discourse/messages/"+answered.Message.ID.String()+"/feedbacks", `{"label":[],"comment":[]}`), 422, "",
			map[string]string{
				"label": "Please select a option or leave a comment",
			},
		},
		{"a program for a connector", file("a.exe", "MZ\x90\x00"), 415, "Error: Unsupported file type. Please upload a valid file format.", nil},
		{"an empty file", file("a.csv", ""), 422, "", map[string]string{
			"file": "Please provide a valid file", "name": name,
			"description": description,
		}},
		{"a name with marks", file("a<b>.csv", "a,b\n1,2\n"), 422, "Please correct the file name before submitting", map[string]string{
			"file": "The name cannot contain special characters", "name": name, "description": description,
		}},
		{"a name of blanks", file("  .csv", "a,b\n1,2\n"), 422, "Please correct the file name before submitting", map[string]string{
			"file": "File name cannot be empty", "name": name, "description": description,
		}},
		{"no file", func() answer {
			return p.form("/memory/file/datasources", "", nil, "", "name", " ", "description", "")
		}, 422, "", map[string]string{
			"file": "Please select a file", "name": name, "description": description,
		}},
		{"no file to look at", func() answer {
			return p.form("/memory/file/info", "", nil, "", "delimiter", "auto")
		}, 422, "", map[string]string{"file": "Please select a file"}},
		{"no other file", func() answer {
			return p.formBy("PUT", ofSource+"/file", "", nil, "", "delimiter", "auto")
		}, 422, "", map[string]string{"file": "File is required"}},
		{
			"a connector", json(p, "PUT", ofSource, `{"name":"","description":"`+strings.Repeat("x", 5001)+`"}`), 422, "",
			map[string]string{"name": name, "description": description},
		},
		{"a project", json(p, "POST", "/discourse/projectlabels", `{}`), 422, "", map[string]string{
			"name": name, "description": description,
			"color": "Please enter a valid color",
		}},
		// D10 of the colour.
		{
			"a project that is too much",
			json(p, "POST", "/discourse/projectlabels", `{"name":"`+strings.Repeat("x", 81)+`","description":"`+strings.Repeat("x",
				501)+`","color":"red;background:url(//x)"}`), 422, "",
			map[string]string{
				"name": name, "description": description, "color": "Please enter a valid color",
			},
		},
		{"a memory", json(p, "POST", "/memory/memories", `{"question":" "}`), 422, "", map[string]string{
			"name": all, "question": all,
			"response": all, "type": all,
		}},
		{"work every day", json(p, "POST", "/discourse/scheduledtasks", due("Daily")), 422, "", and()},
		{
			"work every week", json(p, "POST", "/discourse/scheduledtasks", due("Weekly")), 422, "",
			and("schedule.dayOfWeek", "Please select a day of the week"),
		},
		{
			"work every month", json(p, "POST", "/discourse/scheduledtasks", due("Monthly")), 422, "",
			and("schedule.dayOfMonth", "Please select a day of the month"),
		},
		{
			"work every year", json(p, "POST", "/discourse/scheduledtasks", due("Annually")), 422, "",
			and("schedule.dayOfMonth", "Please select a day of the month", "schedule.month", "Please select a month"),
		},
		{
			"work that asks", json(p, "POST", "/discourse/scheduledtasks",
				fmt.Sprintf(`{"name":"N","icebreaker":%v,"schedule":{"type":"cron","timeZone":"UTC","time":"09:30"}}`, blueprint)), 422, "",
			map[string]string{
				"icebreaker": "Only blueprints needing no user inputs can be scheduled.",
			},
		},
		{"a secret", func() answer {
			return p.form("/memory/secrets", "", nil, "", "name", strings.Repeat("x", 81))
		}, 422, "", map[string]string{"name": name, "file": "Please select a file"}},
		{
			"a filter", json(p, "GET", "/memory/datasources?filter=name:between:a", ""), 422, "",
			map[string]string{"filter": `Operation "between" currently not supported`},
		},
	} {
		t.Run(row.what, func(t *testing.T) {
			got := row.ask()
			refused := got.refused(t, row.status)
			said := map[string]string{}
			for _, e := range refused.Errors {
				require.Empty(t, said[e.Field], "a field must have one message")
				said[e.Field] = e.Message
			}
			if row.fields == nil {
				row.fields = map[string]string{}
			}
			require.Equal(t, row.fields, said)
			if row.detail != "" {
				require.Equal(t, row.detail, refused.Detail)
			} else {
				require.Equal(t, refused.Errors[0].Message, refused.Detail)
			}
		})
	}
}

// lockedLog is a log that can be read while servers write to it.
type lockedLog struct {
	// mu guards written.
	mu      sync.Mutex
	written bytes.Buffer
}

func (l *lockedLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.written.Write(b)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.written.String()
}

// attackE15 stores a private key and searches for it in every response, in the log, and in
// every row of every table, as plain text and in the hexadecimal form of a dump.
func attackE15(t *testing.T, n *node) {
	t.Helper()
	const (
		sue    = "sue@acme.test"
		canary = "canary-of-a-private-key"
	)
	db := connectAsEngine(t, n)
	insertPerson(t, db, sue)
	log := &lockedLog{}
	served := *n
	served.url = n.serve(t, api.Limits{UploadsPerHour: -1}, func(c *api.Config) {
		c.Logger = slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	p := served.as(t, sue)
	content := []byte(`{"private_key":"` + canary + `"}`)
	answers := []answer{
		p.form("/memory/secrets", "key.json", content, "", "name", "Warehouse"),
		p.form("/memory/secrets", canary+".pem", content, "", "name", strings.Repeat("x", 81)),
		p.form("/memory/secrets", "key.json", append(bytes.Repeat([]byte("x"), 65<<10), content...), "", "name", "N"),
		p.form("/memory/file/info", "key.csv", content, ""),
	}
	require.Equal(t, 201, answers[0].status, "%s", answers[0].body)
	require.Equal(t, 422, answers[1].status)
	require.Equal(t, 422, answers[2].status)
	for _, call := range published(t) {
		if path, ok := strings.CutPrefix(call, "GET "); ok && !strings.Contains(path, "{") {
			answers = append(answers, p.do("GET", path, nil))
		}
	}
	id := fmt.Sprint(place(t, answers[0].body, "id"))
	for _, path := range []string{"/memory/secrets/" + id, "/memory/datasources/" + id + "/file"} {
		got := p.do("GET", path, nil)
		require.GreaterOrEqual(t, got.status, 400, path)
		answers = append(answers, got)
	}
	for _, a := range answers {
		require.NotContains(t, string(a.body), canary)
		require.NotContains(t, fmt.Sprint(a.header), canary)
	}
	require.Contains(t, log.String(), "/memory/secrets")
	require.NotContains(t, log.String(), canary)
	inNoFile(t, n.dir, canary)
	inNoTable(t, db, canary)
	var sealed []byte
	require.NoError(t, db.QueryRow(t.Context(), "SELECT body FROM credential WHERE id::text = $1", id).Scan(&sealed))
	require.Greater(t, len(sealed), len(content), "the key must be stored, encrypted")
}

// inNoFile checks that a text is in no file of a folder. Files that other tests delete meanwhile are passed over.
func inNoFile(t *testing.T, dir, canary string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return ignoreGone(err)
		}
		content, err := os.ReadFile(path)
		if err == nil {
			require.NotContains(t, string(content), canary, path)
		}
		return ignoreGone(err)
	}))
}

func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// inNoTable checks that a text is in no row of any table, neither as plain text nor in the
// hexadecimal form of a dump.
func inNoTable(t *testing.T, db *pgx.Conn, canary string) {
	t.Helper()
	rows, err := db.Query(t.Context(), `SELECT c.relname::text FROM pg_class c
		WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace AND has_table_privilege(c.oid, 'SELECT')`)
	require.NoError(t, err)
	var tables []string
	for rows.Next() {
		var table string
		require.NoError(t, rows.Scan(&table))
		tables = append(tables, table)
	}
	require.NoError(t, rows.Err())
	require.Greater(t, len(tables), 40)
	require.Contains(t, tables, "credential")
	for _, table := range tables {
		var found int
		require.NoError(t, db.QueryRow(t.Context(), "SELECT count(*) FROM "+table+" x WHERE x::text LIKE '%' || $1 || '%' OR x::text LIKE '%' "+
			"|| $2 || '%'",
			canary, fmt.Sprintf("%x", canary)).Scan(&found), table)
		require.Zero(t, found, table)
	}
}
