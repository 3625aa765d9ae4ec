package wire_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// conversion makes a draft from a request. silent are the fields of one of them that the
// other does not have, with the reason.
type conversion struct {
	draft  func(t *testing.T, request any) any
	of     any // the zero value of the request
	silent map[string]string
}

func conversions() map[string]conversion {
	const (
		key     = "the key is of a header"
		version = "the version may come in a header, which the call reads"
	)
	return map[string]conversion{
		"blueprint": {
			of: wire.BlueprintRequest{}, silent: map[string]string{"Key": key},
			draft: func(_ *testing.T, r any) any { return r.(*wire.BlueprintRequest).Draft() },
		},
		"step": {
			of: wire.BlueprintStepRequest{}, silent: map[string]string{"Key": key, "Untouched": "a blueprint names such a step by its id alone"},
			draft: func(_ *testing.T, r any) any { return r.(*wire.BlueprintStepRequest).Draft() },
		},
		"start of a blueprint": {
			of: wire.BlueprintStart{}, silent: map[string]string{"Key": key, "Name": "the blueprint's"},
			draft: func(t *testing.T, r any) any {
				t.Helper()
				start, err := r.(*wire.BlueprintStart).Start()
				require.NoError(t, err)
				return start
			},
		},
		"connector": {
			of: wire.DataSourceChanges{}, silent: map[string]string{"File": "a form brings it"},
			draft: func(_ *testing.T, r any) any { return r.(*wire.DataSourceChanges).Update() },
		},
		"connection": {
			of: wire.ConnectionCheck{}, silent: map[string]string{"Kind": "it chooses who connects"},
			draft: func(_ *testing.T, r any) any { return r.(*wire.ConnectionCheck).Connection() },
		},
		"agent": {
			of: wire.AnalystRequest{}, silent: map[string]string{"Key": key, "Version": version, "Available": "the server's models"},
			draft: func(_ *testing.T, r any) any { return r.(*wire.AnalystRequest).Update(nil) },
		},
		"new memory": {
			of: wire.MemoryRequest{}, silent: map[string]string{"Key": key, "IsEnabled": "a new one is enabled", "Version": "a new one has none"},
			draft: func(_ *testing.T, r any) any { return r.(*wire.MemoryRequest).New() },
		},
		"memory": {
			of:    wire.MemoryRequest{},
			draft: func(_ *testing.T, r any) any { return r.(*wire.MemoryRequest).Patch() },
		},
		"project": {
			of: wire.ProjectLabelRequest{}, silent: map[string]string{"Key": key, "Version": version},
			draft: func(_ *testing.T, r any) any { return r.(*wire.ProjectLabelRequest).Draft() },
		},
		"task": {
			of: wire.TaskRequest{}, silent: map[string]string{"Key": key, "Version": version},
			draft: func(_ *testing.T, r any) any { return r.(*wire.TaskRequest).Input() },
		},
		"schedule": {
			of:    wire.ScheduleRequest{},
			draft: func(_ *testing.T, r any) any { return r.(*wire.ScheduleRequest).Input() },
		},
	}
}

// TestDrafts: every field of a request has an effect on its draft, and every field of a draft
// is set by a request.
func TestDrafts(t *testing.T) {
	t.Parallel()
	for name, c := range conversions() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			of := reflect.TypeOf(c.of)
			empty := c.draft(t, reflect.New(of).Interface())
			whole := reflect.New(of)
			for i := range of.NumField() {
				f := of.Field(i)
				if !f.IsExported() {
					continue
				}
				one := reflect.New(of)
				fill(t, one.Elem().Field(i))
				fill(t, whole.Elem().Field(i))
				if c.silent[f.Name] == "" {
					require.NotEqual(t, empty, c.draft(t, one.Interface()), "the draft does not depend on %s", f.Name)
				}
			}
			draft := reflect.ValueOf(c.draft(t, whole.Interface()))
			for i := range draft.NumField() {
				if f := draft.Type().Field(i); c.silent[f.Name] == "" {
					require.False(t, draft.Field(i).IsZero(), "no field of the request sets %s", f.Name)
				}
			}
			for field := range c.silent {
				_, asked := of.FieldByName(field)
				_, drafted := draft.Type().FieldByName(field)
				require.True(t, asked || drafted, "there is no field %s any more", field)
			}
		})
	}
}

// fill sets all fields of a value.
func fill(t *testing.T, v reflect.Value) {
	t.Helper()
	if day, ok := v.Addr().Interface().(*wire.CalendarNumber); ok {
		require.NoError(t, json.Unmarshal([]byte("3"), day))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("text")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Array:
		v.Index(0).SetUint(7)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(t, v.Index(0))
	case reflect.Map:
		value := reflect.New(v.Type().Elem()).Elem()
		if value.Kind() == reflect.Interface {
			value.Set(reflect.ValueOf("text"))
		} else {
			fill(t, value)
		}
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf("name"), value)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				fill(t, v.Field(i))
			}
		}
	default:
		require.Fail(t, "a field of a kind that fill does not know", "%s", v.Type())
	}
}

// TestDrafts_Nested: sections of an agent and steps of a blueprint, which are drafts inside
// drafts, are complete as well.
func TestDrafts_Nested(t *testing.T) {
	t.Parallel()
	var agent wire.AnalystRequest
	fill(t, reflect.ValueOf(&agent).Elem())
	update := agent.Update(nil)
	for name, section := range map[string]any{
		"knowledgeBase": update.Knowledge, "chartReview": update.ChartReview, "insights": update.Insights, "summary": update.Summary,
	} {
		v := reflect.ValueOf(section)
		for i := range v.NumField() {
			require.False(t, v.Field(i).IsZero(), "%s does not set %s", name, v.Type().Field(i).Name)
		}
	}
	var blueprint wire.BlueprintRequest
	fill(t, reflect.ValueOf(&blueprint).Elem())
	step := (*blueprint.Draft().Steps)[0]
	expected := (*blueprint.Steps)[0].Draft()
	expected.BlueprintID, expected.Version = 0, 0 // the blueprint that contains the step has these
	require.Equal(t, expected, step)
	require.NotEqual(t, domain.StepDraft{}, step)
}
