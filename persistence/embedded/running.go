package embedded

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrNotRunning says that no private Postgres of a data folder runs.
var ErrNotRunning = errors.New("no private Postgres runs")

// RunningURL returns the address of the product's database if another process runs the private
// Postgres of this data folder. It starts nothing and changes nothing; ErrNotRunning if none runs.
func RunningURL(dataDir string) (string, error) {
	dir, err := filepath.EvalSymlinks(dataDir)
	if errors.Is(err, fs.ErrNotExist) {
		return "", ErrNotRunning
	}
	if err == nil {
		dir, err = filepath.Abs(dir)
	}
	if err != nil {
		return "", fmt.Errorf("data folder: %w", err)
	}
	s := &Server{socketDir: socketDirOf("parley-" + shortHash(dir))}
	if _, err := os.Stat(filepath.Join(s.socketDir, ".s.PGSQL."+socketPort)); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return "", ErrNotRunning
		}
		return "", fmt.Errorf("find the private Postgres: %w", err)
	}
	return s.URL(), nil
}
