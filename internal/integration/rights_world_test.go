package integration_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/fakes"
	"parley.dev/parley/persistence"
)

// actor is somebody by what they are to the object of a call.
type actor int

// The columns of the table of rights. All but the two outsiders are of the
// organisation that the objects are of, and all have every flag.
const (
	anonymous actor = iota
	owner
	colleague // of the same organisation, with no share
	viewer    // with a share for reading
	writer    // with a share for writing, of what can be shared so
	byTeam    // reads as a member of a team
	former    // was a member of that team
	revoked   // had a share for reading
	outsider  // of another organisation
	superuser
	foreignSuperuser // of another organisation
	disabled         // is a member of the team, too
	actorCount       // how many there are
)

// String is the name of the actor, and the part of their address before the @.
func (a actor) String() string {
	return [...]string{
		"anonymous", "owner", "colleague", "viewer", "writer", "byTeam", "former", "revoked", "outsider", "superuser", "foreignSuperuser",
		"disabled",
	}[a]
}

// foreign reports whether the actor is of the other organisation.
func (a actor) foreign() bool { return a == outsider || a == foreignSuperuser }

// Every name of one organisation has its word in it, so that an answer to the
// other can be searched for it.
const (
	ourWord   = "Kestrel"
	theirWord = "Pelican"
)

func (a actor) word() string {
	if a.foreign() {
		return theirWord
	}
	return ourWord
}

// secret is the word that must not stand in what the actor gets.
func (a actor) secret() string {
	if a.foreign() {
		return ourWord
	}
	return theirWord
}

func (a actor) email() string { return strings.ToLower(a.String() + "@" + a.word() + ".test") }

// world is a node with the two organisations of the table of rights.
type world struct {
	*node
	db *pgxpool.Pool
	// people are ids of persons, team the id of the one that things are shared with.
	people map[actor]int64
	uuids  map[actor]string
	team   int64
	// words are what stands in bodies for each organisation, by the place's name.
	words map[bool]map[string]string
	// talk is a conversation of the owner with an answer and a table, to be copied.
	talk string
	// turns is held by the test that tries an object which tests share.
	turns sync.Mutex
}

// object is what a call is about.
type object struct {
	// places are what stands in paths and bodies, such as <id>.
	places map[string]string
	// watch are paths that keeper reads to see whether anything changed.
	watch  []string
	keeper actor
}

// newWorld seeds the two organisations and makes what all rows share.
func newWorld(t *testing.T, n *node) *world {
	t.Helper()
	w := &world{
		node: &node{store: n.store, engine: n.engine, files: n.files, database: n.database}, people: map[actor]int64{},
		uuids: map[actor]string{},
	}
	w.url = n.serve(t, api.Limits{SendsPerMinute: -1, UploadsPerHour: -1, SocketsPerUser: -1, SocketsPerAddress: -1}, func(c *api.Config) {
		c.Intake = n.takesIn(t, nil, anyTable{})
		c.Warehouses = fakes.Warehouses{}
	})
	flags := domain.UserFlags{ScheduledTaskView: true, UploadCredentials: true}
	seed := persistence.SeedInput{LoadTest: true, Organisations: []persistence.SeedOrganisation{
		{Name: ourWord + " Works"},
		{Name: theirWord + " Works"},
	}}
	for a := owner; a < actorCount; a++ {
		o := &seed.Organisations[0]
		if a.foreign() {
			o = &seed.Organisations[1]
		}
		o.People = append(o.People, persistence.SeedPerson{
			Email: a.email(), FullName: a.word() + " " + a.String(), IsSuperuser: a == superuser || a == foreignSuperuser, Flags: flags,
		})
	}
	seed.Organisations[0].Teams = []persistence.SeedTeam{{Name: ourWord + " crew", Members: []string{
		byTeam.email(), former.email(),
		disabled.email(),
	}}}
	seed.Organisations[1].Teams = []persistence.SeedTeam{{Name: theirWord + " crew", Members: []string{outsider.email()}}}
	for i := range seed.Organisations {
		o := &seed.Organisations[i]
		word := strings.Fields(o.Name)[0]
		o.Blueprints = []persistence.SeedBlueprint{{
			Seed: "library", Name: word + " library", Categories: []string{word + " category"}, InitialMessage: "seed=1 tokens=1 rate=0",
			Steps: []domain.StepDraft{{Name: word + " step", Code: pointer("SELECT 1")}},
		}}
		o.Memories = []persistence.SeedMemory{{Seed: "memory", Name: word + " memory", Question: word, Response: word, Type: "Definition"}}
	}
	require.NoError(t, n.store.Samples.Seed(t.Context(), seed))
	for a := owner; a < actorCount; a++ {
		u, err := n.store.Users.UserByEmail(t.Context(), a.email())
		require.NoError(t, err)
		w.people[a], w.uuids[a] = u.ID, u.UUID.String()
	}
	config, err := pgxpool.ParseConfig(n.database)
	require.NoError(t, err)
	config.AfterConnect = func(ctx context.Context, c *pgx.Conn) error {
		_, err := c.Exec(ctx, "SET ROLE parley_engine")
		return err
	}
	w.db, err = pgxpool.NewWithConfig(context.Background(), config)
	require.NoError(t, err)
	t.Cleanup(w.db.Close)
	require.NoError(t, w.db.QueryRow(t.Context(), "SELECT id FROM team WHERE name = $1", ourWord+" crew").Scan(&w.team))
	w.words = map[bool]map[string]string{false: w.wordsOf(t, superuser, colleague), true: w.wordsOf(t, foreignSuperuser, outsider)}
	w.talk = w.converse(t)
	w.end(t)
	return w
}

