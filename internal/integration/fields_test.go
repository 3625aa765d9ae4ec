package integration_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api"
)

// roundTrip describes a kind of object that people write and read back. Every field of the requests
// that create and change it must be stored and returned. The fields are taken from the types
// of the requests, so a new field is tested without being named here.
type roundTrip struct {
	name           string
	create, change request
	// made is the path of the id in the response to the creation; empty means "id".
	made string
	// read is the path of the call that returns the object. If the object is one of a list
	// in the response, in is the name of the list.
	read, in string
	// values holds, by path, the fields whose values cannot be generated.
	values map[string]twice
	// copy is the path of the call that copies the object; uncopied holds the fields that
	// the copy does not have, with the reason.
	copy     string
	uncopied map[string]string
	// silent holds the fields that are not returned, with the reason.
	silent map[string]string
	// same maps an alias of a field to its name; as maps a field to its name in the response.
	same, as map[string]string
	// show converts a response to the form of the request, if they differ.
	show func(map[string]any)
}

// request is a call; %v in the path is the id of what was created.
type request struct {
	method, path string
	body         any // zero value of the body's type
}

// twice holds the values of a field for the creation and for the change.
type twice [2]any

// leftOut is the value of a field that is left out of a request.
type leftOut struct{}

// fromCreated computes the value of a field from the response to the creation.
type fromCreated func(made map[string]any) any

// notReturned explains where a field is lost, in the order in which to look.
const notReturned = "%s are not returned by GET. Look first at the wire type: the function that makes it from domain's type (New…) " +
	"may not set the field, nor Draft() pass it on. Then look at the query: a field is written only if the INSERT and the UPDATE " +
	"in persistence/queries name its column, and read only if the view …_shown was made again after the column was added. " +
	"A method that copies some fields by hand, such as BlueprintDraft.Override or Draft, may not name it. make generate writes the " +
	"generated copies again. See docs/how-to-add-a-field.md."

// fields: each field of each request is stored and returned unchanged.
func fields(t *testing.T, n *node) {
	t.Helper()
	w := newFieldWorld(t, n)
	checkEveryBody(t, w.roundTrips())
	for _, thing := range w.roundTrips() {
		t.Run(thing.name, func(t *testing.T) {
			w.person = w.person.node.as(t, w.person.email)
			thing.try(t, w.person)
		})
	}
}

// checkEveryBody checks that each request body of the contract is covered, by roundTrips or by actions.
func checkEveryBody(t *testing.T, things []roundTrip) {
	t.Helper()
	known, used := map[string]bool{}, map[string]bool{}
	for _, name := range actions() {
		known[name] = true
	}
	for i := range things {
		for _, r := range []request{things[i].create, things[i].change} {
			if r.body != nil {
				known[reflect.TypeOf(r.body).Name()] = true
			}
		}
	}
	spec, err := api.OpenAPI()
	require.NoError(t, err)
	var o struct {
		Paths map[string]map[string]struct {
			RequestBody struct {
				Content map[string]struct {
					Schema struct {
						Ref string `json:"$ref"`
					} `json:"schema"`
				} `json:"content"`
			} `json:"requestBody"`
		} `json:"paths"`
	}
	require.NoError(t, json.Unmarshal(spec, &o))
	for path, item := range o.Paths {
		for method, call := range item {
			if ref := call.RequestBody.Content["application/json"].Schema.Ref; ref != "" {
				name := ref[strings.LastIndexByte(ref, '/')+1:]
				used[name] = true
				require.True(t, known[name], "%s %s: no test covers the fields of %s. If they are stored and read again, add them to a row of "+
					"roundTrips(); if they only request an action, add the name to actions(); both are in fields_world_test.go", method, path, name)
			}
		}
	}
	for name := range known {
		require.True(t, used[name], "no call has the body %s any more: remove it from fields_world_test.go", name)
	}
}

func (w *roundTrip) try(t *testing.T, p *person) {
	t.Helper()
	tried := map[string]bool{}
	first := w.body(t, w.create.body, 0, nil, tried)
	var made map[string]any
	w.call(t, p, w.create, "", first, &made)
	id := fmt.Sprint(place(t, encode(t, made), cmp.Or(w.made, "id")))
	require.Empty(t, w.lost(t, first, w.found(t, p, id), ""), notReturned, "these fields of the creation")
	last := first

	if w.change.method != "" {
		second := w.body(t, w.change.body, 1, made, tried)
		w.call(t, p, w.change, id, second, nil)
		require.Empty(t, w.lost(t, second, w.found(t, p, id), ""), notReturned, "these fields of the change")
		last = second
		if len(w.same) > 0 {
			third := w.body(t, w.change.body, 0, made, map[string]bool{})
			expected := maps.Clone(third)
			for other, name := range w.same {
				value, ok := third[name]
				require.True(t, ok, "%s is not a field", name)
				delete(third, name)
				if outer, inner, nested := strings.Cut(other, "."); nested {
					third[outer] = map[string]any{inner: value}
				} else {
					third[other] = value
				}
			}
			w.call(t, p, w.change, id, third, nil)
			require.Empty(t, w.lost(t, expected, w.found(t, p, id), ""), notReturned, "these fields, sent by their aliases,")
		}
	}
	if w.copy != "" {
		var copied map[string]any
		w.call(t, p, request{method: "POST", path: w.copy}, id, map[string]any{}, &copied)
		for path := range w.uncopied {
			delete(last, path)
		}
		got := w.found(t, p, fmt.Sprint(place(t, encode(t, copied), "id")))
		require.Empty(t, w.lost(t, last, got, ""), notReturned, "these fields of the copy")
	}
	for path := range w.silent {
		require.Contains(t, tried, path, "this field does not exist any more")
	}
	for path, sent := range tried {
		_, silent := w.silent[path]
		require.True(t, sent || silent || w.same[path] != "", "no request sends %s", path)
	}
}

