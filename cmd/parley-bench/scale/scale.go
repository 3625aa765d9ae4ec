package scale

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"parley.dev/parley/cmd/parley-bench/scale/scaledb"
	"parley.dev/parley/persistence"
)

// Organisation is the name of the organisation that Fill fills.
const Organisation = "Scale"

// Config determines how much data Fill creates. The same values create the same rows, except
// for ids that the database assigns.
type Config struct {
	People        int    // at least 1; 0 means 1,000
	Conversations int    // 0 means 100,000
	Messages      int    // in all conversations; 0 means 2,000,000
	Blueprints    int    // 0 means 10,000
	Seed          uint64 // 0 means 1

	// Progress receives how many rows of a kind are done. Nil discards it.
	Progress func(what string, done, of int)
}

// mustValidate fills in the zero values and panics if a number is negative.
func (c *Config) mustValidate() {
	for _, n := range []struct {
		value *int
		usual int
	}{{&c.People, 1000}, {&c.Conversations, 100_000}, {&c.Messages, 2_000_000}, {&c.Blueprints, 10_000}} {
		if *n.value == 0 {
			*n.value = n.usual
		}
		if *n.value < 0 {
			panic("scale: a Config has no negative numbers")
		}
	}
	if c.Seed == 0 {
		c.Seed = 1
	}
	if c.Progress == nil {
		c.Progress = func(string, int, int) {}
	}
}

// Email returns the address of a person, who is given by number from 1 on. The smaller the
// number, the more the person owns.
func Email(n int) string { return fmt.Sprintf("scale-%04d@scale.example", n) }

// filler creates the rows of one run. Its fields hold what the rows refer to.
type filler struct {
	Config
	conn                           *pgx.Conn
	q                              *scaledb.Queries
	org, analyst                   int64
	day                            time.Time
	people, teams, labels, sources []int64
}

// Fill fills the organisation in a database that has the product's schema. url must connect
// as the owner of the tables, like the product's own address. Fill continues where an earlier
// run was interrupted, and adds nothing after a complete run. It locks nothing that a server
// uses for longer than the insertion of one group of conversations.
func Fill(ctx context.Context, url string, c Config) (err error) {
	c.mustValidate()
	if err := seedOrganisation(ctx, url); err != nil {
		return err
	}
	f := &filler{Config: c, q: scaledb.New()}
	if f.conn, err = connect(ctx, url); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.conn.Close(context.WithoutCancel(ctx))) }()
	if err := f.nouns(ctx); err != nil {
		return err
	}
	groups := f.groups()
	done := 0
	for i := range groups {
		c.Progress("conversations", done, c.Conversations)
		if err := f.group(ctx, groups[i]); err != nil {
			return fmt.Errorf("make conversations: %w", err)
		}
		done += len(groups[i].Ids)
	}
	c.Progress("conversations", done, c.Conversations)
	if err := f.tasks(ctx); err != nil {
		return fmt.Errorf("make tasks: %w", err)
	}
	return f.analyse(ctx)
}

// seedOrganisation creates the organisation with its agents, as the product creates one.
func seedOrganisation(ctx context.Context, url string) error {
	s, err := persistence.Open(ctx, persistence.Config{URL: url})
	if err != nil {
		return err
	}
	defer s.Close()
	return s.Samples.Seed(ctx, persistence.SeedInput{Organisations: []persistence.SeedOrganisation{{Name: Organisation}}})
}

// analyse runs VACUUM ANALYZE, if the login role owns the tables: the planner learns what
// was inserted, and pages are marked as visible to all, which index-only scans need.
// Otherwise autovacuum does it some minutes later, and a measurement until then includes it.
func (f *filler) analyse(ctx context.Context) error {
	if _, err := f.conn.Exec(ctx, "RESET ROLE"); err != nil {
		return fmt.Errorf("take on the owner's role: %w", err)
	}
	if _, err := f.conn.Exec(ctx, "VACUUM (ANALYZE)"); err != nil {
		return fmt.Errorf("analyse the tables: %w", err)
	}
	return nil
}

