package embedded

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// npmPlatform is npm's word for this machine.
func npmPlatform() string {
	arch := runtime.GOARCH
	if arch == "amd64" {
		arch = "x64"
	}

	return runtime.GOOS + "-" + arch
}

// prepareNPM makes an npm package runnable. Its libraries need links, which npm archives
// cannot contain and which its install script would create, if npm still ran install
// scripts. If this process may not write to its folder, the package is copied first.
func prepareNPM(cfg Config, found binaries) (binaries, error) {
	err := hydrateLinks(found.npm)
	if err == nil {
		return found, nil
	}

	if !errors.Is(err, fs.ErrPermission) && !isReadOnly(err) {
		return binaries{}, err
	}

	return copyNPM(cfg, found, currentAccount())
}

// hydrateLinks creates the links that native/pg-symlinks.json names and that do not exist
// yet.
func hydrateLinks(root string) error {
	list, err := os.ReadFile(filepath.Join(root, "native", "pg-symlinks.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}

	if err != nil {
		return fmt.Errorf("read the list of links of the npm binaries: %w", err)
	}

	var links []struct{ Source, Target string }
	if err := json.Unmarshal(list, &links); err != nil {
		return fmt.Errorf("read the list of links of the npm binaries: %w", err)
	}

	for _, link := range links {
		// The list comes from a package: no path in it may lead out of the package.
		if !filepath.IsLocal(link.Source) || !filepath.IsLocal(link.Target) {
			return fmt.Errorf("the npm binaries ask for a link outside their folder: %s", link.Target)
		}

		target := filepath.Join(root, link.Target)
		if _, err := os.Lstat(target); err == nil {
			continue
		}

		relative, err := filepath.Rel(filepath.Dir(link.Target), link.Source)
		if err != nil {
			return fmt.Errorf("link the npm binaries: %w", err)
		}

		if err := os.Symlink(relative, target); err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("link the npm binaries: %w", err)
		}
	}

	return nil
}

// copyNPM copies an npm package to a folder where owner can run it, and returns the copy.
// An earlier copy of the same package is reused.
func copyNPM(cfg Config, found binaries, owner account) (binaries, error) {
	version, err := npmVersion(found.npm)
	if err != nil {
		return binaries{}, err
	}

	parent, err := privatePlace(cfg.FallbackDir, found.npm, owner, 0o755)
	if err != nil {
		return binaries{}, err
	}

	copied := filepath.Join(parent, "binaries-"+version)
	if _, err := os.Stat(copied); err != nil {
		if err := copyTree(found.npm, copied, owner); err != nil {
			return binaries{}, fmt.Errorf("copy the npm binaries: %w", err)
		}
	}

	if err := hydrateLinks(copied); err != nil {
		return binaries{}, err
	}

	return binaries{dir: filepath.Join(copied, "native", "bin"), major: found.major, npm: copied}, nil
}

// npmVersion reads the package's version, which names its copy.
func npmVersion(root string) (string, error) {
	raw, err := os.ReadFile(filepath.Join(root, "package.json"))
	if err != nil {
		return "", fmt.Errorf("read the npm binaries: %w", err)
	}

	var manifest struct{ Version string }
	if err := json.Unmarshal(raw, &manifest); err != nil {
		return "", fmt.Errorf("read the npm binaries: %w", err)
	}

	if manifest.Version == "" || strings.ContainsAny(manifest.Version, "/\\") {
		return "", fmt.Errorf("the npm binaries in %s name no version", root)
	}

	return manifest.Version, nil
}
