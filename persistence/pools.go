package persistence

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// PoolStats is how full a pool of connections is.
type PoolStats struct {
	// InUse and Most are numbers of connections; Waited is how often a caller had to wait for one,
	// and WaitedFor how long all such calls have waited together.
	InUse, Most int32
	Waited      int64
	WaitedFor   time.Duration
}

// Pools are the pools by their names: app for requests, engine for owners, keyed for clients
// that arrive, and the pools of the journal and the lease.
func (s *Store) Pools() map[string]PoolStats {
	out := map[string]PoolStats{}
	for name, pool := range map[string]*pgxpool.Pool{
		"app": s.core.app, "engine": s.core.engine, "journal": s.core.journal,
		"lease": s.core.lease, "keyed": s.core.keyed,
	} {
		x := pool.Stat()
		out[name] = PoolStats{InUse: x.AcquiredConns(), Most: x.MaxConns(), Waited: x.EmptyAcquireCount(), WaitedFor: x.EmptyAcquireWaitTime()}
	}
	return out
}

// byKey is for pools whose statements all find their rows by key: plans that were
// made while the tables were small, and cached, would read whole tables.
const byKey = "; SET enable_seqscan = off"

// timeouts end a transaction whose node is silent. A node that hangs, or whose machine has
// failed, would keep its locks for as long as the server believes in the connection, and
// the node that takes over its conversations would wait for them. The timeout is shorter
// than the lease, so that the locks are free when the lease has ended.
//
// idle_in_transaction_session_timeout counts only while the server waits for the next
// statement. If a connection dies within a group of statements, the kernel must notice: it
// ends a connection when sent data is not acknowledged for 5 s, or when two keepalive
// probes, a second apart after 3 s of silence, get no answer. A Unix socket has no such
// timers and ignores the settings.
const timeouts = "; SET idle_in_transaction_session_timeout = '5s'; SET tcp_user_timeout = '5s'" +
	"; SET tcp_keepalives_idle = 3; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 2"

// longest ends a transaction of a group of writes after half a minute in any case, on servers
// that support it: 17 and later.
const longest = "; SET transaction_timeout = '30s'"

// settings are the SET statements of a new connection; version is the server's. Every
// statement is prepared once and its plan cached: planning costs more than running.
func settings(role, version string, k kind) string {
	set := "SET ROLE " + role + "; SET plan_cache_mode = force_generic_plan" + timeouts
	if k == byKeyOnly {
		set += byKey
		// "17.2 (Debian 17.2-1.pgdg120+1)", "17beta1"; an unknown format counts as old.
		end := strings.IndexFunc(version+" ", func(r rune) bool { return r < '0' || r > '9' })
		if major, err := strconv.Atoi(version[:end]); err == nil && major >= 17 {
			set += longest
		}
	}
	return set
}

// kind is what a pool is for.
type kind uint8

const (
	anything kind = iota
	byKeyOnly
)

// openPool makes a pool whose connections work with the rights of role, for a kind of work.
// It connects at first use.
func openPool(ctx context.Context, url, role string, most int32, k kind) (*pgxpool.Pool, error) {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, errURL
	}
	cfg.MaxConns = most
	cfg.MaxConnIdleTime = 5 * time.Minute
	cfg.ConnConfig.RuntimeParams["application_name"] = role
	// A commit must be on disk: no default of the server may change that.
	cfg.ConnConfig.RuntimeParams["synchronous_commit"] = "on"
	cfg.AfterConnect = func(ctx context.Context, c *pgx.Conn) error {
		registerUUIDs(c.TypeMap())
		registerLists(c.TypeMap())
		_, err := c.PgConn().Exec(ctx, settings(role, c.PgConn().ParameterStatus("server_version"), k)).ReadAll()
		if err != nil {
			return fmt.Errorf("take on the role %s: %w", role, err)
		}
		return nil
	}
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("persistence: open the pool of %s: %w", role, err)
	}
	return pool, nil
}
