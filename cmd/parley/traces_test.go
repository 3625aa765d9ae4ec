package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	collectorpb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"parley.dev/parley/persistence/persistencetest"
)

// collected is a collector (OTLP over HTTP) that keeps all spans.
type collected struct {
	mu    sync.Mutex
	raw   strings.Builder
	spans []*tracepb.Span
	nodes []string
	paths []string
}

func (c *collected) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	body, err := io.ReadAll(r.Body)
	batch := &collectorpb.ExportTraceServiceRequest{}
	if err == nil {
		err = proto.Unmarshal(body, batch)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	c.raw.Write(body)
	c.paths = append(c.paths, r.URL.Path)
	for _, resource := range batch.GetResourceSpans() {
		for _, of := range resource.GetScopeSpans() {
			for _, span := range of.GetSpans() {
				c.spans = append(c.spans, span)
				c.nodes = append(c.nodes, attributes(resource.GetResource().GetAttributes())["service.instance.id"])
			}
		}
	}
	answer, err := proto.Marshal(&collectorpb.ExportTraceServiceResponse{})
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
	_, _ = w.Write(answer)
}

// below returns the spans whose parent is the given one, by name.
func (c *collected) below(parent *tracepb.Span) map[string]*tracepb.Span {
	found := map[string]*tracepb.Span{}
	for _, span := range c.spans {
		if string(span.GetParentSpanId()) == string(parent.GetSpanId()) && string(span.GetTraceId()) == string(parent.GetTraceId()) {
			found[span.GetName()] = span
		}
	}
	return found
}

// one finds the span with an attribute.
func (c *collected) one(t *testing.T, name, key, value string) (*tracepb.Span, string) {
	t.Helper()
	for i, span := range c.spans {
		if span.GetName() == name && attributes(span.GetAttributes())[key] == value {
			return span, c.nodes[i]
		}
	}
	t.Fatalf("no span %s with %s=%s among %d", name, key, value, len(c.spans))
	return nil, ""
}

// attributes returns the attributes as texts; of a number it says whether it is above 0.
func attributes(list []*commonpb.KeyValue) map[string]string {
	all := map[string]string{}
	for _, a := range list {
		switch v := a.GetValue().GetValue().(type) {
		case *commonpb.AnyValue_StringValue:
			all[a.GetKey()] = v.StringValue
		case *commonpb.AnyValue_IntValue:
			all[a.GetKey()] = map[bool]string{true: "some", false: "0"}[v.IntValue > 0]
		}
	}
	return all
}

// TestTraces asks a question on each of two nodes, and reads from what they have sent to a collector who did
// what for it. Conversations are placed on both nodes, so that a request and its turn may be on different
// ones.
func TestTraces(t *testing.T) {
	t.Parallel()
	got := &collected{}
	receiver := httptest.NewServer(got)
	defer receiver.Close()
	servers := fleet(t, persistencetest.URL(t), []string{
		"OTEL_EXPORTER_OTLP_ENDPOINT=" + receiver.URL, "OTEL_EXPORTER_OTLP_HEADERS=x-key=" + canarySecret,
	}, "one", "two")
	var askers []*asker
	for _, s := range servers {
		c := newAsker(t, s)
		var sources struct {
			Results []struct {
				ID   int64
				Name string
			}
		}
		c.call(http.MethodGet, "memory/datasources", nil, &sources)
		var orders int64
		for _, source := range sources.Results {
			if strings.Contains(strings.ToLower(source.Name), "orders") {
				orders = source.ID
			}
		}
		require.NotZero(t, orders)
		require.Equal(t, "complete", c.ask("What is "+canaryText+"?", orders))
		require.Equal(t, "complete", c.ask("net sales by region", orders))
		askers = append(askers, c)
	}
	for _, s := range servers {
		s.end(t) // sends what is left
	}

	got.mu.Lock()
	defer got.mu.Unlock()
	for _, c := range askers {
		request, _ := got.one(t, "POST /api/v1/discourse/user-text", "parley.request.id", c.request)
		require.Empty(t, request.GetParentSpanId())
		require.Equal(t, tracepb.Span_SPAN_KIND_SERVER, request.GetKind())
		require.Equal(t, "/api/v1/discourse/user-text", attributes(request.GetAttributes())["http.route"])
		turn := got.below(request)["turn"]
		require.NotNil(t, turn, "the turn is below its request, on whatever node it was made")
		about := attributes(turn.GetAttributes())
		require.Equal(t, c.turn, about["parley.turn.id"])
		require.Equal(t, c.conversation.String(), about["parley.conversation.id"])
		require.Equal(t, "complete", about["parley.turn.status"])

		work := got.below(turn)
		journal := work["journal"]
		require.NotNil(t, journal, "%v", work)
		require.Equal(t, "some", attributes(journal.GetAttributes())["parley.journal.commits"])
		require.LessOrEqual(t, journal.GetStartTimeUnixNano(), journal.GetEndTimeUnixNano())
		query := work["query duckdb"]
		require.NotNil(t, query, "%v", work)
		require.Equal(t, map[string]string{
			"db.system.name": "duckdb", "db.operation.name": "SELECT", "db.response.returned_rows": "some",
		}, attributes(query.GetAttributes()))
		call := work["chat builtin"]
		require.NotNil(t, call, "%v", work)
		about = attributes(call.GetAttributes())
		require.Equal(t, []string{"chat", "builtin", "builtin"}, []string{
			about["gen_ai.operation.name"], about["gen_ai.provider.name"], about["gen_ai.request.model"],
		})
		// One span for each thing, and none for a token or a commit: an answer has many of them.
		spans := 0
		for _, span := range got.spans {
			if string(span.GetTraceId()) == string(turn.GetTraceId()) {
				spans++
			}
		}
		require.Less(t, spans, 25)
	}
	for _, path := range got.paths {
		require.Equal(t, "/v1/traces", path)
	}
	for _, secret := range []string{canaryText, canarySecret, askers[0].bearer, askers[1].bearer, "net sales", "FROM "} {
		require.NotContains(t, got.raw.String(), secret)
	}
}
