package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/api/internal/fakes"
	"parley.dev/parley/domain"
)

const (
	allTasks   = v1 + "/discourse/scheduledtasks"
	oneTask    = allTasks + "/" + fakes.TaskID
	taskStatus = v1 + "/user/me/scheduled-tasks/" + fakes.TaskID + "/status"
)

// taskBody is a task as a person writes it, with some fields of its schedule.
func taskBody(schedule string) string {
	return `{"name":"Report","icebreaker":7,"projectLabels":[3],"schedule":{"type":"cron","timeZone":"Europe/Paris",` + schedule + `}}`
}

// TestRoutes_Tasks contains the rows about scheduled tasks that the API answers by itself or
// with the only task. In this world owner, root and foreigner have the area of scheduled
// tasks, the reader does not.
func TestRoutes_Tasks(t *testing.T) {
	t.Parallel()
	const all, one, status = allTasks, oneTask, taskStatus
	good := taskBody(`"time":"09:30"`)
	rows := []scenario{
		{"OK", "GET", all, "owner", "", 200, []string{
			`"id":"` + fakes.TaskID + `"`, `"icebreaker":7`, `"nextRunAt":"2026-11-23T08:30:00.000Z"`, `"status":"active"`,
			`"projectLabels":[{"id":3,"name":"Sales","color":"teal"}]`, `"owner":{"id":1,"uuid":`, `"count":1`,
			`"schedule":{"type":"cron","frequencyType":"weekly","timeZone":"Europe/Paris","time":"09:30","dayOfWeek":1,"dayOfMonth":null,` +
				`"month":null}`,
			`"abilities":{"edit":true,"enable":true,"archive":false,"delete":true}`,
		}, nil, "Tasks"},
		{"D07", "GET", all + "?filter=name:like:x", "owner", "", 422, []string{`Operation \"like\" currently not supported`}, nil, ""},
		{"unknown status", "GET", all + "?status=gone", "owner", "", 422, []string{`"field":"status"`}, nil, ""},
		{"superuser", "GET", all, "root", "", 200, []string{`"abilities":{"edit":false,"enable":false,"archive":true,"delete":false}`}, nil, ""},
		{"no id at all", "GET", all + "/1", "owner", "", 404, nil, nil, ""},

		// A call with a body is refused before the service is called, by the right of the
		// call.
		{"superuser", "PUT", one, "root", good, 403, []string{`"code":"forbidden"`}, nil, "Relation scheduled task"},
		{"stranger", "PUT", one, "stranger", good, 404, nil, nil, "Relation scheduled task"},
		{"superuser", "PATCH", one, "root", `{"isEnabled":false}`, 403, nil, nil, "Relation scheduled task"},
		{"stranger", "PATCH", status, "stranger", `{"isEnabled":true}`, 404, nil, nil, "Relation scheduled task"},
		{"missing", "PATCH", one, "owner", `{}`, 422, []string{`"field":"isEnabled"`}, nil, ""},

		{"OK", "GET", one + "/runs", "owner", "", 200, []string{
			`"status":"running"`, `"endedAt":null`, `"status":"skipped"`,
			`"conversationId":null`, `"count":2`,
		}, nil, "TaskRuns"},
		{
			"archived", "PATCH", status, "root", `{"status":"archived"}`, 200,
			[]string{`"status":"archived"`, `"nextRunAt":null`},
			nil,
			"SetTaskArchived",
		},
		{"nothing", "PATCH", status, "owner", `{}`, 422, []string{`"field":"status"`}, nil, ""},
		{"both", "PATCH", status, "root", `{"status":"active","isEnabled":true}`, 422, []string{`"field":"status"`}, nil, ""},
		{"unknown", "PATCH", status, "root", `{"status":"deleted"}`, 422, []string{`"field":"status"`}, nil, ""},
		{
			"OK", "POST", all + "/next-runs", "owner", `{"timeZone":"Europe/Paris","time":"9:30 AM"}`, 200,
			[]string{`{"results":["2026-11-23T08:30:00.000Z"]}`},
			nil, "ComingRuns",
		},
		{"OK", "GET", all + "/timezones", "owner", "", 200, []string{
			`{"timezone":"America/New_York","offset":"-04:00"}`, `{"timezone":"Asia/Kolkata","offset":"+05:30"}`,
			`"next":"/api/v1/discourse/scheduledtasks/timezones?page=2"`, `"previous":null`,
		}, nil, "TaskZones"},
		{"last page", "GET", all + "/timezones?page=3", "owner", "", 200, []string{`"next":null`}, nil, "TaskZones"},
		{"link keeps the search", "GET", all + "/timezones?search=america&page=2", "owner", "", 200, []string{`page=3&search=america`}, nil, ""},
	}
	// B14: without the flag every call is refused, whatever it asks for.
	for _, row := range []struct{ method, path, body string }{
		{"POST", all, good},
		{"POST", all + "/next-runs", `{"timeZone":"UTC","time":"09:30"}`},
		{"GET", all, ""},
		{"GET", all + "/timezones", ""},
		{"PUT", one, good},
		{"PATCH", one, `{"isEnabled":true}`},
		{"PATCH", status, `{"status":"archived"}`},
	} {
		rows = append(rows, scenario{"B14", row.method, row.path, "reader", row.body, 403, []string{`"code":"forbidden"`}, nil, ""})
	}
	for _, row := range []struct{ method, path, body string }{
		{"GET", all, ""},
		{"POST", all, good},
		{"GET", all + "/timezones", ""},
		{"POST", all + "/next-runs", `{"timeZone":"UTC","time":"09:30"}`},
		{"GET", one, ""},
		{"PUT", one, good},
		{"PATCH", one, `{"isEnabled":true}`},
		{"DELETE", one, ""},
		{"GET", one + "/runs", ""},
		{"PATCH", status, `{"status":"archived"}`},
	} {
		rows = append(rows, scenario{"nobody", row.method, row.path, "", row.body, 401, []string{`"code":"E401"`}, nil, ""})
	}
	runScenarios(t, rows)
}

