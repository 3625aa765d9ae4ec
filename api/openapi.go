package api

// The published description of the API (OpenAPI 3.1). huma makes it from the Go types of inputs and
// answers; this file adds what the types cannot say: null, values of enumerations, multipart bodies
// and the live stream. The web's types are generated from it, so make verify fails if it differs
// from the generated files.

import (
	"encoding/json"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humafiber"
	"github.com/gofiber/fiber/v2"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// OpenAPI returns the description of the API, without a server: it is the answer of
// /api/v1/openapi.json, and the web's types are generated from it.
func OpenAPI() ([]byte, error) {
	// No field of the configuration is used to describe the calls, so an empty one is enough.
	s := &Server{Config: Config{}.withDefaults(), app: fiber.New(fiber.Config{DisableStartupMessage: true})}
	return writeSpec(s.describe(s.app.Group(apiPrefix)))
}

// describe registers every call and returns the description.
func (s *Server) describe(group fiber.Router) *huma.OpenAPI {
	api := humafiber.NewV2WithGroup(s.app, group, humaConfig())
	api.UseMiddleware(s.normalise)
	s.userRoutes(api)
	s.conversationRoutes(api)
	s.messageRoutes(api)
	s.messageSearchRoutes(api)
	s.displayObjectRoutes(api)
	s.dataSourceRoutes(api)
	s.credentialRoutes(api)
	s.analystRoutes(api)
	s.feedbackRoutes(api)
	s.memoryRoutes(api)
	s.usageRoutes(api)
	s.projectLabelRoutes(api)
	s.blueprintRoutes(api)
	s.taskRoutes(api)
	s.clusterRoutes(api)
	finishSpec(api.OpenAPI())
	return api.OpenAPI()
}

// finishSpec states that lists are never null, and adds the stream, which huma does not
// serve, and the errors and examples of every call.
func finishSpec(o *huma.OpenAPI) {
	schemas := o.Components.Schemas.Map()
	// All errors are answered as Problem, so huma's own models of errors would only mislead.
	delete(schemas, "ErrorModel")
	delete(schemas, "ErrorDetail")
	frames := streamShapes(o.Components.Schemas)
	// huma says that a list may be null, because a nil slice is null in JSON. The answers of this
	// API always have a list.
	for _, schema := range schemas {
		for _, property := range schema.Properties {
			if property.Type == huma.TypeArray {
				property.Nullable = false
			}
		}
	}
	for name, fields := range nullFields() {
		for _, field := range fields {
			allowNull(schemas[name], field)
		}
	}
	for name, values := range enumFields() {
		schemas[name.schema].Properties[name.field].Enum = values
	}
	documentForms(o)
	o.Paths["/memory/file/info"].Post.RequestBody = uploadBody(false)
	o.Paths["/memory/file/datasources"].Post.RequestBody = uploadBody(true)
	o.Paths["/memory/datasources/{id}"].Put.RequestBody = changeBody(o.Components.Schemas)
	o.Paths["/memory/datasources/{id}/file"].Put.RequestBody = uploadBody(false)
	o.Paths["/memory/secrets"].Post.RequestBody = secretBody()
	o.Paths["/user/{uuid}/stream"] = streamPath(frames)
	describeParams(o)
	addDescriptions(o)
	addFailures(o)
	describeSchemas(schemas)
	addExamples(o)
}

// writeSpec writes the description with a line break at its end, as the generated file has it.
func writeSpec(o *huma.OpenAPI) ([]byte, error) {
	out, err := json.MarshalIndent(o, "", "  ")
	if err != nil {
		return nil, domain.Internal(err, "the OpenAPI document cannot be written")
	}
	return append(out, '\n'), nil
}

// nullFields are the fields of answers that are always present and may be null, which huma
// does not derive from pointers to structs and ids.
func nullFields() map[string][]string {
	return map[string][]string{
		"Message":    {"parentMessageId", "turnId", "author", "analyst"},
		"Stopped":    {"lastMessage"},
		"Analyst":    {"owner"},
		"DataSource": {"lastUsedAt"},
		"Memory":     {"owner"},
		"Blueprint":  {"owner", "lastUsedAt"},
		"Pagination": {"next", "previous"},
		"Task":       {"nextRunAt"},
		"TaskRun":    {"conversationId", "turnId", "endedAt"},
	}
}

// allowNull lets one field be null. A field that refers to another schema becomes a choice of that
// schema or null, because in OpenAPI 3.1 a reference and a type are two rules that must both hold.
func allowNull(schema *huma.Schema, field string) {
	property := schema.Properties[field]
	if property.Ref == "" {
		property.Nullable = true
		return
	}
	schema.Properties[field] = &huma.Schema{AnyOf: []*huma.Schema{{Ref: property.Ref}, {Type: "null"}}, Description: property.Description}
}

// schemaField names a field of a schema.
type schemaField struct{ schema, field string }

// enumFields are the values of fields whose types are declared in packages without the tags
// of the documentation.
func enumFields() map[schemaField][]any {
	roles := []any{
		string(domain.RoleUser), string(domain.RoleUserProxy), string(domain.RoleAssistant),
		string(domain.RoleSummary), string(domain.RoleInternal), string(domain.RoleCoordinator),
	}
	ends := []any{string(domain.TurnComplete), string(domain.TurnStopped), string(domain.TurnInterrupted), string(domain.TurnFailed)}
	return map[schemaField][]any{
		{"Message", "role"}:        roles,
		{"Message", "displayRole"}: roles,
		{"Message", "status"}:      append([]any{string(domain.MessageStreaming)}, ends...),
		{"MessageEnd", "status"}:   ends,
		{"Annotation", "part"}:     {string(domain.PartAnswer), string(domain.PartWorking)},
		{"Annotation", "grade"}: {
			string(domain.GradeCertain), string(domain.GradeAssumed), string(domain.GradeUnchecked), string(domain.GradeAsked),
			string(domain.GradeRefused),
		},
		{"Figure", "of"}: {
			string(domain.FigureRows), string(domain.FigureSum), string(domain.FigureGroupSum), string(domain.FigureShare),
			string(domain.FigureDifference), string(domain.FigureChange), string(domain.FigureTimes),
		},
		{"StreamingComplete", "status"}: ends,
		{"DisplayObject", "type"}: {
			string(domain.DisplayHighcharts), string(domain.DisplayCSV), string(domain.DisplayPython),
			string(domain.DisplayLogs), string(domain.DisplayXLSX), string(domain.DisplayPNG),
		},
		{"ShownColumn", "format"}: {
			string(domain.FormatText), string(domain.FormatNumber), string(domain.FormatCount), string(domain.FormatMoney),
			string(domain.FormatPercent), string(domain.FormatFraction), string(domain.FormatPlain), string(domain.FormatDate),
			string(domain.FormatTime), string(domain.FormatWeek), string(domain.FormatMonth), string(domain.FormatQuarter),
			string(domain.FormatYear),
		},
		{"ShownColumn", "role"}: {
			string(domain.RoleOfTime), string(domain.RoleOfCategory), string(domain.RoleOfMeasure), string(domain.RoleOfKey),
		},
	}
}

// streamShapes are the shapes of the live stream, so that the web's types of it are generated
// as well.
func streamShapes(registry huma.Registry) *huma.Schema {
	all := &huma.Schema{}
	for _, shape := range []reflect.Type{
		reflect.TypeFor[protocol.Frame](), reflect.TypeFor[protocol.Delta](), reflect.TypeFor[protocol.ClientFrame](),
		reflect.TypeFor[protocol.MessageEnd](), reflect.TypeFor[protocol.MessageObjects](), reflect.TypeFor[protocol.MessageAnnotated](),
		reflect.TypeFor[protocol.StreamingComplete](),
		reflect.TypeFor[protocol.ConversationChange](), reflect.TypeFor[protocol.ConversationGone](), reflect.TypeFor[protocol.Rewound](),
		reflect.TypeFor[protocol.MessageNote](), reflect.TypeFor[protocol.RewindNote](), reflect.TypeFor[protocol.TaskChanged](),
		reflect.TypeFor[protocol.TaskRunNote](), reflect.TypeFor[protocol.TaskNote](), reflect.TypeFor[protocol.Progress](),
	} {
		// A shape is registered under the name of its Go type, for the generated types.
		all.AnyOf = append(all.AnyOf, registry.Schema(shape, true, shape.Name()))
	}
	return all
}

// streamPath describes the path of the live stream, which stream.go serves without huma.
func streamPath(frames *huma.Schema) *huma.PathItem {
	text := &huma.Schema{Type: huma.TypeString}
	return &huma.PathItem{Get: &huma.Operation{
		Extensions:  map[string]any{rightExtension: string(domain.FollowStream)},
		OperationID: "get-user-by-uuid-stream",
		Method:      http.MethodGet,
		Tags:        []string{"stream"},
		Summary:     "The live stream of a person's events",
		Description: "Upgrades to a websocket. The bearer token is in the Authorization header or, for browsers, in the subprotocols " +
			"parley.v1, bearer.<token>. With Accept: text/event-stream the same frames are sent as server-sent events. See " +
			"docs/stream-protocol.md.",
		Security: []map[string][]string{{"bearer": {}}},
		Parameters: []*huma.Param{
			{Name: "uuid", In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeString, Format: "uuid"}},
			{Name: "conversations", In: "query", Schema: text, Description: "For server-sent events: the ids of the conversations to subscribe " +
				"to, separated by commas."},
			{Name: "Last-Event-ID", In: "header", Schema: text, Description: "For server-sent events: the position from which the stream " +
				"continues."},
		},
		Responses: map[string]*huma.Response{
			"101": {Description: "The connection becomes a websocket"},
			"200": {Description: "Server-sent events", Content: map[string]*huma.MediaType{"text/event-stream": {
				Schema:  frames,
				Example: map[string]any{"type": "session.ready", "seq": 118},
			}}},
		},
	}}
}

// serveSpec answers the description. It is written once, at the first request, and needs no bearer.
func (s *Server) serveSpec(c *fiber.Ctx) error {
	spec, err := s.spec()
	if err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, "application/vnd.oai.openapi+json")
	c.Set(fiber.HeaderCacheControl, "no-cache")
	return c.Send(spec) //nolint:wrapcheck // it never fails
}
