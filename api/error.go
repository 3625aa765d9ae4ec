package api

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// failure is the HTTP form of a domain code.
type failure struct {
	Status int `json:"status"`
	// Code is what clients switch on: a code of the specification's catalogue if one fits,
	// otherwise a word in kebab case.
	Code string `json:"code"`
	// Title is short and the same for every occurrence.
	Title string `json:"title"`
}

// failureOf is the only table from domain codes to HTTP. The web's catalogue is generated
// from it.
func failureOf(code domain.Code) failure {
	switch code {
	case domain.CodeInvalid:
		return failure{http.StatusUnprocessableEntity, "invalid", "The input is not valid"}
	case domain.CodeBadRequest:
		return failure{http.StatusBadRequest, "bad-request", "The request cannot be read"}
	case domain.CodeUnauthenticated:
		return failure{http.StatusUnauthorized, "E401", "Your session has expired"}
	case domain.CodeUnknownUser:
		return failure{http.StatusForbidden, "U401", "You are not authorized to access this resource"}
	case domain.CodeForbidden:
		return failure{http.StatusForbidden, "forbidden", "You do not have permission to do this"}
	case domain.CodeNotFound:
		return failure{http.StatusNotFound, "D404", "Resource not found"}
	case domain.CodeConflict:
		return failure{http.StatusConflict, "conflict", "It changed meanwhile"}
	case domain.CodeTooLarge:
		return failure{http.StatusRequestEntityTooLarge, "too-large", "It is too large"}
	case domain.CodeUnsupportedType:
		return failure{http.StatusUnsupportedMediaType, "unsupported-type", "This type of content is not supported"}
	case domain.CodeTooMany:
		return failure{http.StatusTooManyRequests, "too-many", "Too many requests"}
	case domain.CodeUnavailable, domain.CodeFenced:
		return failure{http.StatusServiceUnavailable, "unavailable", "Please try again in a moment"}
	case domain.CodeInternal:
		return failure{http.StatusInternalServerError, "I500", "An unexpected error occurred"}
	}
	return failure{http.StatusInternalServerError, "I500", "An unexpected error occurred"}
}

// codeOfStatus returns the failure of a status, for errors that the HTTP layers make
// themselves.
func codeOfStatus(status int) failure {
	for _, code := range domainCodes() {
		if f := failureOf(code); f.Status == status && code != domain.CodeUnknownUser {
			return f
		}
	}
	title := http.StatusText(status)
	if title == "" {
		title = "Error"
	}
	return failure{status, strings.ReplaceAll(strings.ToLower(title), " ", "-"), title}
}

// domainCodes are the codes of the table that a client can get. CodeFenced is not among them: the
// client gets CodeUnavailable instead.
func domainCodes() []domain.Code {
	return []domain.Code{
		domain.CodeInvalid, domain.CodeBadRequest, domain.CodeUnauthenticated, domain.CodeUnknownUser, domain.CodeForbidden,
		domain.CodeNotFound, domain.CodeConflict, domain.CodeTooLarge, domain.CodeUnsupportedType, domain.CodeTooMany,
		domain.CodeUnavailable, domain.CodeInternal,
	}
}

// ErrorCatalogue returns the table as JSON, from which the web's catalogue is made. Its first
// part contains the codes of the sign-in page with their texts.
func ErrorCatalogue() ([]byte, error) {
	catalogue := struct {
		SignIn   map[string]string `json:"signIn"`
		Other    string            `json:"other"`
		Failures []failure         `json:"failures"`
	}{
		SignIn: map[string]string{
			"E401": "Your session has expired",
			"U401": "You are not authorized to access this resource",
			"I500": "Error loading assets",
			"D404": "Resource not found",
			"S429": "Failed to reconnect to server",
		},
		Other: "An unknown error occurred",
	}
	for _, code := range domainCodes() {
		catalogue.Failures = append(catalogue.Failures, failureOf(code))
	}
	out, err := json.MarshalIndent(catalogue, "", "  ")
	if err != nil {
		return nil, domain.Internal(err, "the error catalogue cannot be written")
	}
	return append(out, '\n'), nil
}

// Problem is the body of every error (RFC 9457).
type Problem struct {
	Type      string         `json:"type" doc:"Always about:blank. The field code says which error it is."`
	Title     string         `json:"title" doc:"A short text, the same for every error of this kind."`
	Status    int            `json:"status" doc:"The HTTP status code of the response."`
	Detail    string         `json:"detail" doc:"A text to show to people."`
	Code      string         `json:"code" doc:"E401, U401, I500, D404, S429, or a word in kebab-case."`
	Errors    []ProblemField `json:"errors,omitempty" doc:"The fields that are not valid."`
	Head      *ProblemHead   `json:"head,omitempty" doc:"The current position in the conversation's log. Only for a prompt that was based on an older position."`
	RequestID string         `json:"requestId" doc:"The id of the request in the server's log."`

	// headers are added to the answer.
	headers http.Header
}

// ProblemField is one broken rule of one field.
type ProblemField struct {
	Field   string `json:"field" doc:"The name of the field with its path, such as schedule.timeZone or steps[0].name."`
	Message string `json:"message" doc:"What is wrong, as a text to show to people."`
}

