package main

import (
	"fmt"
	"path/filepath"

	"parley.dev/parley/internal/envelope"
)

// keyFile holds the master key if PARLEY_SECRET_KEY is not set. It is in the data folder, so
// nodes with separate data folders need PARLEY_SECRET_KEY to share a key.
const keyFile = "secret.key"

// keys returns the master keys that encrypt people's secrets. Errors never contain a key.
func (c *config) keys() (*envelope.Ring, error) {
	// PARLEY_SECRET_KEY counts even if the file exists.
	if c.secretKey != "" {
		ring, err := envelope.Parse(c.secretKey)
		if err != nil {
			return nil, fmt.Errorf("PARLEY_SECRET_KEY: %w", err)
		}
		return ring, nil
	}
	ring, err := envelope.File(filepath.Join(c.dataDir, keyFile))
	if err != nil {
		return nil, fmt.Errorf("the key of secrets in PARLEY_DATA: %w", err)
	}
	return ring, nil
}
