package jsonout_test

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/jsonout"
)

type number int

type moment struct{ at time.Time }

func (m moment) MarshalJSON() ([]byte, error) { return m.AppendJSON(nil), nil }

func (m moment) AppendJSON(b []byte) []byte { return m.at.AppendFormat(b, `"2006-01-02"`) }

// shout has its method on the pointer alone.
type shout string

func (s *shout) MarshalText() ([]byte, error) { return []byte(strings.ToUpper(string(*s))), nil }

type inner struct {
	Name string `json:"name"`
}

type tree struct {
	Label    string  `json:"label"`
	Children []tree  `json:"children,omitempty"`
	Parent   *tree   `json:"parent"`
	Weights  []int64 `json:"weights"`
}

type everything struct {
	Text      string            `json:"text"`
	Unnamed   string            // its name is that of the field
	Yes       bool              `json:"yes"`
	Small     int8              `json:"small"`
	Big       uint64            `json:"big"`
	Number    number            `json:"number,omitempty"`
	Ratio     float64           `json:"ratio"`
	Narrow    float32           `json:"narrow"`
	ID        uuid.UUID         `json:"id"`
	MaybeID   *uuid.UUID        `json:"maybeId"`
	NullID    uuid.NullUUID     `json:"nullId"`
	At        moment            `json:"at"`
	MaybeAt   *moment           `json:"maybeAt,omitempty"`
	Time      time.Time         `json:"time"`
	Shout     shout             `json:"shout"`
	Shouts    []shout           `json:"shouts"`
	Raw       json.RawMessage   `json:"raw"`
	Bytes     []byte            `json:"bytes"`
	NilBytes  []byte            `json:"nilBytes"`
	Map       map[string]int    `json:"map"`
	Any       any               `json:"any"`
	None      any               `json:"none,omitempty"`
	Array     [2]inner          `json:"array"`
	Nil       []string          `json:"nil"`
	Empty     []string          `json:"empty"`
	Strings   []string          `json:"strings,omitempty"`
	Gone      string            `json:"-"`
	Inner     inner             `json:"inner,omitempty"`
	Pointers  []*inner          `json:"pointers"`
	Embedding struct{ inner }   `json:"embedding"`
	Quoted    quoted            `json:"quoted"`
	Zero      zero              `json:"zero"`
	Nothing   struct{}          `json:"nothing"`
	Tree      tree              `json:"tree"`
	Texts     map[string]string `json:"texts,omitempty"`
	hidden    string
}

type quoted struct {
	N int `json:"n,string"`
}

type zero struct {
	At time.Time `json:"at,omitzero"`
}

// standard writes a pointer to the value, so that methods of pointers are called.
func standard(t *testing.T, v any) string {
	t.Helper()
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if v != nil {
		p := reflect.New(reflect.TypeOf(v))
		p.Elem().Set(reflect.ValueOf(v))
		v = p.Interface()
	}
	require.NoError(t, e.Encode(v))
	return out.String()
}

// TestWriter_Write compares with encoding/json, byte by byte.
func TestWriter_Write(t *testing.T) {
	t.Parallel()
	var w jsonout.Writer
	same := func(t *testing.T, v any) {
		t.Helper()
		var out bytes.Buffer
		require.NoError(t, w.Write(&out, v))
		require.Equal(t, standard(t, v), out.String())
	}
	id := uuid.MustParse("0195c2a4-7d1e-7f00-8a3b-0123456789ab")
	at := time.Date(2026, 11, 20, 15, 4, 5, 6789, time.UTC)
	full := everything{
		Text: "Ärger \"quoted\" \\ <b>&amp;</b>\n\t\x00\x1f\x7f \u2028\u2029 \xff😀", Unnamed: "x", Yes: true, Small: -8, Big: math.MaxUint64, Number: 7,
		Ratio: 0.1, Narrow: 0.1, ID: id, MaybeID: &id, NullID: uuid.NullUUID{UUID: id, Valid: true}, At: moment{at}, MaybeAt: &moment{at}, Time: at,
		Shout: "loud", Shouts: []shout{"a", "b"}, Raw: json.RawMessage(`{"a": [1, 2]}`), Bytes: []byte("bytes"), Map: map[string]int{"b": 2, "a": 1},
		Any: []any{1, "two", nil, map[string]any{"x": 1.5}}, Array: [2]inner{{"one"}, {"two"}}, Empty: []string{}, Strings: []string{"", "s"}, Gone: "gone",
		Inner: inner{"in"}, Pointers: []*inner{{"p"}, nil}, Quoted: quoted{3},
		Tree:  tree{Label: "root", Children: []tree{{Label: "leaf", Weights: []int64{}}}, Parent: &tree{Label: "above"}, Weights: []int64{1, -2}},
		Texts: map[string]string{"<": ">"}, hidden: "hidden",
	}
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		for _, v := range []any{
			nil, full, &full,
			everything{Raw: json.RawMessage("null")},
			[]everything{full, {Raw: json.RawMessage("1")}},
			(*everything)(nil), "text", 3, true, []string(nil),
			map[string]any{"a": full},
			tree{},
			id, at, &id,
			[3]bool{true},
			struct{}{},
			number(4),
			moment{at},
			new(shout), json.Number("12"),
		} {
			same(t, v)
			same(t, v) // by what is known of the type by now
		}
	})
	t.Run("Numbers", func(t *testing.T) {
		t.Parallel()
		for _, f := range []float64{0, math.Copysign(0, -1), 1, -1.5, 1e-6, 9.99e-7, 1e-9, 1.25e-10, 1e20, 1e21, 123456789012345680000, math.MaxFloat64, math.SmallestNonzeroFloat64, 1.0 / 3} {
			same(t, f)
			same(t, []float64{f})
		}
	})
	t.Run("ErrNoNumber", func(t *testing.T) {
		t.Parallel()
		for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			var out bytes.Buffer
			require.Error(t, w.Write(&out, []float64{1, f}))
			require.Empty(t, out.String(), "nothing of an answer that cannot be written is sent")
		}
	})
	t.Run("ErrOther", func(t *testing.T) {
		t.Parallel()
		require.Error(t, w.Write(new(bytes.Buffer), map[string]any{"f": func() {}}))
	})
}

// FuzzWriter_Write looks for a text that encoding/json writes in another way.
func FuzzWriter_Write(f *testing.F) {
	for _, s := range []string{"", "plain", "\x00\x08\x0c\n\r\t\x1f\x7f", "\"\\/", "<&>", "\u2027\u2028\u2029\u202a", "\xc3", "a\xe2\x80", "\xed\xa0\x80", "😀\ufffd"} {
		f.Add(s)
	}
	var w jsonout.Writer
	f.Fuzz(func(t *testing.T, s string) {
		var out bytes.Buffer
		require.NoError(t, w.Write(&out, s))
		require.Equal(t, standard(t, s), out.String())
	})
}
