// Package telemetry makes traces of the product's work and sends them to a collector by OTLP over HTTP
// (OpenTelemetry). It is the only package that knows OpenTelemetry: others call its few functions, and
// without it they would lose these calls and nothing else.
//
// The spans of a turn form one tree, also if another node than the one that got the request makes the
// answer:
//
//	POST /api/v1/discourse/user-text     the request, which ends before the answer is made
//	└── turn                             the owner's actor, from the start to the commit of the end
//	    ├── chat <model>                 each call of the model
//	    ├── query duckdb                 each query of data
//	    └── journal                      all commits of the turn's text together
//
// There is no span for a token or a commit. Spans have ids, names of models, numbers and codes. Texts of
// people, SQL, values of data, texts of errors and secrets are in none of them.
//
// Traces are off unless a Tracer was made. A nil *Tracer and a context without a span are valid, and cost a
// comparison.
package telemetry

import (
	"context"
	"fmt"
	"log/slog"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// scope names this instrumentation in the spans.
const scope = "parley.dev/parley"

// Config is what Start needs.
type Config struct {
	// Version of the build, and the name of the node.
	Version, Node string
	// Log gets the errors of sending. Required.
	Log *slog.Logger
}

// Tracer makes the spans at which a trace begins. Nil: traces are off.
type Tracer struct{ tracer trace.Tracer }

// Wanted reports whether the standard variables of OpenTelemetry ask for traces.
func Wanted(getenv func(string) string) bool {
	if getenv("OTEL_SDK_DISABLED") == "true" || getenv("OTEL_TRACES_EXPORTER") == "none" {
		return false
	}
	return getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != ""
}

// Start makes a Tracer that sends to the collector of the standard variables (OTEL_EXPORTER_OTLP_*), which
// the library reads from the environment itself, as it does OTEL_TRACES_SAMPLER and OTEL_SERVICE_NAME. stop
// sends what is left. A collector that does not answer costs spans and delays nothing.
func Start(ctx context.Context, c Config) (t *Tracer, stop func(context.Context) error, err error) {
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("prepare to send traces: %w", err)
	}
	// What the environment says about the service comes last, so that it counts.
	about, err := resource.New(ctx, resource.WithAttributes(
		attribute.String("service.name", "parley"), attribute.String("service.version", c.Version),
		attribute.String("service.instance.id", c.Node),
	), resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return nil, nil, fmt.Errorf("describe this node for traces: %w", err)
	}
	// The library has no other way to report that a batch was not sent.
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		c.Log.LogAttrs(context.WithoutCancel(ctx), slog.LevelWarn, "traces could not be sent", slog.Any("error", err))
	}))
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(about))
	return &Tracer{provider.Tracer(scope, trace.WithInstrumentationVersion(c.Version))}, provider.Shutdown, nil
}

// Span is a span that runs. The zero value is none.
type Span struct{ span trace.Span }

// Request begins the span of an HTTP request. A trace that a client names is not continued: everybody
// could send one.
func (t *Tracer) Request(ctx context.Context, method, id string) (context.Context, Span) {
	if t == nil {
		return ctx, Span{}
	}
	ctx, span := t.tracer.Start(ctx, method, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
		attribute.String("http.request.method", method), attribute.String("parley.request.id", id),
	))
	return ctx, Span{span}
}

// Answered ends the span of a request. route is its pattern: addresses have ids in them.
func (s Span) Answered(method, route string, status int) {
	if s.span == nil {
		return
	}
	s.span.SetName(method + " " + route)
	s.span.SetAttributes(attribute.String("http.route", route), attribute.Int("http.response.status_code", status))
	if status >= 500 {
		s.span.SetStatus(codes.Error, "")
	}
	s.span.End()
}

// Command begins the span of a frame that a client has sent on its stream.
func (t *Tracer) Command(kind string) Span {
	if t == nil {
		return Span{}
	}
	_, span := t.tracer.Start(context.Background(), "stream "+kind, trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(attribute.String("parley.frame.type", kind)))
	return Span{span}
}

// End ends a span that has nothing more to say.
func (s Span) End() {
	if s.span != nil {
		s.span.End()
	}
}

// Parent returns the span of a context as a header of W3C Trace Context (traceparent), for a message to
// another actor or node; empty without one.
func Parent(ctx context.Context) string {
	if !trace.SpanContextFromContext(ctx).IsValid() {
		return ""
	}
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier.Get("traceparent")
}

// child begins a span below that of the context.
func child(ctx context.Context, name string, kind trace.SpanKind, of ...attribute.KeyValue) (context.Context, Span) {
	ctx, span := trace.SpanFromContext(ctx).TracerProvider().Tracer(scope).Start(ctx, name, trace.WithSpanKind(kind),
		trace.WithAttributes(of...))
	return ctx, Span{span}
}

// recorded reports whether a context has a span that is recorded.
func recorded(ctx context.Context) bool { return trace.SpanFromContext(ctx).IsRecording() }

// fail marks a span as failed. The text of an error may contain what people wrote, so only its code is told.
func (s Span) fail(code string) {
	s.span.SetAttributes(attribute.String("error.type", code))
	s.span.SetStatus(codes.Error, "")
}
