package main

import (
	"context"
	"log/slog"
	"time"

	"parley.dev/parley/api/auth"
)

// originsPause is the pause between two attempts to read the issuer's discovery document.
const originsPause = 10 * time.Second

// learnOrigins lets pages call the servers that the issuer names in its discovery document.
// It reads the document once before the first page is served and, if that fails, repeats it
// in the background until it succeeds. The embedded provider has no other servers.
func (n *node) learnOrigins(ctx context.Context) error {
	if n.c.embeddedIssuer() || n.askOrigins(ctx) {
		return nil
	}
	return n.learning.start(ctx, func(ctx context.Context) {
		for {
			select {
			case <-ctx.Done():
				return
			case <-time.After(originsPause):
			}
			if n.askOrigins(ctx) {
				return
			}
		}
	})
}

// askOrigins reads the document once and reports whether that succeeded. Pages that are open keep
// their former policy.
func (n *node) askOrigins(ctx context.Context) bool {
	origins, err := auth.CallOrigins(ctx, n.c.issuerURL)
	if err != nil {
		n.log.LogAttrs(ctx, slog.LevelWarn, "the issuer's discovery document cannot be read: pages may call the issuer's own address only",
			slog.Any("error", err))
		return false
	}
	n.server.AllowCalls(origins)
	return true
}
