package archtest

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// TestLabels: a kind of connector has the same name on the server and in the web.
func TestLabels(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "web", "src", "lib", "connector-type.ts"))
	require.NoError(t, err)
	web := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^  (\w+): '([^']+)',$`).FindAllStringSubmatch(string(text), -1) {
		web[m[1]] = m[2]
	}
	server := map[string]string{}
	for _, name := range domain.DataSourceTypes() {
		server[string(name)] = name.Kind().Label
	}
	require.Equal(t, server, web)
}
