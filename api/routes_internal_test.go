package api

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
)

// TestServer_EveryRouteIsPublished: every route that the server answers under the API's
// prefix is in its description, so that the table of rights, which is compared with the
// description, contains every route.
func TestServer_EveryRouteIsPublished(t *testing.T) {
	t.Parallel()
	s := &Server{
		Config: Config{}.withDefaults(), app: fiber.New(fiber.Config{DisableStartupMessage: true}),
		log: slog.New(slog.DiscardHandler), counts: newMetrics(prometheus.NewRegistry()),
	}
	require.NoError(t, s.routes())
	spec, err := OpenAPI()
	require.NoError(t, err)
	var o struct {
		Paths map[string]map[string]json.RawMessage `json:"paths"`
	}
	require.NoError(t, json.Unmarshal(spec, &o))
	served := 0
	for _, route := range s.app.GetRoutes(true) {
		path, ours := strings.CutPrefix(route.Path, apiPrefix)
		if !ours || path == "" || path == "/openapi.json" {
			continue // the last one answers only for what is published
		}
		served++
		require.NotEqual(t, http.MethodHead, route.Method, path)
		path = parameterOf.ReplaceAllString(path, "{$1}")
		require.Contains(t, o.Paths[path], strings.ToLower(route.Method), "%s is served and not published", path)
	}
	published := 0
	for _, methods := range o.Paths {
		published += len(methods)
	}
	require.Equal(t, published, served)
}
