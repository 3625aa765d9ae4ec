package shared

import "github.com/prometheus/client_golang/prometheus"

// meter counts the calls to the server by outcome.
type meter struct {
	ok, late, failed, spared prometheus.Counter
	hintsLost                prometheus.Counter
}

func newMeter(r prometheus.Registerer, s *server) *meter {
	calls := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "parley_redis_calls_total", Help: "Calls of Redis: ok, late (none within 100 ms), failed, or spared while it was away.",
	}, []string{"outcome"})
	m := &meter{
		ok: calls.WithLabelValues("ok"), late: calls.WithLabelValues("late"),
		failed: calls.WithLabelValues("failed"), spared: calls.WithLabelValues("spared"),
		hintsLost: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "parley_redis_hints_lost_total", Help: "Hints that were not sent to other nodes.",
		}),
	}
	up := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "parley_redis_up",
		Help: "1 while Redis answers, 0 while this node goes by itself.",
	}, func() float64 {
		if s.up.Load() {
			return 1
		}
		return 0
	})
	r.MustRegister(calls, m.hintsLost, up)
	return m
}
