package persistence_test

import (
	"encoding/json"
	"strconv"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/persistencetest"
)

// failing is the way in which a write in the same group as a skipped one fails.
type failing struct {
	// Key is the advisory lock for which the failure waits.
	Key int64 `json:"key"`
	// Code is the SQLSTATE; "kill" ends the connection instead.
	Code string `json:"code"`
	// Times is how many tries fail; 0 means all.
	Times int64 `json:"times"`
	// AtCommit makes COMMIT fail instead of the statement.
	AtCommit bool `json:"atCommit"`
}

// createFailing makes the database fail for an event of the type "fail", in the way that
// the event describes: as soon as the lock of its key is free, in the statement or at the
// commit. A sequence counts the failures, because a rollback does not undo it.
const createFailing = `
	CREATE FUNCTION fail_on_request() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
	DECLARE wanted jsonb := NEW.data::jsonb;
	BEGIN
		IF NEW.type <> 'fail' OR (wanted->>'atCommit')::boolean <> (TG_NAME = 'fail_at_commit') THEN RETURN NEW; END IF;
		PERFORM pg_advisory_xact_lock((wanted->>'key')::bigint);
		IF (wanted->>'times')::bigint = 0 OR nextval('failed_' || (wanted->>'key')) <= (wanted->>'times')::bigint THEN
			IF wanted->>'code' = 'kill' THEN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(1);
			ELSE RAISE EXCEPTION 'as asked' USING ERRCODE = wanted->>'code'; END IF;
		END IF;
		RETURN NEW;
	END $$;
	CREATE TRIGGER fail_in_statement BEFORE INSERT ON conversation_event FOR EACH ROW EXECUTE FUNCTION fail_on_request();
	CREATE CONSTRAINT TRIGGER fail_at_commit AFTER INSERT ON conversation_event DEFERRABLE INITIALLY DEFERRED
		FOR EACH ROW EXECUTE FUNCTION fail_on_request();`

// A group skips a write whose row is locked, and then fails because of another one. The
// next try may find the row free: then the write is stored once, and its owner gets a
// success. In any case, if an owner gets a failure, nothing of its write is stored.
func TestJournal_FailedAfterSkip(t *testing.T) { // G3, G5
	t.Parallel()
	s, url := openURL(t)
	super := persistencetest.Connect(t, url, "")
	_, err := super.Exec(t.Context(), createFailing)
	require.NoError(t, err)
	setup := startJournal(t, s, persistence.JournalConfig{})
	for i, tt := range []struct {
		name string
		fail failing
		// skipped and failing are the codes that the two owners get; empty means success.
		skipped, failing domain.Code
	}{
		{"OKStoodStill", failing{Code: "25P03", Times: 1}, "", ""},
		{"OKSerialization", failing{Code: "40001", Times: 1}, "", ""},
		{"OKDeadlock", failing{Code: "40P01", Times: 1}, "", ""},
		{"OKLockTimeout", failing{Code: "55P03", Times: 1}, "", ""},
		{"OKTooManyConnections", failing{Code: "53300", Times: 1}, "", ""},
		{"OKShutdown", failing{Code: "57P01", Times: 1}, "", ""},
		{"OKTwice", failing{Code: "40001", Times: 2}, "", ""},
		{"OKAtCommit", failing{Code: "40001", Times: 1, AtCommit: true}, "", ""},
		{"OKConnectionEnded", failing{Code: "kill", Times: 1}, "", ""},
		{"OKConnectionEndedAtCommit", failing{Code: "kill", Times: 1, AtCommit: true}, "", ""},
		{"ErrBadWrite", failing{Code: "23514"}, "", domain.CodeConflict},
		{"ErrBadWriteAtCommit", failing{Code: "23514", AtCommit: true}, "", domain.CodeConflict},
		{"ErrInternal", failing{Code: "XX000"}, "", domain.CodeInternal},
		{"ErrDiskFull", failing{Code: "53100", Times: 1}, domain.CodeUnavailable, domain.CodeUnavailable},
		{"ErrOutOfMemory", failing{Code: "53200", Times: 1}, domain.CodeUnavailable, domain.CodeUnavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.fail.Key = int64(i + 1)
			x, y := own(t, s, setup, persistencetest.Anna), own(t, s, setup, persistencetest.Anna)
			data, err := json.Marshal(tt.fail)
			require.NoError(t, err)
			helper := persistencetest.Connect(t, url, "")
			_, err = helper.Exec(t.Context(), "CREATE SEQUENCE failed_"+strconv.Itoa(i+1))
			require.NoError(t, err)
			// Another transaction, as of a claim or a purge, has locked the row of the first one.
			locked := begin(t, url, "SELECT 1 FROM conversation WHERE id = $1 FOR UPDATE", x.Conversation)
			gate := begin(t, url, "SELECT pg_advisory_xact_lock($1)", tt.fail.Key)

			j := s.NewJournal(persistence.JournalConfig{})
			skipped := submit(j, x.write(domain.Write{Events: []domain.Event{event(domain.EventConversationUpdated)}}))
			failed := submit(j, y.write(domain.Write{Events: []domain.Event{{Type: "fail", Generation: 1, Data: data}}}))
			require.NoError(t, j.Start(t.Context()))
			t.Cleanup(j.Stop)
			// The group has skipped the first one and is about to fail because of the second one.
			require.Eventually(t, func() bool {
				var waits bool
				err := helper.QueryRow(t.Context(), `SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = $1 AND NOT granted
					AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`, tt.fail.Key).Scan(&waits)
				return assertNoError(t, err) && waits
			}, time.Minute, time.Millisecond)
			require.NoError(t, locked.Commit(t.Context()))
			require.NoError(t, gate.Commit(t.Context()))

			for o, want := range map[*owned]struct {
				result <-chan domain.WriteResult
				code   domain.Code
			}{x: {skipped, tt.skipped}, y: {failed, tt.failing}} {
				requireCode(t, want.code, (<-want.result).Err)
				stored, err := s.ConversationStore.Events(t.Context(), o.Conversation, 1, 10)
				require.NoError(t, err)
				if want.code != "" {
					require.Empty(t, stored, "the owner got a failure")
					continue
				}
				require.Len(t, stored, 1)
				// Its next write finds the log in the state that the owner expects.
				o.NextSeq++
				o.must(domain.Write{Events: []domain.Event{event(domain.EventTurnProgress)}})
			}
		})
	}
}

// begin runs a statement in a transaction of its own connection and leaves it open.
func begin(t *testing.T, url, sql string, arg any) pgx.Tx {
	t.Helper()
	tx, err := persistencetest.Connect(t, url, "").Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), sql, arg)
	require.NoError(t, err)
	return tx
}