// call makes a request and decodes the response.
func (w *roundTrip) call(t *testing.T, p *person, r request, id string, body map[string]any, into *map[string]any) {
	t.Helper()
	path := r.path
	if strings.Contains(path, "%v") {
		path = fmt.Sprintf(path, id)
	}
	got := p.do(r.method, path, body)
	require.Contains(t, []int{200, 201, 204}, got.status, "%s %s %v: %s", r.method, path, body, got.body)
	if into != nil {
		require.NoError(t, json.Unmarshal(got.body, into))
	}
}

// found reads the object back.
func (w *roundTrip) found(t *testing.T, p *person, id string) map[string]any {
	t.Helper()
	path := w.read
	if strings.Contains(path, "%v") {
		path = fmt.Sprintf(path, id)
	}
	var got map[string]any
	p.do("GET", path, nil).into(t, 200, &got)
	if w.in != "" {
		list, ok := got[w.in].([]any)
		require.True(t, ok, "%s is not a list", w.in)
		at := slices.IndexFunc(list, func(v any) bool {
			one, _ := v.(map[string]any)
			return fmt.Sprint(place(t, encode(t, one), "id")) == id
		})
		require.GreaterOrEqual(t, at, 0, "%s is not in %s", id, path)
		got, _ = list[at].(map[string]any)
	}
	if w.show != nil {
		w.show(got)
	}
	return got
}

// body returns a request body with a value for each field. It records in tried the path of
// each field, and whether a request has sent it.
func (w *roundTrip) body(t *testing.T, of any, round int, made map[string]any, tried map[string]bool) map[string]any {
	t.Helper()
	if of == nil {
		return nil
	}
	return w.fill(t, reflect.TypeOf(of), "", round, made, tried)
}

func (w *roundTrip) fill(t *testing.T, of reflect.Type, at string, round int, made map[string]any, tried map[string]bool) map[string]any {
	t.Helper()
	out := map[string]any{}
	for i := range of.NumField() {
		f := of.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous {
			maps.Copy(out, w.fill(t, f.Type, at, round, made, tried))
			continue
		}
		if name == "" || !f.IsExported() {
			continue
		}
		path := at + name
		value, ok := w.value(t, f.Type, path, round, made, tried)
		tried[path] = tried[path] || ok
		if ok {
			out[name] = value
		}
	}
	return out
}

// value returns the value of one field; false leaves the field out.
func (w *roundTrip) value(t *testing.T, of reflect.Type, path string, round int, made map[string]any, tried map[string]bool) (any, bool) {
	t.Helper()
	if given, ok := w.values[path]; ok {
		require.False(t, reflect.DeepEqual(given[0], given[1]), "%s must change", path)
		switch v := given[round].(type) {
		case leftOut:
			return nil, false
		case fromCreated:
			return v(made), true
		default:
			return v, true
		}
	}
	_, silent := w.silent[path]
	if _, other := w.same[path]; silent || other {
		return nil, false
	}
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	switch of.Kind() {
	case reflect.String:
		return []string{"First ", "Second "}[round] + path[strings.LastIndexByte(path, '.')+1:], true
	case reflect.Bool:
		return round == 0, true
	case reflect.Struct:
		return w.fill(t, of, path+".", round, made, tried), true
	case reflect.Slice:
		if of.Elem().Kind() == reflect.Struct {
			return []any{w.fill(t, of.Elem(), path+".", round, made, tried)}, true
		}
	default:
	}
	require.Fail(t, "add values for the new field "+path+": no value can be generated for type "+of.String())
	return nil, false
}

// lost returns the paths of the fields that were sent and are missing or different in got.
func (w *roundTrip) lost(t *testing.T, sent, got map[string]any, at string) []string {
	t.Helper()
	var lost []string
	for name, value := range sent {
		path := at + name
		if _, silent := w.silent[path]; silent {
			continue
		}
		as := name
		if other := w.as[path]; other != "" {
			as = other
		}
		lost = append(lost, w.differs(t, value, got[as], path)...)
	}
	slices.Sort(lost)
	return lost
}

func (w *roundTrip) differs(t *testing.T, sent, got any, path string) []string {
	t.Helper()
	switch sent := sent.(type) {
	case map[string]any:
		if within, ok := got.(map[string]any); ok {
			return w.lost(t, sent, within, path+".")
		}
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(sent) {
			return []string{path}
		}
		var lost []string
		for i := range sent {
			lost = append(lost, w.differs(t, sent[i], list[i], path)...)
		}
		return lost
	default:
		// A reference is sent as an id; the response may contain the object with its id.
		if one, ok := got.(map[string]any); ok {
			got = one["id"]
		}
		if string(encode(t, sent)) == string(encode(t, got)) {
			return nil
		}
	}
	return []string{path}
}

// encode returns a value as JSON.
func encode(t *testing.T, v any) []byte {
	t.Helper()
	out, err := json.Marshal(v)
	require.NoError(t, err)
	return out
}
