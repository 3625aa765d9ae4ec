package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/demo"
	"parley.dev/parley/internal/devidp"
	"parley.dev/parley/internal/envelope"
	"parley.dev/parley/internal/processtest"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/embedded"
	"parley.dev/parley/persistence/embedded/embeddedtest"
	"parley.dev/parley/persistence/persistencetest"
)

// documentedBackup returns the blocks of commands in the section Back-ups of docs/operating.md: how to back up, and how to
// restore.
func documentedBackup(t *testing.T) (backUp, restore string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "operating.md"))
	require.NoError(t, err)
	_, section, found := strings.Cut(string(page), "\n## Back-ups\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	blocks := regexp.MustCompile("(?s)\n```\n(.*?)```\n").FindAllStringSubmatch(section, -1)
	require.Len(t, blocks, 2)
	return blocks[0][1], blocks[1][1]
}

// clientPrograms returns a PATH on which pg_dump is not older than the server of the tests, which some installations of
// Postgres do not have. Then the test is skipped with a message.
func clientPrograms(t *testing.T) string {
	t.Helper()
	path := os.Getenv("PATH")
	folders, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	require.NoError(t, err)
	release := embeddedtest.Server(t).Release()
	for _, dir := range append(folders, filepath.SplitList(path)...) {
		out, err := exec.CommandContext(t.Context(), filepath.Join(dir, "pg_dump"), "--version").Output()
		found := regexp.MustCompile(`\(PostgreSQL\) (\d+)`).FindSubmatch(out)
		if err != nil || found == nil {
			continue
		}
		if n, err := strconv.Atoi(string(found[1])); err == nil && n >= release {
			return dir + string(os.PathListSeparator) + path
		}
	}
	t.Skipf("NOT TRIED: there is no pg_dump of PostgreSQL %d or later (apt-get install postgresql-client)", release)
	return ""
}

// home are the places of a node's data, and the address at which people reach it.
type home struct{ database, data, files, address string }

func newHome(t *testing.T, database, address string) home {
	t.Helper()
	dir := t.TempDir()
	return home{database, filepath.Join(dir, "data"), filepath.Join(dir, "files"), address}
}

