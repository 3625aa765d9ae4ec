package integration_test

import (
	"bytes"
	"encoding/json"
	"hash/fnv"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// naming returns, for each published call, whether it takes a header.
func naming(t *testing.T, header string) map[string]bool {
	t.Helper()
	calls := map[string]bool{}
	all := described(t)
	for _, call := range published(t) {
		method, path, _ := strings.Cut(call, " ")
		calls[call] = bytes.Contains(all[path][strings.ToLower(method)], []byte(`"`+header+`"`))
	}
	return calls
}

// changesOnce repeats every change with one key, as a client does that has lost the response:
// each change takes effect once and returns the first response again. A change is a call that takes a
// key and has no row in creations, whatever its method is.
func changesOnce(t *testing.T, w *world) {
	t.Helper()
	versions, keys := naming(t, "If-Match"), naming(t, "Idempotency-Key")
	changes := map[string]bool{}
	for call, takesKey := range keys {
		if takesKey && !isCreation(call) {
			changes[call] = false
		}
	}
	rows := append(rights(), right{
		call: "PUT /discourse/blueprints/{id}", on: aBlueprint, when: "steps come and go", may: private(200),
		send: `{"name":"<name>","steps":[{"name":"<name> new","code":"SELECT 3"}],"removed_steps":[<step>]}`,
	})
	for i := range rows {
		r := &rows[i]
		by := anonymous
		for a := range actorCount {
			if r.may[a] >= 200 && r.may[a] < 300 && (by == anonymous || a == owner) {
				by = a
			}
		}
		if _, isChange := changes[r.call]; !isChange || by == anonymous {
			continue
		}
		changes[r.call] = true
		t.Run(strings.TrimSpace(r.call+" "+r.when), func(t *testing.T) {
			t.Parallel()
			r.repeat(t, w, by, versions[r.call])
		})
	}
	for call, tried := range changes {
		require.True(t, tried, "%s takes a key, and the table of rights has no row in which somebody may make it", call)
	}
}

func (r *right) repeat(t *testing.T, w *world, by actor, versioned bool) {
	t.Helper()
	o := r.on(t, w)
	version := ""
	// A step without a blueprint has no version to check.
	if versioned = versioned && len(o.watch) > 0; versioned {
		version = r.version(t, w, o)
	}
	seed := fnv.New64a()
	_, _ = seed.Write([]byte(r.call + r.when))
	loses := &lossy{luck: rand.New(rand.NewPCG(seed.Sum64(), 2))}
	key := domain.NewID().String()
	var first answer
	for i := range 8 {
		got := r.ask(t, w, loses, by, o, key, version, r.send)
		require.Equal(t, r.may[by], got.status, "%s", got.body)
		if i == 0 {
			first = got
		}
		require.Equal(t, first.withoutRequestID(), got.withoutRequestID())
	}
	require.NotZero(t, loses.lost, "no response was lost")
	if !versioned {
		return
	}
	before, err := strconv.Atoi(version)
	require.NoError(t, err)
	var changed struct {
		Version int `json:"version"`
	}
	first.into(t, r.may[by], &changed)
	require.Equal(t, before+1, changed.Version, "the object must be changed once")
	// Another request with this key is refused. With another key it is another change, which is
	// based on an old version now.
	if strings.Contains(r.send, "<name>") {
		other := r.ask(t, w, http.DefaultTransport, by, o, key, version, strings.ReplaceAll(r.send, "<name>", "<name> other"))
		require.Equal(t, "This key was used for another request.", other.refused(t, 422).Errors[0].Message)
	}
	r.ask(t, w, http.DefaultTransport, by, o, domain.NewID().String(), version, r.send).refused(t, 409)
}

// version returns the current version of the object.
func (r *right) version(t *testing.T, w *world, o *object) string {
	t.Helper()
	var read struct {
		Version int `json:"version"`
		Results []struct {
			Version int `json:"version"`
		} `json:"results"`
	}
	w.get(t, o.keeper, fill(o.watch[0], o.places), &read)
	if len(read.Results) > 0 {
		return strconv.Itoa(read.Results[0].Version)
	}
	return strconv.Itoa(read.Version)
}

// ask repeats the change until its response arrives.
func (r *right) ask(t *testing.T, w *world, by http.RoundTripper, a actor, o *object, key, version, send string) answer {
	t.Helper()
	path := fill(strings.ReplaceAll(r.path(), "{id}", "<id>"), o.places)
	body, kind := []byte(fill(send, o.places, w.words[a.foreign()])), "application/json"
	if strings.HasPrefix(send, "?") {
		path, body = path+string(body), nil
	}
	if r.form != nil {
		fields := map[string]string{}
		for i := 0; i < len(r.form); i += 2 {
			fields[r.form[i]] = fill(r.form[i+1], o.places, w.words[a.foreign()])
		}
		raw, err := json.Marshal(fields)
		require.NoError(t, err)
		body, kind = formOf(t, raw)
	}
	header := http.Header{"Idempotency-Key": {key}}
	if r.method() != http.MethodDelete {
		header.Set("Content-Type", kind)
	}
	if version != "" {
		header.Set("If-Match", version)
	}
	return w.askUntilAnswered(t, by, a, r.method(), path, header, body)
}

// rightsBeforeShapes: only a person who may make the change learns that a body has the wrong
// shape. The others receive the status of the table of rights.
func rightsBeforeShapes(t *testing.T, w *world) {
	t.Helper()
	for _, r := range rights() {
		if r.method() == http.MethodGet || r.on == nil || r.form != nil || !strings.Contains(r.call, "{id}") ||
			strings.HasPrefix(r.when, "against") {
			continue
		}
		if !strings.HasPrefix(r.send, "{") {
			continue // it has no body
		}
		t.Run(strings.TrimSpace(r.call+" "+r.when), func(t *testing.T) {
			t.Parallel()
			o := r.on(t, w)
			before := w.state(t, o)
			for a := owner; a < disabled; a++ {
				for _, body := range []string{`[]`, `"x"`, `{"name":"x","name":"y"}`, `{"is_favorite":[{}],"users":{},"name":[1],"status":[],` +
					`"is_enabled":"x","details":[],"text":[],"id":"x","message_id":1,"enabled":7,"question":{},"inputs":[],"analyst_id":"x",` +
					`"is_archived":"x","label":{}}`} {
					want := max(r.may[a], 400)
					if want == 400 || want == 403 && strings.Contains(r.path(), "/scheduled-tasks/") {
						want = 422 // without a valid body it is unknown which of two rights is needed
					}
					got := w.call(t, a, r.method(), fill(strings.ReplaceAll(r.path(), "{id}", "<id>"), o.places), body)
					require.Equal(t, want, got.status, "%s %s: %s", a, body, got.body)
					checkNoLeak(t, a, got)
				}
			}
			require.Equal(t, before, w.state(t, o))
		})
	}
}
