package api

// The operator's port: health, metrics and profiles. It has no bearer, so it listens on a separate
// address that must not be reachable from outside; guardOperator refuses requests whose host is not
// known (host.go).

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/pprof" // served only with Config.Profiling; the default mux is never served
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

const (
	// readyTimeout is the limit for all checks of one request together.
	readyTimeout = 2 * time.Second
	// profileTimeout is how long an answer with a profile may take.
	profileTimeout = 5 * time.Minute
)

// newOperator serves health and metrics on a separate port, for the operator's network.
func (s *Server) newOperator() *http.Server {
	mux := http.NewServeMux()
	// This says only that the process answers. A node whose database is away is alive and not
	// ready, and must not be restarted for that.
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) {
		s.writeHealth(r.Context(), w, http.StatusOK, map[string]string{"status": "ok"})
	})
	mux.HandleFunc("GET /readyz", s.ready)
	mux.Handle("GET /metrics", promhttp.HandlerFor(s.Metrics, promhttp.HandlerOpts{}))
	write := 30 * time.Second
	if s.Profiling {
		profiles(mux)
		write = profileTimeout
	}
	return &http.Server{Handler: s.guardOperator(mux), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: write}
}

// profiles serves what go tool pprof reads. A profile contains names of functions and counts;
// the command line and the trace, which could show more, are left out.
func profiles(mux *http.ServeMux) {
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("POST /debug/pprof/symbol", pprof.Symbol)
}

// ready runs every check and names those that fail. Their errors are only logged.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
	defer cancel()
	status, result := http.StatusOK, map[string]string{"status": "ok"}
	for _, check := range s.Ready {
		if err := check.Check(ctx); err != nil {
			s.log.LogAttrs(ctx, slog.LevelWarn, "not ready", slog.String("check", check.Name), slog.Any("error", err))
			status, result["status"], result[check.Name] = http.StatusServiceUnavailable, "not ready", "failed"
		} else if check.Note != nil {
			if note := check.Note(); note != "" {
				result[check.Name] = note
			}
		}
	}
	s.writeHealth(ctx, w, status, result)
}

// writeHealth answers in JSON. A client that has gone is not an error of the server.
func (s *Server) writeHealth(ctx context.Context, w http.ResponseWriter, status int, result map[string]string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(result); err != nil {
		s.log.LogAttrs(ctx, slog.LevelDebug, "health was not read", slog.Any("error", err))
	}
}

// metrics of requests. Labels hold route patterns, never paths.
type metrics struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
}

// newMetrics registers the metrics of requests. It panics if they are registered twice.
func newMetrics(r prometheus.Registerer) *metrics {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "parley_http_requests_total", Help: "Requests by method, route and status.",
		}, []string{"method", "route", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "parley_http_request_seconds", Help: "Time from the request's headers to the end of its handler.",
			Buckets: []float64{0.001, 0.005, 0.02, 0.1, 0.5, 2, 5, 10, 20, 30, 60},
		}, []string{"route"}),
	}
	r.MustRegister(m.requests, m.duration)
	return m
}

// expect makes the series of the calls of a route: those that succeed, and those that fail through this program. An alarm compares
// with an earlier value, so it would not see the first failure of a route if its series began with it. Refusals of what a client
// sent have theirs from the first one on: for every code of every route they would be a thousand more. So have the times.
func (m *metrics) expect(method, route string, success ...string) {
	for _, status := range append(success, "500", "503") {
		m.requests.WithLabelValues(method, route, status)
	}
}

// request counts one request. route is the pattern, so that the number of labels is bounded.
func (m *metrics) request(method, route string, status int, took time.Duration) {
	m.requests.WithLabelValues(method, route, strconv.Itoa(status)).Inc()
	m.duration.WithLabelValues(route).Observe(took.Seconds())
}
