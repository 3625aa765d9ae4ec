package telemetry

import (
	"context"
	"time"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// Turn is the span of a turn with what its commits add up to. The owner's actor has it, and is the only one
// that calls it. Nil: traces are off.
type Turn struct {
	span Span
	// submitted is when the write in flight was submitted; zero if there is none.
	submitted, first, last time.Time
	commits                int
	waited                 time.Duration
}

// Turn begins the span of a turn. parent is what Parent returned for its request, perhaps on another node;
// if it is empty, as for a turn that is continued after the loss of its node, the trace begins here, and
// the turn's id connects it with the first one.
func (t *Tracer) Turn(parent string, conversation, turn uuid.UUID, attempt int) *Turn {
	if t == nil {
		return nil
	}
	ctx := propagation.TraceContext{}.Extract(context.Background(), propagation.MapCarrier{"traceparent": parent})
	_, span := t.tracer.Start(ctx, "turn", trace.WithSpanKind(trace.SpanKindInternal), trace.WithAttributes(
		attribute.String("parley.conversation.id", conversation.String()), attribute.String("parley.turn.id", turn.String()),
		attribute.Int("parley.turn.attempt", attempt),
	))
	return &Turn{span: Span{span}}
}

// Context returns a context below which the turn's work is traced.
func (t *Turn) Context(ctx context.Context) context.Context {
	if t == nil {
		return ctx
	}
	return trace.ContextWithSpan(ctx, t.span.span)
}

// Submitted notes that a write of the turn was passed to the journal.
func (t *Turn) Submitted(now time.Time) {
	if t == nil {
		return
	}
	t.submitted = now
	if t.first.IsZero() {
		t.first = now
	}
}

// Committed notes that it was committed.
func (t *Turn) Committed(now time.Time) {
	if t == nil || t.submitted.IsZero() {
		return
	}
	t.commits++
	t.waited += now.Sub(t.submitted)
	t.submitted, t.last = time.Time{}, now
}

// End ends the span, with one below it for all commits.
func (t *Turn) End(status string, failed bool) {
	if t == nil {
		return
	}
	if t.commits > 0 {
		_, journal := t.span.span.TracerProvider().Tracer(scope).Start(t.Context(context.Background()), "journal",
			trace.WithTimestamp(t.first), trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
				attribute.String("db.system.name", "postgresql"), attribute.Int("parley.journal.commits", t.commits),
				attribute.Float64("parley.journal.waited_seconds", t.waited.Seconds()),
			))
		journal.End(trace.WithTimestamp(t.last))
	}
	t.span.span.SetAttributes(attribute.String("parley.turn.status", status))
	if failed {
		t.span.fail(status)
	}
	t.span.End()
}

// Call begins the span of a call of a model.
func Call(ctx context.Context, provider, model string) (context.Context, Span) {
	if !recorded(ctx) {
		return ctx, Span{}
	}
	return child(ctx, "chat "+model, trace.SpanKindClient, attribute.String("gen_ai.operation.name", "chat"),
		attribute.String("gen_ai.provider.name", provider), attribute.String("gen_ai.request.model", model))
}

// Called ends the span of a call of a model. code is that of its failure, empty if it succeeded.
func (s Span) Called(input, output int64, code string) {
	if s.span == nil {
		return
	}
	s.span.SetAttributes(attribute.Int64("gen_ai.usage.input_tokens", input), attribute.Int64("gen_ai.usage.output_tokens", output))
	if code != "" {
		s.fail(code)
	}
	s.span.End()
}

// Query begins the span of a query of data. system is the kind of database.
func Query(ctx context.Context, system string) (context.Context, Span) {
	if !recorded(ctx) {
		return ctx, Span{}
	}
	// Queries only read (connectors/workbench, connectors.Warehouse).
	return child(ctx, "query "+system, trace.SpanKindClient, attribute.String("db.system.name", system),
		attribute.String("db.operation.name", "SELECT"))
}

// Queried ends the span of a query. code is that of its failure, empty if it succeeded.
func (s Span) Queried(rows int, code string) {
	if s.span == nil {
		return
	}
	s.span.SetAttributes(attribute.Int("db.response.returned_rows", rows))
	if code != "" {
		s.fail(code)
	}
	s.span.End()
}
