package api

import (
	"maps"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// exampleUUID is the id that represents every id in examples.
const exampleUUID = "01936f3e-7c2a-7b1d-9c55-0f6e2d8a4b10"

// exampleName is the name of objects that people name.
const exampleName = "Sales by region"

// exampleTable is the file that represents every file.
const exampleTable = "region,revenue\nNorth,1200\nSouth,800\n"

// fileContent is the documented content of an answer with a file or an object.
func fileContent() map[string]*huma.MediaType {
	text := func(example string) *huma.MediaType {
		return &huma.MediaType{Schema: &huma.Schema{Type: huma.TypeString}, Example: example}
	}
	return map[string]*huma.MediaType{
		"text/csv": text(exampleTable), "text/plain": text("SELECT region, sum(revenue) FROM orders GROUP BY region"),
		"application/json": {
			Schema: &huma.Schema{Description: "The options of a chart."}, Example: map[string]any{
				"chart":  map[string]any{"type": "column"},
				"series": []any{},
			},
		},
		"application/octet-stream": text("The bytes of a file of another kind, such as image/png or a workbook."),
		"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": text("The bytes of a workbook."),
	}
}

// addExamples adds an example to every body of the contract. It is made of the examples of
// the fields, so that no example can differ from its schema.
func addExamples(o *huma.OpenAPI) {
	e := exampleMaker{schemas: o.Components.Schemas.Map()}
	// Each field has its own example. The example of a field that contains a shape is at that
	// shape.
	own := fieldExamples()
	for of, schema := range e.schemas {
		for name, property := range schema.Properties {
			if example, ok := own[of+"."+name]; ok {
				property.Examples = []any{example}
			}
			if property.Ref != "" || len(property.AnyOf) > 0 || len(property.Examples) > 0 {
				continue
			}
			switch property.Type {
			case huma.TypeString, huma.TypeInteger, huma.TypeNumber, huma.TypeBoolean, huma.TypeObject:
				if example := e.of(property, name, nil); example != nil {
					property.Examples = []any{example}
				}
			case huma.TypeArray:
				if property.Items.Ref == "" && e.of(property.Items, strings.TrimSuffix(name, "s"), nil) != nil {
					property.Examples = []any{e.of(property, name, nil)}
				}
			}
		}
	}
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

// exampleMaker makes examples. A shape that contains itself ends where it would be repeated.
type exampleMaker struct{ schemas map[string]*huma.Schema }

func (e exampleMaker) fill(content map[string]*huma.MediaType) {
	for kind, media := range content {
		if media.Schema != nil && media.Example == nil && (kind == "application/json" || strings.Contains(kind, "form")) {
			media.Example = e.of(media.Schema, "", nil)
		}
	}
}

// of makes a value of a schema; name is the name of the field. within are the shapes around
// it; if the schema is one of them, of returns nil.
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
	case "":
		if len(s.Properties)+len(s.OneOf)+len(s.AllOf) == 0 {
			return exampleText(s, name) // of any type
		}
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
	if each, ok := s.AdditionalProperties.(*huma.Schema); ok && len(s.Properties) == 0 {
		key := "Region"
		if each.Ref != "" {
			key = exampleUUID // the keys of maps of shapes are ids
		}
		return map[string]any{key: e.of(each, key, within)}
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

// exampleText returns a text for a field of this name and format. It returns nil for a name
// that has no text here: a test then demands an example of the field, as a tag next to doc.
func exampleText(s *huma.Schema, name string) any {
	switch s.Format {
	case "uuid":
		return exampleUUID
	case "date-time":
		return "2026-05-31T09:30:00.000Z"
	case "date":
		return "2026-05-31"
	case "binary":
		return exampleTable
	}
	words := map[string]string{
		"name": exampleName, "agentName": exampleName, "conversationName": exampleName,
		"id": exampleUUID, "uuid": exampleUUID, "conversation": exampleUUID, "conversationId": exampleUUID, "messageId": exampleUUID,
		"turnId": exampleUUID, "taskId": exampleUUID, "object": exampleUUID, "preview": exampleTable,
		"color": "#2e7d32", "description": "What people should know of it", "email": "mara@meridian.example", "fullName": "Mara Lindqvist",
		"text": "How did revenue develop by month?", "url": "/api/v1/discourse/displayobjects/" + exampleUUID + "/content?token=…",
		"timeZone": "Europe/Paris", "timezone": "Europe/Paris", "time": "09:30", "next": "/api/v1/discourse/conversations?page=2", "picture": "",
		"code": "SELECT region, sum(revenue) FROM orders GROUP BY region", "language": "sql", "model": "builtin", "modelProvider": "builtin",
		"provider": "builtin", "inputParameters": "Region\nMonth", "detailedInstructions": "Show revenue by month for {{Region}}",
		"qaInstructions": "Check that no month is missing", "initialMessage": "Review the sales of {{Region}}",
		"question": "What is active revenue?", "index": "What is active revenue?", "value": "Revenue of subscriptions that are not cancelled",
		"response": "Revenue of subscriptions that are not cancelled", "contentType": "text/csv", "fileName": "orders.csv",
		"offset": "+02:00", "dayOfWeek": "Monday", "dayOfMonth": "31", "month": "February", "delimiter": ",", "encoding": "utf-8",
		"extension": ".csv", "mediaType": "text/csv", "stream": "user", "previous": "/api/v1/discourse/conversations?page=1",
		"requestId": "cfeb027a0d24153d028a7c31", "disabledReason": "", "reason": "", "hint": "such as North", "field": "name",
		"Region": "North", "message": exampleUUID, "data": "", "agent": "analyst", "controller": "analyst", "instructions": "Answer in euros",
		"parentMessageId": exampleUUID, "organization": "Meridian Outfitters", "title": "The input is not valid",
		"detail":      "Please enter a valid name",
		"projectName": "Spring campaign", "userName": "Mara Lindqvist",
		"currentStatusSummary": "Revenue grew by 12 % in 2025, most of it in the north.",
		"delta":                "message.delta", "specialInstructions": "Prefer bars to pies", "table": "orders",
	}
	if word, ok := words[name]; ok {
		return word
	}
	return nil
}

// fieldExamples returns examples for fields whose name does not show what their values look
// like.
func fieldExamples() map[string]any {
	return map[string]any{
		"ProblemField.message": "Please enter a valid name", "ProblemField.field": "name", "Problem.type": "about:blank",
		"Problem.code":   "invalid",
		"Problem.status": 422, "Frame.type": "message.created", "Frame.data": map[string]any{"conversationId": exampleUUID},
		"Delta.type":       "message.delta",
		"ClientFrame.type": "hello", "DataSourceType.id": "csv", "DataSourceType.name": "CSV file",
		"OfferedQuestion.text": "What is the total revenue by region?", "TimePeriod.id": "this_month", "TimePeriod.name": "This month",
		"Sentiment.name": "Like", "SentimentCount.name": "Like", "SentimentLabel.name": "Helpful", "AgentModel.model": "builtin",
		"Column.name":      "revenue",
		"ColumnValues.min": "0.5", "ColumnValues.max": "129.9", "ColumnValues.examples": []string{"North", "South"},
		"Column.type": "number", "Organization.name": "Meridian Outfitters", "OwnOrganization.name": "Meridian Outfitters",
		"ShareableEntity.name": "Tomas Okafor", "Task.name": "Monday report", "TaskRequest.name": "Monday report", "TaskRun.reason": "",
		"TimeZone.offset": "+02:00",
		"TaskNote.reason": "The blueprint was deleted.", "TaskRunNote.reason": "The blueprint is archived.", "DataSource.fileName": "orders.csv",
		"BlueprintInput.name": "Region", "MemoryType.name": "Insights", "MemoryWord.name": "Finance", "ProjectLabel.name": "Spring campaign",
		"ProjectLabelRef.name": "Spring campaign", "ProjectLabelRequest.name": "Spring campaign", "NestedProjectLabel.name": "Spring campaign",
		"UseCaseCategory.name": "Sales", "UsageRow.totalTokensCreditPercentageSum": 12.5, "UsageRow.totalTokensCreditPercentageOverOrgSum": 4.2,
	}
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
