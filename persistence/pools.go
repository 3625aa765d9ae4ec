package persistence

import "github.com/jackc/pgx/v5/pgxpool"

// PoolStats is how full a pool of connections is.
type PoolStats struct {
	// InUse and Most are connections; Waited is how often somebody has had to wait for one.
	InUse, Most int32
	Waited      int64
}

// Pools are the pools by their names: app for requests, engine for owners, and those of
// the journal and the lease.
func (s *Store) Pools() map[string]PoolStats {
	out := map[string]PoolStats{}
	for name, pool := range map[string]*pgxpool.Pool{"app": s.app, "engine": s.engine, "journal": s.journal, "lease": s.lease} {
		x := pool.Stat()
		out[name] = PoolStats{InUse: x.AcquiredConns(), Most: x.MaxConns(), Waited: x.EmptyAcquireCount()}
	}
	return out
}
