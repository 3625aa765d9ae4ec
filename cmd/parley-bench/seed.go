package main

import (
	"context"
	"fmt"
	"time"

	"parley.dev/parley/cmd/parley-bench/scale"
	"parley.dev/parley/internal/commandline"
)

// seed fills the big organisation and prints its progress.
func seed(ctx context.Context, p *program, args []string) (err error) {
	f := p.flags("seed")
	var c scale.Config
	f.IntVar(&c.People, "people", 1000, "people")
	f.IntVar(&c.Conversations, "conversations", 100_000, "conversations")
	f.IntVar(&c.Messages, "messages", 2_000_000, "messages in all conversations")
	f.IntVar(&c.Blueprints, "blueprints", 10_000, "blueprints")
	f.Uint64Var(&c.Seed, "seed", 1, "the same seed makes the same rows; again with the same numbers, it goes on where it was cut short")
	if err := commandline.Parse(f, args); err != nil {
		return err
	}
	for name, value := range map[string]int{
		"people": c.People, "conversations": c.Conversations, "messages": c.Messages, "blueprints": c.Blueprints,
	} {
		if value < 1 {
			return commandline.Usage(fmt.Errorf("--%s must be at least 1", name))
		}
	}
	url, closeDatabase, err := p.openDatabase(ctx)
	if err != nil {
		return err
	}
	defer func() { err = stopped(ctx, err, closeDatabase) }()
	began := time.Now()
	var told time.Time
	c.Progress = func(what string, done, of int) {
		if done < of && time.Since(told) < time.Second {
			return
		}
		told = time.Now()
		p.say("%s: %d of %d after %.0f s", what, done, of, time.Since(began).Seconds())
	}
	if err := scale.Fill(ctx, url, c); err != nil {
		return fmt.Errorf("fill %s: %w", scale.Organisation, err)
	}
	counts, err := scale.Count(ctx, url)
	if err != nil {
		return err
	}
	p.say("%s has %d people, %d conversations, %d messages and %d blueprints after %.0f s", scale.Organisation,
		counts.People, counts.Conversations, counts.Messages, counts.Blueprints, time.Since(began).Seconds())
	return nil
}
