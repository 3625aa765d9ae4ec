// Command openapigen writes api/openapi.json and api/errors.json, from which the web's types
// and error catalogue are generated, and the table of rights in docs/rights.md. Run it at the
// repository's root:
//
//	go run ./api/internal/openapigen
package main

import (
	"fmt"
	"os"

	"parley.dev/parley/api"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "openapigen:", err)
		os.Exit(1)
	}
}

func run() error {
	spec, err := api.OpenAPI()
	if err != nil {
		return fmt.Errorf("describing the API: %w", err)
	}
	catalogue, err := api.ErrorCatalogue()
	if err != nil {
		return fmt.Errorf("listing the errors: %w", err)
	}
	for name, content := range map[string][]byte{"api/openapi.json": spec, "api/errors.json": catalogue} {
		if err := os.WriteFile(name, content, 0o644); err != nil { //nolint:gosec // a file of the repository
			return fmt.Errorf("writing: %w", err)
		}
	}
	return writeRights()
}