// ProblemHead is the current head of a conversation.
type ProblemHead struct {
	Seq        int64      `json:"seq" doc:"The position in the log. Positions start at 1 and have no gaps."`
	Generation int64      `json:"generation" doc:"The generation of the conversation: it starts at 1 and increases by 1 with each rewind. Ignore frames of a lower generation."`
	MessageID  *uuid.UUID `json:"messageId" format:"uuid" nullable:"true" doc:"The last message that the caller may see; null if there is none."`
}

// Error implements error.
func (p *Problem) Error() string { return p.Code + ": " + p.Detail }

// GetStatus implements huma.StatusError.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType implements huma.ContentTypeFilter.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// GetHeaders implements huma.HeadersError.
func (p *Problem) GetHeaders() http.Header { return p.headers }

// with adds a header.
func (p *Problem) with(name, value string) *Problem {
	if p.headers == nil {
		p.headers = http.Header{}
	}
	p.headers.Set(name, value)
	return p
}

// newProblem makes a problem document. Without a text for people it has the title.
func newProblem(f failure, detail, requestID string) *Problem {
	if detail == "" {
		detail = f.Title
	}
	return &Problem{Type: "about:blank", Title: f.Title, Status: f.Status, Detail: detail, Code: f.Code, RequestID: requestID}
}

// problemOf turns any error into the problem document for a client. It shows only the message
// of a domain error, and of an internal error not even that.
func problemOf(err error, requestID string) *Problem {
	var p *Problem
	if errors.As(err, &p) {
		return p
	}
	var transport *fiber.Error
	if errors.As(err, &transport) {
		return newProblem(codeOfStatus(transport.Code), "", requestID)
	}
	var d *domain.Error
	if !errors.As(err, &d) || d.Code == domain.CodeInternal || d.Code == domain.CodeFenced {
		code := domain.CodeOf(err)
		out := newProblem(failureOf(code), "", requestID)
		if code == domain.CodeFenced {
			// Another owner has the conversation now, so the same request succeeds at the next attempt.
			return out.with("Retry-After", "1")
		}
		return out
	}
	out := newProblem(failureOf(d.Code), d.Message, requestID)
	for _, field := range d.Fields {
		out.Errors = append(out.Errors, ProblemField(field))
	}
	// A client waits at least a second, even if the error names no time.
	if d.RetryAfter > 0 || d.Code == domain.CodeTooMany || d.Code == domain.CodeUnavailable {
		return out.with("Retry-After", strconv.Itoa(max(d.RetryAfter, 1)))
	}
	return out
}

// problemOfHuma turns huma's validation errors into a problem document. A malformed id in the
// path has the same answer as an object that does not exist. The values of the request are
// never sent back.
func problemOfHuma(e *huma.ErrorModel, requestID string) *Problem {
	status := e.Status
	inPath := slices.ContainsFunc(e.Errors, func(d *huma.ErrorDetail) bool { return d != nil && strings.HasPrefix(d.Location, "path.") })
	if inPath {
		return newProblem(failureOf(domain.CodeNotFound), "", requestID)
	}
	detail := ""
	if status == http.StatusBadRequest && e.Detail == "request body is required" {
		// A missing body breaks the same rule as an empty object.
		status, detail = http.StatusUnprocessableEntity, "The body is missing."
	}
	out := newProblem(codeOfStatus(status), detail, requestID)
	if status >= http.StatusInternalServerError {
		return out
	}
	for _, d := range e.Errors {
		if d == nil {
			continue
		}
		out.Errors = append(out.Errors, fieldOf(d))
	}
	return out
}

// fieldOf names the field as the client did: message.text, and not body.message.text.
func fieldOf(d *huma.ErrorDetail) ProblemField {
	location := "." + d.Location
	for _, part := range []string{".body", ".query", ".header", ".form", ".cookie"} {
		if rest, ok := strings.CutPrefix(location, part); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			location = rest
			break
		}
	}
	// huma reports a missing field at the object that lacks it.
	if rest, ok := strings.CutPrefix(d.Message, "expected required property "); ok {
		if name, ok := strings.CutSuffix(rest, " to be present"); ok {
			return ProblemField{Field: strings.TrimPrefix(location+"."+name, "."), Message: "This field is required."}
		}
	}
	message := d.Message
	if strings.HasPrefix(message, "expected value to match exactly one schema") {
		// Only the steps of a blueprint accept several types.
		message = "expected a step, or the id of one; a field of the step is not of its type"
	}
	if strings.HasPrefix(message, "json: ") {
		// The decoder's text is for programmers; only its field is shown.
		if field := decoded(message); location == "body" || location == "" {
			location = field
		}
		message = "The value is not valid."
	}
	return ProblemField{Field: strings.TrimPrefix(location, "."), Message: message}
}

// decoded returns the field in a decoder's message, such as "json: cannot unmarshal number
// 1e30 into Go struct field TaskRequest.schedule.time of type int64".
func decoded(message string) string {
	_, rest, _ := strings.Cut(message, "Go struct field ")
	rest, _, _ = strings.Cut(rest, " of type ")
	_, field, _ := strings.Cut(rest, ".")
	return field
}
