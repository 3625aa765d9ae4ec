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
	"parley.dev/parley/persistence/persistencetest"
)

// actor is a person, named by their relation to the object of a call.
type actor int

// The columns of the table of rights. All but outsider and foreignSuperuser are of the
// organisation of the objects, and all have every flag.
const (
	anonymous actor = iota
	owner
	colleague // of the same organisation, with no share
	viewer    // with a share for reading
	writer    // with a share for writing, if the object can be shared for writing
	byTeam    // reads as a member of a team
	former    // was a member of that team
	revoked   // had a share for reading
	outsider  // of another organisation
	superuser
	foreignSuperuser // of another organisation
	disabled         // a disabled account, also a member of the team
	actorCount       // number of actors
)

// String returns the name of the actor, which is also the local part of their address.
func (a actor) String() string {
	return [...]string{
		"anonymous", "owner", "colleague", "viewer", "writer", "byTeam", "former", "revoked", "outsider", "superuser", "foreignSuperuser",
		"disabled",
	}[a]
}

// foreign reports whether the actor is of the other organisation.
func (a actor) foreign() bool { return a == outsider || a == foreignSuperuser }

// Every name in an organisation contains its word, so that a response to somebody of the
// other organisation can be searched for it.
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

// secret returns the word that no response to the actor may contain.
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
	// people holds the ids of persons; team is the id of the team that objects are shared with.
	people map[actor]int64
	uuids  map[actor]string
	team   int64
	// words holds the values of placeholders for the own (false) and the foreign organisation.
	words map[bool]map[string]string
	// talk is a conversation of the owner with an answer and a table, to be copied.
	talk string
	// turns is held by the test that uses a shared object.
	turns sync.Mutex
}

// object is the object of a call.
type object struct {
	// places holds the values of placeholders in paths and bodies, such as <id>.
	places map[string]string
	// watch holds the paths that keeper reads to find out whether anything changed.
	watch  []string
	keeper actor
}

// newWorld seeds the two organisations and creates what all rows share.
func newWorld(t *testing.T, n *node) *world {
	t.Helper()
	w := &world{
		node: &node{store: n.store, engine: n.engine, files: n.files, database: n.database}, people: map[actor]int64{},
		uuids: map[actor]string{},
	}
	w.url = n.serve(t, api.Limits{SendsPerMinute: -1, UploadsPerHour: -1, SocketsPerUser: -1, SocketsPerAddress: -1}, func(c *api.Config) {
		c.Intake = n.newIntake(t, nil, anyTable{})
		c.Warehouses = fakes.Warehouses{}
	})
	flags := domain.UserFlags{ScheduledTaskView: true, UploadCredentials: true}
	scripted := []persistence.SeedAnalyst{persistencetest.LoadTest()}
	seed := persistence.SeedInput{Analysts: scripted, Organisations: []persistence.SeedOrganisation{
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

// wordsOf returns the values of placeholders for an organisation.
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
		require.Fail(t, "no such entry", "%s %s", path, with)
		return ""
	}
	return map[string]string{
		"<name>": super.word() + " new", "<agent>": first("/analyst/analysts", "scripted"),
		"<prism>": first("/analyst/analysts", domain.DefaultAnalystName),
		"<type>":  first("/memory/memorytypes", "Definition"), "<library>": first("/discourse/blueprints?library_scope=library", super.word()),
		"<someone>": fmt.Sprint(w.people[member]), "<topic>": first("/memory/memorylabels", ""),
		"<category>": first("/discourse/blueprints/use-case-categories", ""),
	}
}

// end removes actor former from the team and disables actor disabled, after both could read.
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
	// G14: a disabled person is refused within 5 s.
	require.Eventually(t, func() bool {
		return w.call(t, disabled, http.MethodGet, "/discourse/conversations/"+w.talk, "").status == 401
	}, patience, patience/100)
	require.Equal(t, 404, w.call(t, former, http.MethodGet, "/discourse/conversations/"+w.talk, "").status)
}

// call makes a call as an actor, with a JSON body.
func (w *world) call(t *testing.T, a actor, method, path, body string) answer {
	t.Helper()
	return w.ask(t, a, method, path, strings.NewReader(body), "application/json", requestOptions{})
}

// requestOptions holds the options of a request.
type requestOptions struct {
	// endless is set for a response that does not end; only its header is read.
	endless bool
	// session names a separate sign-in; empty means the one that all calls use.
	session string
}

// ask sends a request with a body of any kind.
func (w *world) ask(t *testing.T, a actor, method, path string, body io.Reader, kind string, how requestOptions) answer {
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

// get reads an object that the actor may read.
func (w *world) get(t *testing.T, a actor, path string, into any) {
	t.Helper()
	w.call(t, a, http.MethodGet, path, "").into(t, 200, into)
}

// make creates an object and returns the response.
func (w *world) make(t *testing.T, a actor, path, body string) map[string]any {
	t.Helper()
	var made map[string]any
	w.call(t, a, http.MethodPost, path, fill(body, w.words[a.foreign()])).into(t, 201, &made)
	return made
}

// fill replaces the placeholders of a text. <mark> becomes a new unique word in each call.
func fill(text string, places ...map[string]string) string {
	for _, words := range places {
		for place, word := range words {
			text = strings.ReplaceAll(text, place, word)
		}
	}
	return strings.ReplaceAll(text, "<mark>", domain.NewID().String())
}

// id returns the id of an object that was created.
func id(made map[string]any) string {
	if n, ok := made["id"].(float64); ok {
		return fmt.Sprint(int64(n))
	}
	return fmt.Sprint(made["id"])
}

// share grants the permissions after which the actors are named, and removes that of actor
// revoked again. best is the highest permission with which the object can be shared: if it
// is not write, share checks that a share for writing is refused.
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

// state returns all responses that the keeper of an object reads about it.
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

// anyTable is a file reader that describes every file as a table with one column.
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

// upload sends a form with a file, unless the fields name a display object.
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
	return w.ask(t, a, method, path, &body, form.FormDataContentType(), requestOptions{})
}

// source creates a data source.
func (w *world) source(t *testing.T, a actor, fields ...string) map[string]any {
	t.Helper()
	var made map[string]any
	fields = append([]string{"name", a.word() + " orders", "description", a.word() + " of the year"}, fields...)
	w.upload(t, a, http.MethodPost, "/memory/file/datasources", fields...).into(t, 201, &made)
	return made
}

// converse creates a conversation in which the owner asks a question that is answered with a
// table, and returns its id.
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

// with adds values of placeholders to an object.
func (o *object) with(places map[string]string) *object {
	maps.Copy(o.places, places)
	return o
}
