package api

import (
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// exampleUUID is the id that stands for every id in examples.
const exampleUUID = "01936f3e-7c2a-7b1d-9c55-0f6e2d8a4b10"

// addExamples gives every body of the contract an example, made of the examples
// of its fields, so that none can differ from its schema.
func addExamples(o *huma.OpenAPI) {
	e := exampleMaker{schemas: o.Components.Schemas.Map()}
	for _, item := range o.Paths {
		for _, op := range operationsOf(item) {
			if op.RequestBody != nil {
				e.fill(op.RequestBody.Content)
			}
			for _, response := range op.Responses {
				e.fill(response.Content)
			}
		}
	}
}

// exampleMaker makes examples. A shape that holds itself ends where it comes again.
type exampleMaker struct{ schemas map[string]*huma.Schema }

func (e exampleMaker) fill(content map[string]*huma.MediaType) {
	for kind, media := range content {
		if media.Schema != nil && media.Example == nil && kind == "application/json" {
			media.Example = e.of(media.Schema, "", nil)
		}
	}
}

// of makes a value of a schema; name is the field's.
// within are the shapes that it stands in; nil is the answer inside one of them.
func (e exampleMaker) of(s *huma.Schema, name string, within []*huma.Schema) any {
	if s.Ref != "" {
		s = e.schemas[s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]]
	}
	if slices.Contains(within, s) {
		return nil
	}
	switch {
	case len(s.Examples) > 0:
		return s.Examples[0]
	case len(s.AnyOf) > 0:
		return e.of(s.AnyOf[0], name, within)
	case len(s.Enum) > 0:
		return s.Enum[0]
	}
	switch s.Type {
	case huma.TypeString:
		return exampleText(s, name)
	case huma.TypeInteger:
		return exampleNumber(s, name, 7)
	case huma.TypeNumber:
		return exampleNumber(s, name, 12.5)
	case huma.TypeBoolean:
		return true
	case huma.TypeArray:
		if item := e.of(s.Items, strings.TrimSuffix(name, "s"), within); item != nil {
			return []any{item}
		}
		return []any{}
	}
	return e.object(s, within)
}

func (e exampleMaker) object(s *huma.Schema, within []*huma.Schema) any {
	within = append(slices.Clone(within), s)
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if v := e.of(s.Properties[name], name, within); v != nil {
			out[name] = v
		}
	}
	return out
}

// exampleText is a word for a field of this name and format.
func exampleText(s *huma.Schema, name string) string {
	switch s.Format {
	case "uuid":
		return exampleUUID
	case "date-time":
		return "2026-05-31T09:30:00.000Z"
	case "date":
		return "2026-05-31"
	}
	words := map[string]string{
		"color": "#2e7d32", "description": "What people should know of it", "email": "mara@meridian.example", "fullName": "Mara Lindqvist",
		"text": "How did revenue develop by month?", "url": "/api/v1/discourse/displayobjects/" + exampleUUID + "/content?token=…",
		"timeZone": "Europe/Paris", "timezone": "Europe/Paris", "time": "09:30", "next": "/api/v1/discourse/conversations?page=2", "picture": "",
		"code": "SELECT region, sum(revenue) FROM orders GROUP BY region", "language": "sql", "model": "builtin", "modelProvider": "builtin",
		"provider": "builtin", "inputParameters": "Region\nMonth", "detailedInstructions": "Show revenue by month for {{Region}}",
		"qaInstructions": "Check that no month is missing", "initialMessage": "Review the sales of {{Region}}",
		"question": "What is active revenue?", "index": "What is active revenue?", "value": "Revenue of subscriptions that are not cancelled",
		"response": "Revenue of subscriptions that are not cancelled", "contentType": "text/csv", "fileName": "orders.csv",
	}
	if word, ok := words[name]; ok {
		return word
	}
	if s.MaxLength != nil && *s.MaxLength < len("Sales by region") {
		return "Sales"[:min(*s.MaxLength, len("Sales"))]
	}
	return "Sales by region"
}

// exampleNumber keeps the limits of the field.
func exampleNumber(s *huma.Schema, name string, usual float64) any {
	words := map[string]float64{"dayOfMonth": 1, "dayOfWeek": 1, "month": 1, "order": 1, "count": 1, "status": 200}
	v := usual
	if word, ok := words[name]; ok {
		v = word
	}
	if s.Minimum != nil {
		v = max(v, *s.Minimum)
	}
	if s.Maximum != nil {
		v = min(v, *s.Maximum)
	}
	if s.Type == huma.TypeInteger {
		return int64(v)
	}
	return v
}