func pointer[T any](v T) *T { return &v }

// wordsOf are what bodies need of an organisation.
func (w *world) wordsOf(t *testing.T, super, member actor) map[string]string {
	t.Helper()
	first := func(path, with string) string {
		var list struct {
			Results []map[string]any `json:"results"`
		}
		w.get(t, super, path, &list)
		for _, r := range list.Results {
			for _, name := range []string{"name", "model"} {
				if text, ok := r[name].(string); ok && strings.Contains(text, with) {
					return fmt.Sprint(int64(r["id"].(float64)))
				}
			}
		}
		require.Fail(t, "nothing there", "%s %s", path, with)
		return ""
	}
	return map[string]string{
		"<name>": super.word() + " new", "<agent>": first("/analyst/analysts", "scripted"),
		"<prism>": first("/analyst/analysts", domain.DefaultAnalystName),
		"<type>":  first("/memory/memorytypes", "Definition"), "<library>": first("/discourse/blueprints?library_scope=library", super.word()),
		"<someone>": fmt.Sprint(w.people[member]),
	}
}

// end takes one out of the team and disables another, after both could read.
func (w *world) end(t *testing.T) {
	t.Helper()
	w.share(t, "/discourse/conversations/"+w.talk, domain.PermissionRead)
	for _, a := range []actor{former, disabled, byTeam, viewer} {
		require.Equal(t, 200, w.call(t, a, http.MethodGet, "/discourse/conversations/"+w.talk, "").status, a)
	}
	_, err := w.db.Exec(t.Context(), "DELETE FROM team_member WHERE team_id = $1 AND user_id = $2", w.team, w.people[former])
	require.NoError(t, err)
	_, err = w.db.Exec(t.Context(), "UPDATE app_user SET is_disabled = true WHERE id = $1", w.people[disabled])
	require.NoError(t, err)
	// G14: the disabled one is out within 5 s.
	require.Eventually(t, func() bool {
		return w.call(t, disabled, http.MethodGet, "/discourse/conversations/"+w.talk, "").status == 401
	}, patience, patience/100)
	require.Equal(t, 404, w.call(t, former, http.MethodGet, "/discourse/conversations/"+w.talk, "").status)
}

// call sends what one actor asks for. A body is JSON.
func (w *world) call(t *testing.T, a actor, method, path, body string) answer {
	t.Helper()
	return w.ask(t, a, method, path, strings.NewReader(body), "application/json", manner{})
}

// manner is what is unusual of a request.
type manner struct {
	// endless: of an answer that does not end, the head is read.
	endless bool
	// session names a sign-in of its own; empty for the one that all calls have.
	session string
}

// ask sends a request with a body of any kind.
func (w *world) ask(t *testing.T, a actor, method, path string, body io.Reader, kind string, how manner) answer {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, w.url+v1+path, body)
	require.NoError(t, err)
	if a != anonymous {
		r.Header.Set("Authorization", "Bearer "+a.email()+how.session)
	}
	if method != http.MethodGet && method != http.MethodDelete {
		r.Header.Set("Content-Type", kind)
	}
	if how.endless {
		r.Header.Set("Accept", "text/event-stream")
	}
	response, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	got := answer{status: response.StatusCode, header: response.Header}
	if how.endless && got.status == http.StatusOK {
		return got
	}
	got.body, err = io.ReadAll(response.Body)
	require.NoError(t, err)
	return got
}

// get reads what an actor may read.
func (w *world) get(t *testing.T, a actor, path string, into any) {
	t.Helper()
	w.call(t, a, http.MethodGet, path, "").into(t, 200, into)
}

// make creates something and gives it.
func (w *world) make(t *testing.T, a actor, path, body string) map[string]any {
	t.Helper()
	var made map[string]any
	w.call(t, a, http.MethodPost, path, fill(body, w.words[a.foreign()])).into(t, 201, &made)
	return made
}

// fill puts words into their places. <mark> is another word each time.
func fill(text string, places ...map[string]string) string {
	for _, words := range places {
		for place, word := range words {
			text = strings.ReplaceAll(text, place, word)
		}
	}
	return strings.ReplaceAll(text, "<mark>", domain.NewID().String())
}

