package api

// The registration of calls with huma, and the configuration of huma. All calls are made by
// register, so that no call exists without a right, without problem documents as its errors, and
// without the header of an idempotency key where it changes something.

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

const apiPrefix = "/api/v1"

// none is the input of a call without input, and the output of a 204.
type none struct{}

// body is the output of a call that answers with JSON.
type body[T any] struct{ Body T }

// answer makes the output of a call that answers with JSON.
func answer[T any](v T) *body[T] { return &body[T]{Body: v} }

// register adds one call to the table, with the right that it needs. Every error of a handler
// becomes a problem document here, and internal errors are logged here.
func register[I, O any](a huma.API, log *slog.Logger, op huma.Operation, n need, handle func(context.Context, *I) (*O, error)) {
	n.into(&op)
	op.OperationID = operationID(op)
	op.Security = []map[string][]string{{"bearer": {}}}
	acceptIdempotencyKey(&op, reflect.TypeFor[I]())
	huma.Register(a, op, func(ctx context.Context, in *I) (*O, error) {
		out, err := handle(ctx, in)
		if err == nil {
			return out, nil
		}
		// Rights come before the rules of a body (docs/contract.md, order of refusals): a person
		// without the right gets 404 or 403, and not 422.
		if domain.CodeOf(err) == domain.CodeInvalid {
			err = requestOf(ctx).asDenied(err)
		}
		p := problemOf(err, requestOf(ctx).id)
		if p.Status >= http.StatusInternalServerError {
			log.LogAttrs(ctx, slog.LevelError, "call failed",
				slog.String("operation", op.OperationID), slog.String("request", p.RequestID), slog.Any("error", err))
		}
		return nil, p
	})
}

// operationID makes an id such as get-discourse-conversations-by-id from a method and a path.
func operationID(op huma.Operation) string {
	id := strings.ToLower(op.Method)
	for part := range strings.SplitSeq(strings.Trim(op.Path, "/"), "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			part = "by-" + strings.TrimSuffix(name, "}")
		}
		id += "-" + part
	}
	return id
}

// humaConfig is the configuration of the API's documentation and formats.
func humaConfig() huma.Config {
	registry := huma.NewMapRegistry("#/components/schemas/", schemaName)
	// protocol.Time writes itself as a text, so its Go type must not be described.
	registry.RegisterTypeAlias(reflect.TypeFor[protocol.Time](), reflect.TypeFor[timestamp]())
	return huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{
				Title:   "Parley",
				Version: "1",
				Description: "Chat with agents about connected data. Names of fields and parameters are also accepted in snake_case. Times are RFC " +
					"3339 in UTC with milliseconds. Lists return results and pagination. Errors are problem documents (RFC 9457). A request with an " +
					"Idempotency-Key is executed once: a request with the same key within 24 hours returns the first result.",
				License: &huma.License{Name: "Proprietary"},
			},
			Tags:    documentedTags(),
			Servers: []*huma.Server{{URL: apiPrefix}},
			Components: &huma.Components{
				Schemas: registry,
				SecuritySchemes: map[string]*huma.SecurityScheme{
					"bearer": {Type: "http", Scheme: "bearer", BearerFormat: "JWT", Description: "An access token of the configured identity provider."},
				},
			},
		},
		// The documentation page would load a foreign script, and $schema links are of no
		// use for our clients: both are off.
		Formats:       map[string]huma.Format{"application/json": huma.DefaultJSONFormat, "json": huma.DefaultJSONFormat},
		DefaultFormat: "application/json",
		Transformers:  []huma.Transformer{transformProblem},
	}
}

// timestamp replaces protocol.Time in the documentation.
type timestamp struct{}

// Schema implements huma.SchemaProvider.
func (timestamp) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Format: "date-time", Description: "RFC 3339 in UTC with milliseconds."}
}

// schemaName distinguishes types that have the same name on the stream and in answers.
func schemaName(t reflect.Type, hint string) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t {
	case reflect.TypeFor[protocol.Analyst]():
		return "MessageAnalyst"
	case reflect.TypeFor[protocol.Rewound]():
		return "ConversationRewound"
	}
	return huma.DefaultSchemaNamer(t, hint)
}

// transformProblem turns the errors that huma makes itself into problem documents.
func transformProblem(ctx huma.Context, _ string, v any) (any, error) {
	e, ok := v.(*huma.ErrorModel)
	if !ok {
		return v, nil
	}
	r := requestOf(ctx.Context())
	p := problemOfHuma(e, r.id)
	// These are errors of the shape of a body, which huma finds before the handler. The right is
	// still checked first.
	if p.Status == http.StatusUnprocessableEntity {
		if err := r.asDenied(nil); err != nil {
			p = problemOf(err, r.id)
		}
	}
	// huma sets the status of its own error; the normalised context replaces it by this one.
	if n, ok := ctx.(*normalised); ok {
		n.status = p.Status
	}
	return p, nil
}

// keyMax is the maximum length of an idempotency key in bytes.
const keyMax = 200

// validKey reports whether an idempotency key can be stored, because it is a column of the database.
func validKey(key string) bool { return len(key) <= keyMax && domain.Storable(key) }

// idempotency makes an idempotency key: the client's key, and a hash of its request.
func idempotency(key string, asked any) (domain.IdempotencyKey, error) {
	if key == "" {
		return domain.IdempotencyKey{}, nil
	}
	if !validKey(key) {
		return domain.IdempotencyKey{}, domain.Invalid(headerKey, fmt.Sprintf("The key must have at most %d bytes", keyMax))
	}
	encoded, err := json.Marshal(asked)
	if err != nil {
		return domain.IdempotencyKey{}, domain.Internal(err, "the request cannot be hashed")
	}
	return domain.IdempotencyKey{Key: key, Body: sha256.Sum256(encoded)}, nil
}