// nouns creates everything on which conversations depend, in one transaction.
func (f *filler) nouns(ctx context.Context) error {
	const what = "people, teams, projects, agents, memories, connectors, blueprints"
	f.Progress(what, 0, 1)
	err := pgx.BeginFunc(ctx, f.conn, func(tx pgx.Tx) error {
		o, err := f.q.OrganisationGet(ctx, tx, Organisation)
		if err != nil {
			return fmt.Errorf("find the organisation: %w", err)
		}
		f.org, f.analyst, f.day = o.ID, o.AnalystID, o.Day
		for _, step := range []func(context.Context, pgx.Tx) error{
			f.makePeople, f.makeLabels, f.makeMemories, f.makeAnalysts, f.makeSources, f.makeBlueprints,
		} {
			if err := step(ctx, tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("make %s: %w", what, err)
	}
	f.Progress(what, 1, 1)
	return nil
}

// group creates a group of conversations, unless it exists: a group is inserted completely or
// not at all.
func (f *filler) group(ctx context.Context, g *scaledb.ConversationsInsertParams) error {
	has, err := f.q.ConversationExists(ctx, f.conn, g.Ids[0])
	if err != nil || has {
		return err
	}
	g.OrgID, g.AnalystID, g.Prompts, g.Answers = f.org, f.analyst, prompts(), answers()
	return pgx.BeginFunc(ctx, f.conn, func(tx pgx.Tx) error { //nolint:wrapcheck // wrapped by Fill
		// If the database server crashes and loses a group, the next run creates it again.
		if _, err := tx.Exec(ctx, "SET LOCAL synchronous_commit = off; SET LOCAL work_mem = '64MB'"); err != nil {
			return err //nolint:wrapcheck // as above
		}
		return f.q.ConversationsInsert(ctx, tx, g)
	})
}

// tasks creates scheduled tasks with their runs, and the events of people's own logs: both
// refer to conversations.
func (f *filler) tasks(ctx context.Context) error {
	return pgx.BeginFunc(ctx, f.conn, func(tx pgx.Tx) error { //nolint:wrapcheck // wrapped by Fill
		err := f.q.TasksInsert(ctx, tx, &scaledb.TasksInsertParams{
			Seed: f.seed(), OrgID: f.org, Topics: topics(), Day: f.day, People: f.people,
		})
		if err != nil {
			return err
		}
		return f.q.UserEventsInsert(ctx, tx, &scaledb.UserEventsInsertParams{Day: f.day, OrgID: f.org})
	})
}

// seed returns Config.Seed as a bigint of the database.
func (f *filler) seed() int64 { return int64(f.Seed) } //nolint:gosec // any value is a valid seed, also after an overflow

// Counts is how many rows of some kinds the organisation has.
type Counts struct{ People, Conversations, Messages, Blueprints int64 }

// Count counts the rows of the organisation. All counts are 0 if it does not exist.
func Count(ctx context.Context, url string) (_ Counts, err error) {
	conn, err := connect(ctx, url)
	if err != nil {
		return Counts{}, err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	row, err := scaledb.New().Counts(ctx, conn, Organisation)
	if err != nil {
		return Counts{}, fmt.Errorf("count: %w", err)
	}
	return Counts(*row), nil
}

// connect opens a connection with the engine's role, which sees all organisations, and with
// the plan settings of the engine's own connections.
func connect(ctx context.Context, url string) (*pgx.Conn, error) {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	if _, err := conn.Exec(ctx, "SET ROLE parley_engine; SET plan_cache_mode = force_generic_plan"); err != nil {
		return nil, errors.Join(fmt.Errorf("take on the engine's role: %w", err), conn.Close(context.WithoutCancel(ctx)))
	}
	return conn, nil
}
