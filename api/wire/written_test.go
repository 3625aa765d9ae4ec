package wire_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/api/wire"
	"parley.dev/parley/internal/jsonout"
)

// fill puts something into all that a value has, three entries into each list.
func fill(v reflect.Value, depth int) {
	switch v.Interface().(type) {
	case protocol.Time:
		v.Set(reflect.ValueOf(protocol.Time(time.Date(2026, 3, 29, 1, 2, 3, 45_678_900, time.FixedZone("", 7200)))))
		return
	case uuid.UUID:
		v.Set(reflect.ValueOf(uuid.MustParse("0195c2a4-7d1e-7f00-8a3b-0123456789ab")))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("Ärger <b>\"\u2028\n")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(-42)
	case reflect.Float64:
		v.SetFloat(1.0 / 3e9)
	case reflect.Pointer:
		if depth < 8 {
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), depth+1)
		}
	case reflect.Slice:
		if depth < 8 {
			v.Set(reflect.MakeSlice(v.Type(), 3, 3))
			for i := range 3 {
				fill(v.Index(i), depth+3)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(v.Field(i), depth+1)
			}
		}
	default: // stays empty
	}
}

// TestWritten checks that answers look as encoding/json would write them, full and empty.
func TestWritten(t *testing.T) {
	t.Parallel()
	var w jsonout.Writer
	for _, shape := range []any{
		wire.Page[wire.Conversation]{},
		wire.Conversation{},
		wire.Page[wire.DataSource]{},
		wire.Page[wire.Analyst]{},
		wire.Page[wire.Blueprint]{},
		wire.Blueprint{},
		wire.Page[wire.ProjectLabel]{},
		wire.Page[wire.Memory]{},
		wire.Page[wire.Task]{},
		wire.Page[wire.TaskRun]{},
		wire.FeedbackPage{},
		wire.Page[wire.PermissionEntry]{},
		wire.UsageReport{},
		wire.User{},
		wire.Sent{},
		wire.Stopped{},
		protocol.Message{},
		wire.StartedConversation{},
	} {
		full := reflect.New(reflect.TypeOf(shape)).Elem()
		fill(full, 0)
		for _, v := range []any{shape, full.Interface()} {
			var want, got bytes.Buffer
			e := json.NewEncoder(&want)
			e.SetEscapeHTML(false)
			require.NoError(t, e.Encode(v))
			require.NoError(t, w.Write(&got, v))
			require.Equal(t, want.String(), got.String(), "%T", v)
		}
	}
}
