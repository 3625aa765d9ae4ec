package main

import "context"

// seed creates the demo people and data that are missing.
func seed(ctx context.Context, p *program, args []string) error {
	return withDatabase(ctx, p, p.flags("seed"), args, func(ctx context.Context, n *node) error {
		if err := n.openFiles(ctx); err != nil {
			return err
		}
		return n.seed(ctx)
	})
}
