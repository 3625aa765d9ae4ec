package main

import (
	"context"
	"errors"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/persistence/persistencetest"
)

// TestTrial_Paused stops processes for three seconds, one after the other, as a slow disk or a busy
// host does. That costs people time and nothing else: no node leaves, and conversations are not
// taken over again and again. PARLEY_TEST_PAUSES asks for more pauses (make chaos).
func TestTrial_Paused(t *testing.T) { // F07
	t.Parallel()
	const (
		paused, between = 3 * time.Second, 2 * time.Second
		// claimsEvery is how often one conversation may be claimed.
		claimsEvery = 10 * time.Second
	)
	many := setting(t, "PARLEY_TEST_PAUSES", 2)
	database := persistencetest.URL(t)
	servers := fleet(t, database, nil, "one", "two", "three")
	urls := urlsOf(servers)

	life, over := context.WithCancel(t.Context())
	defer over()
	duration := settled + time.Duration(many)*(paused+between)
	trial, stopped := newApartTrial(duration), make(chan error, 1)
	go func() {
		trial.awaitAnswers(life)
		var errs []error
		for i := range many {
			process := servers[i%len(servers)].cmd.Process
			errs = append(errs, process.Signal(syscall.SIGSTOP))
			wait(life, paused)
			errs = append(errs, process.Signal(syscall.SIGCONT))
			wait(life, between)
		}
		stopped <- errors.Join(errs...)
	}()
	report := trial.run(t, urls)
	over()
	require.NoError(t, <-stopped)
	require.Zero(t, report.Errors, "%s", report.Samples)
	require.NotZero(t, report.Prompts)
	require.Less(t, report.Oldest, slower*withoutWord, "text was shown late")
	require.Less(t, report.Longest, slower*withoutWord, "a prompt was acknowledged late")
	for _, s := range servers {
		require.False(t, s.hasEnded(), "%s has left", s.name)
	}
	sound(t, database)

	db, err := pgxpool.New(t.Context(), database)
	require.NoError(t, err)
	defer db.Close()
	var epoch, again int64
	require.NoError(t, db.QueryRow(t.Context(), "SELECT max(epoch), count(*) FILTER (WHERE epoch > 1) FROM conversation").Scan(&epoch, &again))
	t.Logf("%d conversations were claimed again in %d pauses", again, many)
	require.LessOrEqual(t, epoch-1, int64(duration/claimsEvery))
}
