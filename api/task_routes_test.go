package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRoutes_Tasks has the rows of scheduled tasks. In this world owner, root and
// foreigner have the area of scheduled tasks, the reader does not.
func TestRoutes_Tasks(t *testing.T) {
	t.Parallel()
	const all = v1 + "/discourse/scheduledtasks"
	const one = all + "/01920000-0000-7000-8000-0000000000aa"
	const status = v1 + "/user/me/scheduled-tasks/01920000-0000-7000-8000-0000000000aa/status"
	body := func(schedule string) string {
		return `{"name":"Report","icebreaker":7,"projectLabels":[3],"schedule":{"type":"cron","timeZone":"Europe/Paris",` + schedule + `}}`
	}
	good := body(`"time":"09:30"`)
	rows := []scenario{
		{"OK", "GET", all, "owner", "", 200, []string{
			`"id":"01920000-0000-7000-8000-0000000000aa"`, `"icebreaker":7`, `"nextRunAt":"2026-11-23T08:30:00.000Z"`, `"status":"active"`,
			`"projectLabels":[{"id":3,"name":"Sales","color":"teal"}]`, `"owner":{"id":1,"uuid":`, `"count":1`,
			`"schedule":{"type":"cron","frequencyType":"weekly","timeZone":"Europe/Paris","time":"09:30","dayOfWeek":1,"dayOfMonth":null,"month":null}`,
			`"abilities":{"edit":true,"enable":true,"archive":false,"delete":true}`,
		}, nil, "Tasks"},
		{"archived", "GET", all + "?page_size=10&page=1&status=archived", "owner", "", 200, nil, nil, "Tasks archived"},
		{"own and filtered", "GET", all + "?scope=user&filter=name:contains:sales&filter=is_enabled:eq:true", "owner", "", 200, nil, nil, "Tasks owned name isEnabled"},
		{"D07", "GET", all + "?filter=name:like:x", "owner", "", 422, []string{`Operation \"like\" currently not supported`}, nil, ""},
		{"unknown status", "GET", all + "?status=gone", "owner", "", 422, []string{`"field":"status"`}, nil, ""},
		{"none of others", "GET", all, "foreigner", "", 200, []string{`"results":[]`, `"count":0`}, nil, ""},
		{"superuser", "GET", all, "root", "", 200, []string{`"abilities":{"edit":false,"enable":false,"archive":true,"delete":false}`}, nil, ""},

		{"OK", "POST", all, "owner", good, 201, []string{`"name":"Report"`, `"frequencyType":"daily"`, `"isEnabled":true`, `"version":1`}, nil, "CreateTask"},
		{"weekly by name", "POST", all, "owner", body(`"time":"2:30 PM","day_of_week":"Sunday"`), 201, []string{`"frequencyType":"weekly"`, `"dayOfWeek":0`, `"time":"14:30"`}, nil, ""},
		{"annually", "POST", all, "owner", body(`"time":"00:00","dayOfMonth":"29","month":"feb","dayOfWeek":null`), 201, []string{`"frequencyType":"annually"`, `"dayOfMonth":29,"month":2`}, nil, ""},
		{"B07", "POST", all, "owner", strings.Replace(good, `{`, `{"id":"x","owner":4,"isEnabled":false,"nextRunAt":"1999-01-01T00:00:00Z","status":"archived","orgId":2,`, 1), 201, []string{`"isEnabled":true`, `"owner":{"id":1`}, []string{"1999"}, ""},
		{"ErrEverything", "POST", all, "owner", `{}`, 422, []string{
			`{"field":"name","message":"Please enter a valid name"}`, `{"field":"icebreaker","message":"Please select at least one icebreaker"}`,
			`{"field":"schedule.timeZone","message":"Please select a time zone"}`, `{"field":"schedule.time","message":"Please select a time"}`,
		}, nil, ""},
		{"ErrNulls", "POST", all, "owner", `{"name":null,"icebreaker":null,"projectLabels":null,"schedule":{"timeZone":null,"time":null,"month":"x"}}`, 422, []string{
			`"field":"name"`, `"field":"icebreaker"`, `"field":"schedule.timeZone"`, `"field":"schedule.time"`,
			`{"field":"schedule.dayOfMonth","message":"Please select a day of the month"}`, `{"field":"schedule.month","message":"Please select a month"}`,
		}, nil, ""},
		{"ErrDayOfWeek", "POST", all, "owner", body(`"time":"09:30","frequencyType":"weekly"`), 422, []string{`{"field":"schedule.dayOfWeek","message":"Please select a day of the week"}`}, nil, ""},
		{"D05 zone", "POST", all, "owner", strings.Replace(good, "Europe/Paris", "../../etc/passwd", 1), 422, []string{`"field":"schedule.timeZone"`}, nil, ""},
		{"D05 day 0", "POST", all, "owner", body(`"time":"09:30","dayOfMonth":0`), 422, []string{`"field":"schedule.dayOfMonth"`}, nil, ""},
		{"D05 day 32", "POST", all, "owner", body(`"time":"09:30","dayOfMonth":32`), 422, []string{`"field":"schedule.dayOfMonth"`}, nil, ""},
		{"D05 time", "POST", all, "owner", body(`"time":"09:17"`), 422, []string{`"field":"schedule.time"`}, nil, ""},
		{"D05 month 13", "POST", all, "owner", body(`"time":"09:30","dayOfMonth":1,"month":13`), 422, []string{`"field":"schedule.month"`}, nil, ""},
		{"D05 type", "POST", all, "owner", strings.Replace(good, "cron", "rate", 1), 422, []string{`"field":"schedule.type"`}, nil, ""},
		{"name too long", "POST", all, "owner", strings.Replace(good, "Report", strings.Repeat("x", 101), 1), 422, []string{`{"field":"name","message":"Please enter a valid name"}`}, nil, ""},

		{"OK", "GET", one, "owner", "", 200, []string{`"version":3`}, nil, "Task"},
		{"stranger", "GET", one, "stranger", "", 404, []string{`"code":"D404"`}, []string{"sales"}, ""},
		{"foreigner", "GET", one, "foreigner", "", 404, nil, nil, ""},
		{"no id at all", "GET", all + "/1", "owner", "", 404, nil, nil, ""},
		{"OK", "PUT", one, "owner", good, 200, []string{`"name":"Report"`, `"version":4`, `"isEnabled":true`}, nil, "UpdateTask"},
		{"D12", "PUT", one, "owner", strings.Replace(good, `{`, `{"version":2,`, 1), 409, []string{`"code":"conflict"`}, nil, ""},
		{"ErrIcebreaker", "PUT", one, "owner", strings.Replace(good, `"icebreaker":7,`, "", 1), 422, []string{`{"field":"icebreaker","message":"Please select at least one icebreaker"}`}, nil, ""},
		{"superuser", "PUT", one, "root", good, 403, []string{`"code":"forbidden"`}, nil, ""},
		{"stranger", "PUT", one, "stranger", good, 404, nil, nil, ""},
		{"OK", "PATCH", one, "owner", `{"is_enabled":false}`, 200, []string{`"isEnabled":false`, `"nextRunAt":null`}, nil, "SetTaskEnabled"},
		{"missing", "PATCH", one, "owner", `{}`, 422, []string{`"field":"isEnabled"`}, nil, ""},
		{"superuser", "PATCH", one, "root", `{"isEnabled":false}`, 403, nil, nil, ""},
		{"OK", "DELETE", one, "owner", "", 204, nil, nil, "DeleteTask"},
		{"superuser", "DELETE", one, "root", "", 403, nil, nil, ""},
		{"stranger", "DELETE", one, "stranger", "", 404, nil, nil, ""},
		{"OK", "GET", one + "/runs", "owner", "", 200, []string{`"status":"running"`, `"endedAt":null`, `"status":"skipped"`, `"conversationId":null`, `"count":2`}, nil, "TaskRuns"},
		{"stranger", "GET", one + "/runs", "stranger", "", 404, nil, nil, ""},

		{"OK", "PATCH", status, "root", `{"status":"archived"}`, 200, []string{`"status":"archived"`, `"nextRunAt":null`}, nil, "SetTaskArchived"},
		{"back", "PATCH", status, "root", `{"status":"active"}`, 200, []string{`"status":"active"`, `"nextRunAt":"2026`}, nil, ""},
		{"owner does not archive", "PATCH", status, "owner", `{"status":"archived"}`, 403, nil, nil, ""},
		{"owner switches", "PATCH", status, "owner", `{"enabled":true}`, 200, []string{`"nextRunAt":"2026`}, nil, "SetTaskEnabled"},
		{"stranger", "PATCH", status, "stranger", `{"isEnabled":true}`, 404, nil, nil, ""},
		{"nothing", "PATCH", status, "owner", `{}`, 422, []string{`"field":"status"`}, nil, ""},
		{"both", "PATCH", status, "root", `{"status":"active","isEnabled":true}`, 422, []string{`"field":"status"`}, nil, ""},
		{"unknown", "PATCH", status, "root", `{"status":"deleted"}`, 422, []string{`"field":"status"`}, nil, ""},

		{"OK", "POST", all + "/next-runs", "owner", `{"timeZone":"Europe/Paris","time":"9:30 AM","dayOfWeek":"mon"}`, 200, []string{`{"results":["`}, nil, "ComingRuns"},
		{"not complete", "POST", all + "/next-runs", "owner", `{"frequencyType":"weekly","timeZone":"Europe/Paris"}`, 422, []string{
			`{"field":"time","message":"Please select a time"}`, `{"field":"dayOfWeek","message":"Please select a day of the week"}`,
		}, nil, ""},

		{"OK", "GET", all + "/timezones", "owner", "", 200, []string{`{"timezone":"Africa/Abidjan","offset":"+00:00"}`, `"next":"/api/v1/discourse/scheduledtasks/timezones?page=2"`, `"previous":null`}, []string{"Africa/Tunis"}, "TaskZones"},
		{"search", "GET", all + "/timezones?search=new%20york", "owner", "", 200, []string{`"results":[{"timezone":"America/New_York","offset":"-04:00"}]`, `"next":null`}, nil, ""},
		{"link keeps the search", "GET", all + "/timezones?search=america&page=2", "owner", "", 200, []string{`page=3&search=america`}, nil, ""},
		{"half an hour", "GET", all + "/timezones?search=kolkata", "owner", "", 200, []string{`"offset":"+05:30"`}, nil, ""},
	}
	// B14: without the flag every call is refused, whatever is asked for.
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
		rows = append(rows,
			scenario{"B14", row.method, row.path, "reader", row.body, 403, []string{`"code":"forbidden"`}, nil, ""},
			scenario{"nobody", row.method, row.path, "", row.body, 401, []string{`"code":"E401"`}, nil, ""})
	}
	runScenarios(t, rows)
}

// D12: the version may stand in the header.
func TestTask_IfMatch(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const one = v1 + "/discourse/scheduledtasks/01920000-0000-7000-8000-0000000000aa"
	got := b.call(t, &b.world.Owner, http.MethodPatch, one, `{"isEnabled":false}`, "If-Match", `"2"`)
	require.Equal(t, 409, got.status, got.body)
	got = b.call(t, &b.world.Owner, http.MethodPatch, one, `{"isEnabled":false}`, "If-Match", `"3"`)
	require.Equal(t, 200, got.status, got.body)
}
