package main

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"parley.dev/parley/persistence"
)

// scalePerson is one of the people of the organisation that seed --scale fills:
// with PARLEY_SCRIPTED=true the embedded provider signs them in.
func scalePerson(i int) account {
	email := persistence.ScaleEmail(i + 1)
	return account{uuid.NewSHA1(uuid.NameSpaceOID, []byte(email)), email, fmt.Sprintf("Scale Person %d", i+1), ""}
}

// seed creates the demo world where it is missing, or, with --scale, an
// organisation as big as the product is made for.
func seed(ctx context.Context, p *program, args []string) error {
	f := p.flags("seed")
	scale := f.Bool("scale", false, "fill the organisation "+persistence.ScaleOrganisation+" instead, to measure with; again with the same numbers, it goes on where it was cut short")
	var c persistence.Scale
	f.IntVar(&c.People, "people", 1000, "with --scale: people")
	f.IntVar(&c.Conversations, "conversations", 100_000, "with --scale: conversations")
	f.IntVar(&c.Messages, "messages", 2_000_000, "with --scale: messages in all conversations")
	f.IntVar(&c.Blueprints, "blueprints", 10_000, "with --scale: blueprints")
	f.Uint64Var(&c.Seed, "seed", 1, "with --scale: the same seed makes the same rows")
	return withDatabase(ctx, p, f, args, func(ctx context.Context, n *node) error {
		if !*scale {
			if err := n.openFiles(ctx); err != nil {
				return err
			}
			return n.seed(ctx)
		}
		for name, value := range map[string]int{"people": c.People, "conversations": c.Conversations, "messages": c.Messages, "blueprints": c.Blueprints} {
			if value < 1 {
				return usageError{fmt.Errorf("--%s must be at least 1", name)}
			}
		}
		return n.seedScale(ctx, c)
	})
}

// seedScale fills the big organisation and says how far it is.
func (n *node) seedScale(ctx context.Context, c persistence.Scale) error {
	began := time.Now()
	var told time.Time
	c.Progress = func(what string, done, of int) {
		if done < of && time.Since(told) < time.Second {
			return
		}
		told = time.Now()
		n.say("%s: %d of %d after %.0f s", what, done, of, time.Since(began).Seconds())
	}
	if err := n.store.SeedScale(ctx, c); err != nil {
		return fmt.Errorf("fill %s: %w", persistence.ScaleOrganisation, err)
	}
	counts, err := n.store.ScaleCounts(ctx)
	if err != nil {
		return fmt.Errorf("count %s: %w", persistence.ScaleOrganisation, err)
	}
	n.say("%s has %d people, %d conversations, %d messages and %d blueprints after %.0f s", persistence.ScaleOrganisation,
		counts.People, counts.Conversations, counts.Messages, counts.Blueprints, time.Since(began).Seconds())
	return nil
}
