package api

// The errors that the published description names for each call. They are derived from properties
// of the calls, and not written call by call, so that a new call has them without further work. The
// table of codes is in error.go.

import (
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/domain"
)

// documentedFailure says in the published contract when a failure occurs.
type documentedFailure struct {
	code domain.Code
	when string
	// of reports whether a call may return it.
	of func(path string, op *huma.Operation) bool
}

// documentedFailures lists the errors by their codes, with the calls that may answer with them.
func documentedFailures() []documentedFailure {
	always := func(string, *huma.Operation) bool { return true }
	named := func(path string, op *huma.Operation) bool { return needOf(op).mayMiss(path) }
	given := func(_ string, op *huma.Operation) bool { return op.RequestBody != nil || len(op.Parameters) > 0 }
	writes := func(_ string, op *huma.Operation) bool {
		return op.Method != http.MethodGet && op.Method != http.MethodDelete
	}
	sends := func(_ string, op *huma.Operation) bool { return op.RequestBody != nil }
	// A table may be too large for another format.
	weighs := func(path string, op *huma.Operation) bool { return sends(path, op) || ranged(op) }
	return []documentedFailure{
		{domain.CodeBadRequest, "The request is malformed: invalid JSON, two bearer tokens, or an invalid path.", always},
		{domain.CodeUnauthenticated, "The bearer token is missing or not valid, or the session has ended (E401).", always},
		{domain.CodeForbidden, "The caller may see the object but not do this with it, or does not have the required flag (forbidden), or has " +
			"no account here (U401).", always},
		{domain.CodeNotFound, "The object does not exist, or the caller may not see it (D404).", named},
		{domain.CodeConflict, "The object was changed since, or exists already.", writes},
		{domain.CodeTooLarge, "The body is larger than " + sizeOf(bodyLimit) + " of JSON or " + sizeOf(domain.UploadMax) +
			" of a file, or the table is too large for the format.", weighs},
		{domain.CodeUnsupportedType, "The type of the content is not supported.", sends},
		{domain.CodeInvalid, "A field or a parameter is not valid. errors says which one, with a text to show to people.", given},
		{domain.CodeTooMany, "Too many requests. Retry-After says when to try again, in seconds.", always},
		{domain.CodeInternal, "An internal error. requestId identifies it in the server's log.", always},
		{domain.CodeUnavailable, "The server is temporarily unavailable. Retry-After says when to try again, in seconds.", always},
	}
}

// addFailures documents for each call which errors it returns. Errors that every call may
// return are listed under default.
func addFailures(o *huma.OpenAPI) {
	problem := o.Components.Schemas.Schema(reflect.TypeFor[Problem](), true, "Problem")
	shared := map[string]*huma.Response{}
	failures := documentedFailures()
	for i := range failures {
		f := failureOf(failures[i].code)
		shared[responseName(f)] = &huma.Response{
			Description: failures[i].when,
			Content:     map[string]*huma.MediaType{"application/problem+json": {Schema: problem, Example: problemExample(failures[i].code)}},
		}
	}
	o.Components.Responses = shared
	// These have a status without a domain code: the HTTP layer makes them.
	rare := []struct {
		failure failure
		when    string
		of      func(op *huma.Operation) bool
	}{
		{codeOfStatus(http.StatusRequestedRangeNotSatisfiable), "The range is outside of the content. Content-Range contains the size of the " +
			"content in bytes.", ranged},
		{codeOfStatus(http.StatusUpgradeRequired), "The request is neither for a websocket nor for server-sent events.", streams},
	}
	for _, r := range rare {
		shared[responseName(r.failure)] = &huma.Response{
			Description: r.when,
			Content:     map[string]*huma.MediaType{"application/problem+json": {Schema: problem, Example: problemLike(r.failure)}},
		}
	}
	// The order of the map does not matter: each call gets its entries by status.
	for path, item := range o.Paths {
		for _, op := range operationsOf(item) {
			for _, r := range rare {
				if r.of(op) {
					op.Responses[strconv.Itoa(r.failure.Status)] = &huma.Response{Ref: "#/components/responses/" + responseName(r.failure)}
				}
			}
			for i := range failures {
				if failures[i].of(path, op) {
					f := failureOf(failures[i].code)
					op.Responses[strconv.Itoa(f.Status)] = &huma.Response{Ref: "#/components/responses/" + responseName(f)}
				}
			}
			op.Responses["default"] = &huma.Response{
				Description: "Any other error has the same shape.",
				Content:     map[string]*huma.MediaType{"application/problem+json": {Schema: problem, Example: problemExample(domain.CodeUnavailable)}},
			}
		}
	}
}

// ranged reports whether a call can answer with a part of its content.
func ranged(op *huma.Operation) bool {
	return slices.ContainsFunc(op.Parameters, func(p *huma.Param) bool { return p.Name == "Range" })
}

// streams reports whether a call continues as a stream.
func streams(op *huma.Operation) bool { return op.Responses["101"] != nil }

// responseName makes UnprocessableEntity of 422.
func responseName(f failure) string {
	return strings.ReplaceAll(http.StatusText(f.Status), " ", "")
}

// problemLike returns the body of a failure that contains only its title.
func problemLike(f failure) map[string]any {
	return map[string]any{
		"type": "about:blank", "title": f.Title, "status": f.Status, "detail": f.Title, "code": f.Code, "requestId": exampleUUID,
	}
}

// problemExample is an example of an error. Only a validation error names fields.
func problemExample(code domain.Code) map[string]any {
	p := problemLike(failureOf(code))
	if code == domain.CodeInvalid {
		p["detail"] = "Please enter a name"
		p["errors"] = []any{map[string]any{"field": "name", "message": "Please enter a name"}}
	}
	return p
}

// operationsOf lists the calls of one path.
func operationsOf(item *huma.PathItem) []*huma.Operation {
	var all []*huma.Operation
	for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch, item.Delete} {
		if op != nil {
			all = append(all, op)
		}
	}
	return all
}
