package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"parley.dev/parley/persistence"
	"parley.dev/parley/persistence/embedded"
)

// openDatabase gives the address of the database that DATABASE_URL names, or of a
// private one in PARLEY_DATA, where the product would have its own, with the product's
// schema. stop ends what was started.
func (p *program) openDatabase(ctx context.Context) (url string, stop func(context.Context) error, err error) {
	url, stop = p.getenv("DATABASE_URL"), func(context.Context) error { return nil }
	if url == "" {
		beside, err := besideProgram("")
		if err != nil {
			return "", nil, err
		}
		dir := filepath.Join(p.setting("PARLEY_DATA", ".parley"), "postgres")
		p.say("starting a private Postgres in %s", dir)
		if err := os.MkdirAll(filepath.Dir(dir), 0o711); err != nil { //nolint:gosec // Postgres, as another user, must pass through
			return "", nil, fmt.Errorf("make the data folder: %w", err)
		}
		server, err := embedded.Start(ctx, embedded.Config{
			DataDir: dir, BinDir: p.getenv("PG_BIN"), ModulesDir: filepath.Join(beside, "..", "web"),
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

// besideProgram is a file in the folder of this program.
func besideProgram(name string) (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find the program's own folder: %w", err)
	}
	return filepath.Join(filepath.Dir(exe), name), nil
}
