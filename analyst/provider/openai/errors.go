package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/ssestream"

	"parley.dev/parley/analyst"
	"parley.dev/parley/domain"
)

// errCut says that the stream ended before the vendor said why.
var errCut = errors.New("the stream ended early")

// mapError says what a failure means and what may be done about it. Reasons
// never hold the key, the address or the vendor's own text.
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
	case errors.As(err, &ours), errors.As(err, &known):
		return err
	case ctx.Err() != nil:
		return fmt.Errorf("model call: %w", ctx.Err())
	case errors.As(err, &theirs):
		return mapStatus(theirs)
	case errors.As(err, &sse):
		return &analyst.ProviderError{Retryable: true, Reason: "The model reported an error.", Cause: err}
	case errors.As(err, &syntax), errors.As(err, &shape), strings.Contains(err.Error(), "unexpected end of JSON"):
		return &analyst.ProviderError{Retryable: true, Reason: "The model sent something that cannot be read.", Cause: err}
	case errors.Is(err, errCut):
		return &analyst.ProviderError{Retryable: true, Reason: "The connection to the model broke.", Cause: err}
	default:
		return &analyst.ProviderError{Retryable: true, Reason: "The model cannot be reached.", Cause: err}
	}
}

func mapStatus(e *sdk.Error) *analyst.ProviderError {
	out := &analyst.ProviderError{Status: e.StatusCode, Cause: e}
	switch {
	case e.StatusCode == http.StatusTooManyRequests && e.Code == "insufficient_quota":
		out.Reason = "The model provider's quota is used up."
	case e.StatusCode == http.StatusTooManyRequests:
		out.Retryable, out.Reason = true, "The model is busy (too many requests)."
	case e.StatusCode == http.StatusUnauthorized, e.StatusCode == http.StatusForbidden:
		out.Reason = "The model provider refused the key."
	case e.StatusCode == http.StatusNotFound:
		out.Reason = "The model provider does not know this model."
	case e.Code == "context_length_exceeded", e.StatusCode == http.StatusRequestEntityTooLarge:
		out.Reason = "The conversation has grown too long for this model."
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

// retryAfter reads the wait that a vendor asks for, in whole seconds.
func retryAfter(h http.Header) int {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return max(1, int(min(ms, 3_600_000)/1000))
	}
	value := strings.TrimSpace(h.Get("Retry-After"))
	if s, err := strconv.ParseFloat(value, 64); err == nil && s > 0 {
		return max(1, int(min(s, 3600)))
	}
	// A date counts from the vendor's own clock, which its answer tells.
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