// id is the id of what was made.
func id(made map[string]any) string {
	if n, ok := made["id"].(float64); ok {
		return fmt.Sprint(int64(n))
	}
	return fmt.Sprint(made["id"])
}

// share gives the rights that the columns are named by, and takes the revoked
// ones away again. What a writer can be given is best, or the refusal is checked.
func (w *world) share(t *testing.T, path string, best domain.Permission, keeper ...actor) {
	t.Helper()
	by := owner
	for _, by = range keeper {
	}
	put := func(status int, users map[actor]string, team string) {
		t.Helper()
		var body struct {
			Users []map[string]any `json:"users,omitempty"`
			Teams []map[string]any `json:"teams,omitempty"`
		}
		for a, permission := range users {
			body.Users = append(body.Users, map[string]any{"id": w.people[a], "permission": permission})
		}
		if team != "" {
			body.Teams = []map[string]any{{"id": w.team, "permission": team}}
		}
		raw, err := json.Marshal(body)
		require.NoError(t, err)
		w.call(t, by, http.MethodPut, path+"/actors", string(raw)).into(t, status, nil)
	}
	if best == domain.PermissionWrite {
		put(200, map[actor]string{viewer: "read", revoked: "write", writer: "write"}, "read")
	} else {
		put(422, map[actor]string{viewer: "read", writer: "write"}, "read")
		put(200, map[actor]string{viewer: "read", revoked: "read"}, "read")
	}
	put(200, map[actor]string{revoked: "remove"}, "")
}

// state is all that the keeper of an object reads of it.
func (w *world) state(t *testing.T, o *object) string {
	t.Helper()
	var all strings.Builder
	for _, path := range o.watch {
		got := w.call(t, o.keeper, http.MethodGet, fill(path, o.places), "")
		require.Equal(t, 200, got.status, "%s: %s", path, got.body)
		all.Write(got.body)
	}
	return all.String()
}

// anyTable takes every file for a table of one column.
type anyTable struct{}

func (anyTable) Type() domain.DataSourceType { return domain.DataSourceCSV }

func (anyTable) Inspect(_ context.Context, _, fileName string, _ domain.FileOptions) (*domain.FileInfo, error) {
	return &domain.FileInfo{
		Type: domain.DataSourceCSV, Name: fileName, Description: "A table",
		Resources: []domain.DataResource{{Name: "t", Table: "t", Rows: 1, Columns: []domain.Column{{Name: "a", Type: domain.ColumnInteger}}}},
	}, nil
}

func (c anyTable) Prepare(ctx context.Context, path, fileName, workPath string, o domain.FileOptions) (*domain.FileInfo, error) {
	if err := os.WriteFile(workPath, []byte("prepared"), 0o600); err != nil {
		return nil, err
	}
	return c.Inspect(ctx, path, fileName, o)
}

// upload sends a form with a file, unless the fields name one that is there.
func (w *world) upload(t *testing.T, a actor, method, path string, fields ...string) answer {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	file := true
	for i := 0; i+1 < len(fields); i += 2 {
		require.NoError(t, form.WriteField(fields[i], fields[i+1]))
		file = file && fields[i] != "display_object_id"
	}
	if file {
		part, err := form.CreateFormFile("file", "table.csv")
		require.NoError(t, err)
		_, err = io.WriteString(part, "a,b\n1,2\n")
		require.NoError(t, err)
	}
	require.NoError(t, form.Close())
	return w.ask(t, a, method, path, &body, form.FormDataContentType(), manner{})
}

// source makes a data source.
func (w *world) source(t *testing.T, a actor, fields ...string) map[string]any {
	t.Helper()
	var made map[string]any
	fields = append([]string{"name", a.word() + " orders", "description", a.word() + " of the year"}, fields...)
	w.upload(t, a, http.MethodPost, "/memory/file/datasources", fields...).into(t, 201, &made)
	return made
}

// converse lets the owner ask a question that is answered with a table.
func (w *world) converse(t *testing.T) string {
	t.Helper()
	made := w.make(t, owner, "/discourse/conversations", `{"name":"<name> talk","description":"<name>"}`)
	body := fill(`{"conversationId":"<id>","dataSources":[<source>],"message":{"text":"seed=1 tokens=3 rate=0 query=\"SELECT 1\"",`+
		`"analystId":<agent>}}`,
		map[string]string{"<id>": id(made), "<source>": id(w.source(t, owner))}, w.words[false])
	w.call(t, owner, http.MethodPost, "/discourse/user-text", body).into(t, 200, nil)
	conversation, err := uuid.Parse(id(made))
	require.NoError(t, err)
	w.settle(t, conversation)
	return id(made)
}

// with adds places to an object.
func (o *object) with(places map[string]string) *object {
	maps.Copy(o.places, places)
	return o
}
