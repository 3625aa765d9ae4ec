package check

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/moby/buildkit/frontend/dockerfile/instructions"
	"github.com/moby/buildkit/frontend/dockerfile/linter"
	"github.com/moby/buildkit/frontend/dockerfile/parser"
	"github.com/moby/patternmatcher"
	"github.com/moby/patternmatcher/ignorefile"
	"github.com/stretchr/testify/require"
)

// stages returns the stages of the Dockerfile as BuildKit reads them, without a warning of its linter.
func stages(t *testing.T) []instructions.Stage {
	t.Helper()
	var warnings []string
	parsed, err := parser.Parse(strings.NewReader(read(t, "Dockerfile")))
	require.NoError(t, err)
	for _, w := range parsed.Warnings {
		warnings = append(warnings, w.Short)
	}
	lint := linter.New(&linter.Config{
		Warn: func(rule, _, _, message string, _ []parser.Range) { warnings = append(warnings, rule+": "+message) },
	})
	all, _, err := instructions.Parse(parsed.AST, lint)
	require.NoError(t, err)
	require.Empty(t, warnings)
	return all
}

// ignored reports whether .dockerignore keeps a path of the repository out of the build.
func ignored(t *testing.T, path string) bool {
	t.Helper()
	patterns, err := ignorefile.ReadAll(strings.NewReader(read(t, ".dockerignore")))
	require.NoError(t, err)
	out, err := patternmatcher.MatchesOrParentMatches(path, patterns)
	require.NoError(t, err)
	return out
}

// The image has both programs and the web, runs as a numbered user that is not root, and asks itself for its health. What
// the build copies exists, and is not kept out by .dockerignore.
func TestImage(t *testing.T) {
	t.Parallel()
	all := stages(t)
	names := map[string]bool{}
	for i, stage := range all {
		require.NotContains(t, stage.BaseName, ":latest")
		require.Contains(t, stage.BaseName, ":", "stage %d has no version", i)
		for _, c := range stage.Commands {
			copied, ok := c.(*instructions.CopyCommand)
			if !ok {
				continue
			}
			if copied.From != "" {
				require.True(t, names[copied.From], "%s is no stage before", copied.From)
				continue
			}
			for _, source := range copied.SourcePaths {
				_, err := os.Stat(filepath.Join("../..", source))
				require.NoError(t, err)
				require.False(t, ignored(t, filepath.Clean(source)), source)
			}
		}
		names[stage.Name] = true
	}

	for _, c := range all[0].Commands {
		if run, ok := c.(*instructions.RunCommand); ok {
			require.NotContains(t, strings.Join(run.CmdLine, " "), "--omit", "the native parts of the build tools are optional packages")
		}
	}

	last := all[len(all)-1]
	require.Contains(t, last.BaseName, "distroless", "the last stage has no compiler and no package manager")
	var user, check, entry string
	build := ""
	for _, c := range all[len(all)-2].Commands {
		if run, ok := c.(*instructions.RunCommand); ok {
			build += strings.Join(run.CmdLine, " ")
		}
	}
	var places []string
	for _, c := range last.Commands {
		switch c := c.(type) {
		case *instructions.UserCommand:
			user = c.User
		case *instructions.HealthCheckCommand:
			check = strings.Join(c.Health.Test, " ")
		case *instructions.EntrypointCommand:
			entry = strings.Join(c.CmdLine, " ")
		case *instructions.CopyCommand:
			places = append(places, c.DestPath)
		case *instructions.RunCommand:
			t.Errorf("the last stage has no shell, and runs %v", c.CmdLine)
		case *instructions.EnvCommand:
			for _, v := range c.Env {
				require.Contains(t, variables(t), v.Key)
			}
		}
	}
	require.Regexp(t, `^[1-9]\d*(:[1-9]\d*)?$`, user, "Kubernetes compares runAsNonRoot with a number")
	require.Equal(t, "CMD "+entry+" health", check)
	require.Contains(t, build, "./cmd/parley ./cmd/parley-worker")
	require.Equal(t, []string{"/opt/parley/bin/", "/opt/parley/web/dist/", "/var/lib/parley"}, places)

	for _, path := range []string{".git", "tmp", ".parley", "web/node_modules"} {
		require.True(t, ignored(t, path), "%s would be sent to the builder", path)
	}
	for _, path := range []string{"go.mod", "cmd/parley/main.go", "api/openapi.json", "persistence/migrations", "web/src"} {
		require.False(t, ignored(t, path), "%s is needed for the build", path)
	}
}
