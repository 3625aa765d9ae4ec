package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/embedded"
)

// openDatabase returns the address of the database in DATABASE_URL, migrated to the product's
// schema. Without DATABASE_URL it starts a private database in PARLEY_DATA, in the same
// folder as the product's. stop stops what was started.
func (p *program) openDatabase(ctx context.Context) (url string, stop func(context.Context) error, err error) {
	url, stop = p.getenv("DATABASE_URL"), func(context.Context) error { return nil }
	if url == "" {
		folder, err := inProgramFolder("")
		if err != nil {
			return "", nil, err
		}
		dir := filepath.Join(p.setting("PARLEY_DATA", ".parley"), "postgres")
		p.say("starting a private Postgres in %s", dir)
		if err := os.MkdirAll(filepath.Dir(dir), 0o711); err != nil { //nolint:gosec // Postgres, another user, must enter it
			return "", nil, fmt.Errorf("make the data folder: %w", err)
		}
		server, err := embedded.Start(ctx, embedded.Config{
			DataDir: dir, BinDir: p.getenv("PG_BIN"), ModulesDir: filepath.Join(folder, "..", "web"),
		})
		if err != nil {
			return "", nil, err
		}
		url, stop = server.URL(), server.Stop
	}
	if err := persistence.Migrate(ctx, url); err != nil {
		return "", nil, stopped(ctx, fmt.Errorf("migrate the database: %w", err), stop)
	}
	return url, stop, nil
}

// inProgramFolder returns the path of a file in the folder of this program.
func inProgramFolder(name string) (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find the program's own folder: %w", err)
	}
	return filepath.Join(filepath.Dir(exe), name), nil
}