// TestRoutes_TasksArguments checks all arguments that the service gets from each call.
func TestRoutes_TasksArguments(t *testing.T) {
	t.Parallel()
	const all, one, status = allTasks, oneTask, taskStatus
	id := uuid.MustParse(fakes.TaskID)
	input := func(change func(*domain.TaskInput)) domain.TaskInput {
		in := domain.TaskInput{
			Name: "Report", BlueprintID: new(int64(7)), ProjectLabels: []int64{3},
			Schedule: domain.ScheduleInput{Type: "cron", TimeZone: "Europe/Paris", Time: "09:30"},
		}
		change(&in)
		return in
	}
	same := func(*domain.TaskInput) {}
	good := taskBody(`"time":"09:30"`)
	list := func(change func(*domain.TaskFilter)) domain.TaskFilter {
		f := domain.TaskFilter{Filters: domain.Filters{}, Page: domain.Page{Number: 1, Size: 10}}
		change(&f)
		return f
	}
	row := func(method, name, call, path, who, body string, status int, asked any) serviceRow {
		return serviceRow{scenario{name, call, path, who, body, status, nil, nil, method}, method, nil, asked}
	}
	runServiceRows(t, []serviceRow{
		row("Tasks", "archived", "GET", all+"?page_size=20&page=2&status=archived&search=x", "owner", "", 200, list(func(f *domain.TaskFilter) {
			f.Archived, f.Search, f.Page = true, "x", domain.Page{Number: 2, Size: 20}
		})),
		row("Tasks", "own and filtered", "GET", all+"?scope=user&filter=name:contains:sales&filter=is_enabled:eq:true", "owner", "", 200,
			list(func(f *domain.TaskFilter) {
				f.Owned = true
				f.Filters = domain.Filters{{Field: "name", Op: "contains", Values: []any{"sales"}}, {Field: "isEnabled", Op: "eq", Values: []any{true}}}
			})),

		row("CreateTask", "OK", "POST", all, "owner", good, 201, input(same)),
		row("CreateTask", "weekly by name", "POST", all, "owner", taskBody(`"time":"2:30 PM","day_of_week":"Sunday","frequencyType":"weekly"`),
			201, input(func(in *domain.TaskInput) {
				in.Schedule.Time, in.Schedule.DayOfWeek, in.Schedule.Frequency = "2:30 PM", new(0), "weekly"
			})),
		row("CreateTask", "annually", "POST", all, "owner", taskBody(`"time":"09:30","dayOfMonth":"29","month":"feb","dayOfWeek":null`), 201,
			input(func(in *domain.TaskInput) {
				in.Schedule.DayOfMonth, in.Schedule.Month = new(29), new(2)
			})),
		row("CreateTask", "D05", "POST", all, "owner", taskBody(`"time":"09:17","dayOfMonth":32,"month":"x"`), 201,
			input(func(in *domain.TaskInput) {
				in.Schedule.Time, in.Schedule.DayOfMonth, in.Schedule.Month = "09:17", new(32), new(-1)
			})),
		row("CreateTask", "B07", "POST", all, "owner",
			strings.Replace(good, `{`, `{"id":"x","owner":4,"nextRunAt":"1999-01-01T00:00:00Z","status":"archived","orgId":2,`, 1), 201,
			input(same)),
		row("CreateTask", "nothing", "POST", all, "owner", `{}`, 201, domain.TaskInput{}),
		row("CreateTask", "nulls", "POST", all, "owner", `{"name":null,"icebreaker":null,"projectLabels":null,"schedule":{"timeZone":null,`+
			`"time":null}}`, 201, domain.TaskInput{}),

		row("Task", "OK", "GET", one, "owner", "", 200, id),
		row("UpdateTask", "OK", "PUT", one, "owner", strings.Replace(good, `{`, `{"version":2,"isEnabled":false,`, 1), 200,
			fakes.TaskChange{ID: id, Input: input(func(in *domain.TaskInput) {
				in.Version, in.IsEnabled = 2, new(false)
			})}),
		row("SetTaskEnabled", "OK", "PATCH", one, "owner", `{"is_enabled":false,"version":3}`, 200, fakes.TaskSwitch{ID: id, Version: 3}),
		row("DeleteTask", "OK", "DELETE", one, "owner", "", 204, id),
		row("TaskRuns", "OK", "GET", one+"/runs?page=2", "owner", "", 200, fakes.PageOf{ID: id, Page: domain.Page{Number: 2, Size: 10}}),

		row("SetTaskArchived", "OK", "PATCH", status, "root", `{"status":"archived"}`, 200, fakes.TaskSwitch{ID: id, On: true}),
		row("SetTaskArchived", "back", "PATCH", status, "root", `{"status":"active"}`, 200, fakes.TaskSwitch{ID: id}),
		row("SetTaskEnabled", "owner switches", "PATCH", status, "owner", `{"enabled":true}`, 200, fakes.TaskSwitch{ID: id, On: true}),

		row("ComingRuns", "OK", "POST", all+"/next-runs", "owner", `{"timeZone":"Europe/Paris","time":"9:30 AM","dayOfWeek":"mon"}`, 200,
			domain.ScheduleInput{
				TimeZone: "Europe/Paris", Time: "9:30 AM", DayOfWeek: new(1),
			}),
		row("TaskZones", "search", "GET", all+"/timezones?search=new%20york", "owner", "", 200,
			fakes.Search{Text: "new york", Page: domain.Page{Number: 1, Size: 25}}),
	})
}

