package main

import (
	"fmt"
	"path/filepath"

	"parley.dev/parley/internal/envelope"
)

// keyFile is the master key of a node that was given none, in its data folder.
// Nodes with data folders of their own need PARLEY_SECRET_KEY to share one.
const keyFile = "secret.key"

// keys are the master keys that encrypt people's secrets. Errors never repeat one.
func (c *config) keys() (*envelope.Ring, error) {
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