// run runs commands of the documentation for a home.
func (h home) run(t *testing.T, path, commands string, env ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", commands)
	cmd.Env = append(append(os.Environ(), "PATH="+path, "DATABASE_URL="+h.database, "PARLEY_DATA="+h.data, "FILES="+h.files), env...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// start starts a node in a home.
func (h home) start(t *testing.T, name string) *server {
	t.Helper()
	return fleet(t, h.database, []string{"PARLEY_DATA=" + h.data, "PARLEY_FILES=file://" + h.files, "PARLEY_ADDR=" + h.address}, name)[0]
}

// user is one of the demo people at a node.
type user struct{ url, bearer string }

func (h home) signIn(t *testing.T) *user {
	t.Helper()
	url := "http://" + h.address
	bearer, err := devidp.TokenSource{Dir: t.TempDir()}.PasswordToken(t.Context(), url+"/dex", "parley-web", demo.People()[0].Email,
		demo.Password)
	require.NoError(t, err)
	return &user{url, bearer}
}

// call makes a call of the user's node, which must succeed, and returns the body of the answer.
func (u *user) call(t *testing.T, method, path, contentType string, body []byte) []byte {
	t.Helper()
	_, answer := (&caller{t, u.bearer}).send(u.url, method, path, contentType, body)
	return answer
}

// post posts JSON, and decodes the answer.
func (u *user) post(t *testing.T, path string, in, out any) {
	t.Helper()
	body, err := json.Marshal(in)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(u.call(t, http.MethodPost, path, "application/json", body), out))
}

// upload posts a form with fields and a file.
func (u *user) upload(t *testing.T, path string, fields []string, file string, content []byte, out any) {
	t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for _, field := range fields {
		require.NoError(t, w.WriteField(field, "Kept"))
	}
	part, err := w.CreateFormFile("file", file)
	require.NoError(t, err)
	_, err = part.Write(content)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	require.NoError(t, json.Unmarshal(u.call(t, http.MethodPost, path, w.FormDataContentType(), body.Bytes()), out))
}

// agent returns the id of the scripted agent.
func (u *user) agent(t *testing.T) int64 {
	t.Helper()
	var agents struct {
		Results []struct {
			ID    int64  `json:"id"`
			Model string `json:"model"`
		} `json:"results"`
	}
	raw := u.call(t, http.MethodGet, "analyst/analysts?page_size=100&filter_enabled=false", "", nil)
	require.NoError(t, json.Unmarshal(raw, &agents))
	for _, a := range agents.Results {
		if a.Model == scriptedProvider {
			return a.ID
		}
	}
	require.Fail(t, "there is no scripted agent")
	return 0
}

// messages returns a conversation's messages as the API returns them, and whether an answer is being made.
func (u *user) messages(t *testing.T, id uuid.UUID) (messages []json.RawMessage, running bool) {
	t.Helper()
	var c struct {
		IsStreaming bool              `json:"isStreaming"`
		MessageSet  []json.RawMessage `json:"messageSet"`
	}
	require.NoError(t, json.Unmarshal(u.call(t, http.MethodGet, "discourse/conversations/"+id.String(), "", nil), &c))
	return c.MessageSet, c.IsStreaming
}

// credential decrypts a credential with the key of a home.
func (h home) credential(t *testing.T, id uuid.UUID) string {
	t.Helper()
	keys, err := envelope.File(filepath.Join(h.data, keyFile))
	require.NoError(t, err)
	store, err := persistence.Open(t.Context(), persistence.Config{URL: h.database, Keys: keys})
	require.NoError(t, err)
	defer store.Close()
	owner, err := store.Users.UserByEmail(t.Context(), demo.People()[0].Email)
	require.NoError(t, err)
	secret, err := store.Credentials.OpenCredential(t.Context(), owner.OrganisationID, id)
	require.NoError(t, err)
	return string(secret)
}

// members returns the names of the nodes in a home's database.
func (h home) members(t *testing.T) []string {
	t.Helper()
	rows, err := persistencetest.Connect(t, h.database, "").Query(t.Context(), "SELECT name FROM cluster_member")
	require.NoError(t, err)
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	return names
}

// TestBackup runs the commands of docs/operating.md: it backs a running node up, restores it into an empty server of
// Postgres and empty folders, and finds the same messages, the same file and the same credential there, at another
// address.
func TestBackup(t *testing.T) {
	t.Parallel()
	path := clientPrograms(t)
	backUp, restore := documentedBackup(t)
	backup, keys := t.TempDir(), t.TempDir()
	places := []string{"BACKUP=" + backup, "KEYS=" + keys}

	before := newHome(t, persistencetest.URL(t), processtest.FreeAddress(t))
	node := before.start(t, "before")
	mara := before.signIn(t)
	table := []byte("region,amount\nNorth,12.5\nSüd,7\n")
	var source struct {
		ID int64 `json:"id"`
	}
	mara.upload(t, "memory/file/datasources", []string{"name", "description"}, "kept.csv", table, &source)
	var secret, talk struct {
		ID uuid.UUID `json:"id"`
	}
	mara.upload(t, "memory/secrets", []string{"name"}, "key.json", []byte(`{"password":"swordfish"}`), &secret)
	mara.post(t, "discourse/conversations", map[string]any{"name": "Kept"}, &talk)
	mara.post(t, "discourse/user-text", map[string]any{
		"conversationId": talk.ID, "dataSources": []int64{source.ID},
		"message": map[string]any{"id": uuid.New(), "text": "seed=3 tokens=50 rate=0", "analystId": mara.agent(t)},
	}, &struct{}{})
	var said []json.RawMessage
	require.True(t, waitUntil(t.Context(), func() bool {
		var running bool
		said, running = mara.messages(t, talk.ID)
		return !running
	}))
	require.Len(t, said, 2)
	before.run(t, path, backUp, places...)
	node.end(t)

	// Postgres, which runs as another user if this is root, must reach its folder.
	dir := t.TempDir()
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o711))
	empty, err := embedded.Start(t.Context(), embedded.Config{DataDir: filepath.Join(dir, "postgres"), Throwaway: true})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, empty.Stop(t.Context())) })
	after := newHome(t, empty.URL(), processtest.FreeAddress(t))
	after.run(t, path, restore, places...)

	after.start(t, "after")
	require.Equal(t, []string{"after"}, after.members(t), "nodes of the original are no members of the copy")
	mara = after.signIn(t)
	again, running := mara.messages(t, talk.ID)
	require.False(t, running)
	require.Equal(t, said, again)
	require.Equal(t, table, mara.call(t, http.MethodGet, fmt.Sprintf("memory/datasources/%d/file", source.ID), "", nil))
	require.JSONEq(t, `{"password":"swordfish"}`, after.credential(t, secret.ID))
}