// TestRoutes_TasksRefused checks how the API answers a refusal of the service. Which requests
// the service refuses is tested in domain and, with the whole product, in
// internal/integration.
func TestRoutes_TasksRefused(t *testing.T) {
	t.Parallel()
	const all, one, status = allTasks, oneTask, taskStatus
	good := taskBody(`"time":"09:30"`)
	var wrong domain.Checks
	wrong.Require(false, "name", "Please enter a valid name")
	wrong.Require(false, "schedule.time", "Please select a time")
	forbidden, missing := refusal(domain.CodeForbidden), refusal(domain.CodeNotFound)
	row := func(name, method string, refuse error, call, path, who, body string, status int, has ...string) serviceRow {
		return serviceRow{scenario{name, call, path, who, body, status, has, nil, method}, method, refuse, nil}
	}
	runServiceRows(t, []serviceRow{
		row("all fields at once", "CreateTask", wrong.Err(), "POST", all, "owner", `{}`, 422,
			`{"field":"name","message":"Please enter a valid name"}`, `{"field":"schedule.time","message":"Please select a time"}`),
		row("of others", "Task", missing, "GET", one, "stranger", "", 404, `"code":"D404"`),
		row("B14", "Task", forbidden, "GET", one, "reader", "", 403, `"code":"forbidden"`),
		row("D12", "UpdateTask", refusal(domain.CodeConflict), "PUT", one, "owner", good, 409, `"code":"conflict"`),
		row("field", "UpdateTask", wrong.Err(), "PUT", one, "owner", good, 422, `"field":"name"`),
		row("superuser", "DeleteTask", forbidden, "DELETE", one, "root", "", 403, `"code":"forbidden"`),
		row("of others", "DeleteTask", missing, "DELETE", one, "stranger", "", 404, `"code":"D404"`),
		row("of others", "TaskRuns", missing, "GET", one+"/runs", "stranger", "", 404, `"code":"D404"`),
		row("owner does not archive", "SetTaskArchived", forbidden, "PATCH", status, "owner", `{"status":"archived"}`, 403, `"code":"forbidden"`),
		row("not complete", "ComingRuns", domain.Invalid("time", "Please select a time"), "POST", all+"/next-runs", "owner", `{}`, 422,
			`{"field":"time","message":"Please select a time"}`),
	})
}

// D12: the version may be in the header.
func TestTask_IfMatch(t *testing.T) {
	t.Parallel()
	b := setup(t)
	got := b.call(t, &b.world.Owner, http.MethodPatch, oneTask, `{"isEnabled":false}`, "If-Match", `"2"`)
	require.Equal(t, 200, got.status, got.body)
	require.Equal(t, fakes.TaskSwitch{ID: uuid.MustParse(fakes.TaskID), Version: 2}, b.world.Asked("SetTaskEnabled"))
}
