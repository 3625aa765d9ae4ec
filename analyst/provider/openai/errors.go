package openai

// Errors of the API. A person reads a fixed sentence; the text of the vendor may have parts of the
// prompt or of the key in it and is only in the cause, which is logged. Retryable says that the
// same call may succeed, and TooLong that a shorter context would.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

// errCut means that the stream ended before the vendor gave a reason.
var errCut = errors.New("the stream ended early")

// detailMax is the maximum number of bytes of a vendor's error that are read.
const detailMax = 64 << 10

// errFiltered is for an answer that the vendor's filter has stopped: the same question would be
// stopped again.
func errFiltered(cause error) *analyst.ProviderError {
	return &analyst.ProviderError{Reason: "The model provider's content filter stopped this answer. Please ask in other words.", Cause: cause}
}

// errNoTool is for a call that cannot be made: another answer may be better.
func errNoTool(cause error) *analyst.ProviderError {
	return &analyst.ProviderError{Retryable: true, Reason: "The model asked for a tool without saying which one.", Cause: cause}
}

// mapError says what a failure means and what can be done about it. Reasons never contain the key, the
// address or the vendor's own text.
func mapError(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	var ours *analyst.ProviderError
	var theirs *sdk.Error
	var known *domain.Error
	var sse *ssestream.StreamError
	var syntax *json.SyntaxError
	var shape *json.UnmarshalTypeError
	switch {
	// An error that has its meaning already is not mapped again.
	case errors.As(err, &ours), errors.As(err, &known):
		return err
	// The caller has ended the call, so the error is not one of the vendor.
	case ctx.Err() != nil:
		return fmt.Errorf("model call: %w", ctx.Err())
	case errors.As(err, &theirs):
		return mapStatus(theirs)
	case errors.As(err, &sse):
		return mapEvent(sse)
	// The SDK has no type for this error.
	case errors.As(err, &syntax), errors.As(err, &shape), strings.Contains(err.Error(), "unexpected end of JSON"):
		return &analyst.ProviderError{Retryable: true, Reason: "The model sent something that cannot be read.", Cause: err}
	case errors.Is(err, errCut), errors.Is(err, io.ErrUnexpectedEOF):
		return &analyst.ProviderError{Retryable: true, Reason: "The connection to the model broke.", Cause: err}
	default:
		// Everything else is the way to the server: names, addresses, certificates.
		return &analyst.ProviderError{Retryable: true, Reason: "The model cannot be reached.", Cause: err}
	}
}

// mapStatus reads an answer that is not a stream.
func mapStatus(e *sdk.Error) *analyst.ProviderError {
	// The words of the error are the same in upper and lower case.
	detail := strings.ToLower(e.Code + " " + e.Type + " " + e.Message)
	if e.Response != nil && e.Response.Body != nil {
		// Servers differ in where they write the error. The SDK has made the body readable again.
		if body, err := io.ReadAll(io.LimitReader(e.Response.Body, detailMax)); err == nil {
			detail += " " + strings.ToLower(string(body))
		}
	}
	out := &analyst.ProviderError{Status: e.StatusCode, Cause: e}
	switch {
	// Waiting does not help with these.
	case e.StatusCode == http.StatusTooManyRequests && e.Code == "insufficient_quota", e.StatusCode == http.StatusPaymentRequired:
		out.Reason = "The model provider's quota is used up."
	case e.StatusCode == http.StatusTooManyRequests:
		out.Retryable, out.Reason = true, "The model is busy (too many requests)."
	case e.StatusCode == http.StatusUnauthorized, e.StatusCode == http.StatusForbidden:
		out.Reason = "The model provider refused the key."
	case e.StatusCode == http.StatusNotFound:
		out.Reason = "The model provider does not know this model."
	case e.StatusCode == http.StatusRequestEntityTooLarge, tooLong(detail):
		out.TooLong, out.Reason = true, "The conversation has grown too long for this model."
	case filtered(detail):
		out.Reason = errFiltered(nil).Reason
	// 409 and 408 are temporary with this API, as are all errors of the server.
	case e.StatusCode == http.StatusRequestTimeout, e.StatusCode == http.StatusConflict, e.StatusCode >= 500:
		out.Retryable, out.Reason = true, "The model is not available right now."
	default:
		out.Reason = fmt.Sprintf("The model provider refused the request (status %d).", e.StatusCode)
	}
	if e.Response != nil && out.Retryable {
		out.RetryAfter = retryAfter(e.Response.Header)
	}
	return out
}

// mapEvent reads an error that a vendor put into the stream.
func mapEvent(e *ssestream.StreamError) *analyst.ProviderError {
	// Only the beginning is read: a body in an event may be long.
	detail := strings.ToLower(string(e.Event.Data[:min(len(e.Event.Data), detailMax)]))
	switch {
	case tooLong(detail):
		return &analyst.ProviderError{TooLong: true, Reason: "The conversation has grown too long for this model.", Cause: e}
	case filtered(detail):
		return errFiltered(e)
	default:
		return &analyst.ProviderError{Retryable: true, Reason: "The model reported an error.", Cause: e}
	}
}

// tooLong reports whether an error contains one of the phrases with which servers say that the context
// does not fit. Few servers have a code for it.
func tooLong(detail string) bool {
	return contains(
		detail,
		"context_length_exceeded", "exceed_context_size", "maximum context length", "available context size", "context window", "context length",
		"prompt is too long", "input is too long", "too large for model", "exceeds the maximum number of tokens", "reduce the length",
	)
}

// filtered reports whether an error contains one of the phrases of content filters.
func filtered(detail string) bool {
	return contains(detail, "content_filter", "content_policy", "content management policy", "content exists risk", "prohibited_content",
		"responsibleaipolicyviolation")
}

// contains reports whether a text has one of the parts.
func contains(text string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(text, p) {
			return true
		}
	}
	return false
}

// retryAfter reads the wait that a vendor asks for, in whole seconds, rounded up: a retry must not be
// earlier than the vendor allows.
func retryAfter(h http.Header) int {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return int(math.Ceil(min(ms, 3_600_000) / 1000))
	}
	value := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(value, 64); err == nil && s > 0 {
		return int(math.Ceil(min(s, 3600)))
	}
	// A date is relative to the vendor's own clock, which is in its answer.
	at, err := http.ParseTime(value)
	if err != nil {
		return 0
	}
	now, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return 0
	}
	return max(0, int(at.Sub(now)/time.Second))
}
