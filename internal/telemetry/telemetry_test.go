package telemetry_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/telemetry"
)

func TestWanted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		env  map[string]string
		want bool
	}{
		"nothing set":     {nil, false},
		"an endpoint":     {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x:4318"}, true},
		"one for traces":  {map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://x:4318"}, true},
		"switched off":    {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x:4318", "OTEL_SDK_DISABLED": "true"}, false},
		"no traces":       {map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://x:4318", "OTEL_TRACES_EXPORTER": "none"}, false},
		"another setting": {map[string]string{"OTEL_SERVICE_NAME": "x"}, false},
	} {
		require.Equal(t, c.want, telemetry.Wanted(func(v string) string { return c.env[v] }), name)
	}
}

// Off is the normal state, and costs no memory anywhere.
//
//nolint:paralleltest // AllocsPerRun must run alone
func TestOff_AllocatesNothing(t *testing.T) {
	var tracer *telemetry.Tracer
	ctx, now, id := context.Background(), time.Unix(1, 0), uuid.New()
	require.Zero(t, testing.AllocsPerRun(100, func() {
		traced, request := tracer.Request(ctx, "GET", "r")
		request.Answered("GET", "/x", 200)
		tracer.Command("hello").End()
		turn := tracer.Turn(telemetry.Parent(traced), id, id, 1)
		turn.Submitted(now)
		turn.Committed(now)
		traced, call := telemetry.Call(turn.Context(traced), "p", "m")
		call.Called(1, 2, "")
		_, query := telemetry.Query(traced, "duckdb")
		query.Queried(1, "internal")
		turn.End("complete", false)
	}))
}
