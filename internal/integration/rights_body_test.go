package integration_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/api/wire"
)

// foreignBodies is B07, for every body in the table of rights: fields of a body that set the
// owner, the organisation or values that only the server may decide are not stored.
func foreignBodies(t *testing.T, w *world) {
	t.Helper()
	// A disabled person cannot create anything, so a row of theirs must be forged.
	victim := w.people[disabled]
	var organisation int64
	require.NoError(t, w.db.QueryRow(t.Context(), "SELECT org_id FROM app_user WHERE id = $1", w.people[outsider]).Scan(&organisation))
	const (
		number = 987654321
		long   = "1999-01-01T00:00:00Z"
	)
	person := map[string]any{"id": victim, "uuid": w.uuids[disabled], "fullName": "Forged"}
	tried := 0
	for _, r := range rights() {
		if !strings.HasPrefix(r.send, "{") {
			continue
		}
		by := anonymous
		for a := actorCount - 1; a > anonymous; a-- {
			if r.may[a] < 400 {
				by = a
			}
		}
		if by == anonymous {
			continue // nobody may make the call
		}
		tried++
		for spelling, forged := range map[string]map[string]any{
			"camel": {
				"owner": person, "ownerId": victim, "user": person, "userId": victim, "createdBy": victim, "orgId": organisation,
				"organization":   organisation,
				"organisationId": organisation, "id": number, "uuid": uuid.NewString(), "credits": number, "isLibrary": true, "isDefault": true,
				"permission":  "owner",
				"isSuperuser": true, "createdAt": long, "updatedAt": long, "nextRunAt": long, "source": "sample", "seed": "library", "deletedAt": nil,
				"epoch": number,
				"seq":   number, "generation": number, "abilities": map[string]any{"delete": true}, "fileKey": "samples/orders.csv",
				"workKey": "samples/orders.duckdb",
			},
			"snake": {
				"owner_id": victim, "user_id": victim, "author_id": victim, "created_by": victim, "org_id": organisation,
				"organisation_id": organisation,
				"is_library":      true, "is_default": true, "is_superuser": true, "created_at": long, "updated_at": long, "next_run_at": long,
				"deleted_at": long,
				"next_seq":   number, "access_version": number, "file_key": "samples/orders.csv", "work_key": "samples/orders.duckdb",
				"scope": "organization",
			},
		} {
			t.Run(strings.TrimSpace(r.call+" "+r.when)+" "+spelling, func(t *testing.T) {
				t.Parallel()
				o := &object{}
				if r.on != nil {
					o = r.on(t, w)
				}
				var body map[string]any
				require.NoError(t, json.Unmarshal([]byte(fill(r.send, o.places, w.words[by.foreign()])), &body))
				// A field that the row sends is not forged, in whichever spelling the row has it: two spellings of
				// one field are refused.
				sent := map[string]bool{}
				for name := range body {
					sent[wire.Camel(name)] = true
				}
				for name, value := range forged {
					if !sent[wire.Camel(name)] {
						body[name] = value
					}
				}
				raw, err := json.Marshal(body)
				require.NoError(t, err)
				got := w.call(t, by, r.method(), fill(strings.ReplaceAll(r.path(), "{id}", "<id>"), o.places), string(raw))
				if r.call == "PUT /memory/datasources/{id}" && r.when != ofEverybody && spelling == "snake" {
					require.Equal(t, "scope", got.refused(t, 422).Errors[0].Field)
					return
				}
				require.Equal(t, r.may[by], got.status, "%s", got.body)
				for _, forged := range []string{"1999-01", "Forged", fmt.Sprint(number), w.uuids[disabled], `"isLibrary":true`, "samples/"} {
					if forged != `"isLibrary":true` || !strings.Contains(r.when, "library") {
						require.NotContains(t, string(got.body), forged)
					}
				}
			})
		}
	}
	require.Greater(t, tried, 35)
}

// nothingForged checks, after foreignBodies, that no table has a forged value.
func nothingForged(t *testing.T, w *world) {
	t.Helper()
	rows, err := w.db.Query(t.Context(), `SELECT c.relname::text, a.attname::text, format_type(a.atttypid, NULL)
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
		WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> 'goose_db_version'`)
	require.NoError(t, err)
	columns, err := pgx.CollectRows(rows, pgx.RowToStructByPos[struct{ Table, Column, Type string }])
	require.NoError(t, err)
	looked := 0
	for _, c := range columns {
		where := ""
		switch {
		case strings.HasPrefix(c.Type, "timestamp"):
			where = c.Column + " < '2000-01-01'"
		case c.Column == "owner_id" || c.Column == "author_id":
			where = c.Column + fmt.Sprintf(" = %d", w.people[disabled])
		case c.Column == "id" && c.Type == "bigint", c.Column == "credits", c.Column == "epoch", c.Column == "generation", c.Column == "seq":
			where = c.Column + " = 987654321"
		case c.Column == "file_key", c.Column == "work_key":
			where = c.Column + " LIKE 'samples/%' AND org_id IN (SELECT org_id FROM app_user WHERE email = 'owner@kestrel.test')"
		default:
			continue
		}
		looked++
		var n int
		require.NoError(t, w.db.QueryRow(t.Context(), "SELECT count(*) FROM "+c.Table+" WHERE "+where).Scan(&n), "%s %s", c.Table, where)
		require.Zero(t, n, "%s.%s", c.Table, c.Column)
	}
	require.Greater(t, looked, 60)
}
