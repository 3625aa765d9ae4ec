package workbench

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"sync"
	"time"

	"parley.dev/parley/connectors"
	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/startstop"
)

const (
	defaultDeadline        = 5 * time.Second
	defaultPrepareDeadline = 2 * time.Minute
	// killGrace is how long after its deadline a worker may still report that itself.
	killGrace    = 500 * time.Millisecond
	defaultQueue = 64
	defaultWait  = 15 * time.Second
	defaultIdle  = 2
	maxStatement = 64 << 10
	// maxPlan is enough for a join of several tables with hundreds of columns each.
	maxPlan = 4 << 20
	// controlDeadline is how long the control of a query may take; a figure that cannot be checked in this time is shown unchecked.
	controlDeadline = time.Second
	privateFolder   = 0o700
)

// Files returns the work file of a data source as a file on this machine. domain.FileStore
// implements it.
type Files interface {
	LocalPath(ctx context.Context, key string) (string, error)
}

// Config of a Bench.
type Config struct {
	// Files holds the prepared databases. Required.
	Files Files
	// Dir is the folder of the workers' folders, best on the file system of Files:
	// work files are linked into them, and copied where a link is not possible.
	// Nodes may share it. Required.
	Dir string
	// Worker is the parley-worker binary; empty means the one next to this program,
	// then the one on PATH.
	Worker string
	// Converters are programs that an administrator installed, by the kind of files
	// that they read; nil: none. They get the path of a file and of an empty folder:
	// one for .hyper writes a file of CSV (with a header) or Parquet for each table
	// there, one for .ppt a .pptx. A status other than 0 says that the file is bad.
	Converters map[domain.DataSourceType]string
	// RequireWalls refuses to start if a worker would not have all of its walls: its own
	// root, a filter of system calls, and no network. If false, the bench starts with the
	// walls that the machine allows, and logs a warning.
	RequireWalls bool
	// Workers is how many queries run at once, of one organisation seven eighths of them; 0 means twice
	// the processors. In addition, half as many files are read at once.
	Workers int
	// Queue is how many requests may wait for a worker, of one organisation three quarters of them; 0 means 64.
	Queue int
	// Wait is how long a request waits for a worker; 0 means 15 s.
	Wait time.Duration
	// Idle is how many workers wait for a query; 0 means 2, a negative number none.
	Idle int
	// Deadline of a query; 0 means 5 s.
	Deadline time.Duration
	// PrepareDeadline of reading an uploaded file; 0 means 2 minutes.
	PrepareDeadline time.Duration
	// FactsDeadline of measuring a prepared file; 0 means 2 minutes.
	FactsDeadline time.Duration
	// Rows of a result; 0 means 10,000.
	Rows int
	// Bytes of a result; 0 means 8 MB.
	Bytes int
	// Clock measures deadlines; nil means the machine's.
	Clock clock.Clock
	// Log receives what operators should know; nil means slog.Default().
	Log *slog.Logger
}

// mustValidate sets the defaults of zero fields and panics if a required field is missing.
func (c Config) mustValidate() Config {
	if c.Files == nil || c.Dir == "" {
		panic("workbench: Files and Dir are required")
	}
	setDefault(&c.Workers, 2*runtime.NumCPU())
	setDefault(&c.Queue, defaultQueue)
	setDefault(&c.Wait, defaultWait)
	setDefault(&c.Idle, defaultIdle)
	setDefault(&c.Deadline, defaultDeadline)
	setDefault(&c.PrepareDeadline, defaultPrepareDeadline)
	setDefault(&c.FactsDeadline, defaultFactsDeadline)
	setDefault(&c.Rows, connectors.DefaultRows)
	setDefault(&c.Bytes, connectors.DefaultBytes)
	if c.Clock == nil {
		c.Clock = clock.System{}
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	return c
}

func setDefault[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// Bench runs workers. It is safe for concurrent use.
type Bench struct {
	config  Config
	asking  *slots // for queries
	reading *slots // for files, which take longer and must not delay queries
	// measuring is for measurements of files, one at a time.
	measuring *slots
	launch    *launcher

	life startstop.Guard
	// Set by Start; read only afterwards.
	home   string   // the folder of this bench
	lock   *os.File // says that the folder is in use
	cancel context.CancelFunc

	idle chan *worker  // workers that wait; filled by refill, emptied by take
	wake chan struct{} // signals to refill that a worker was taken or started

	// mu guards works, and makes sure that no request begins once Stop waits for the running ones.
	mu    sync.Mutex
	works bool           // requests are accepted
	done  sync.WaitGroup // refill, requests under way, and every running worker
}

// New makes a bench; Start starts it.
func New(c Config) *Bench {
	c = c.mustValidate()
	return &Bench{
		config:    c,
		asking:    newSlots(c.Workers, c.Queue),
		reading:   newSlots(max(1, c.Workers/2), c.Queue),
		measuring: newSlots(1, factsQueue),
		launch:    newLauncher(),
		idle:      make(chan *worker, max(c.Idle, 0)),
		wake:      make(chan struct{}, 1),
	}
}

// Start finds the worker program, removes what ended processes have left in Dir, finds out
// which walls this machine allows, and starts the idle workers. A failed start is final and
// leaves nothing behind; a second start does nothing; after Stop it returns
// startstop.ErrStopped. The context is only for the start.
func (b *Bench) Start(ctx context.Context) error {
	return b.life.Start(func() error { return b.start(ctx) })
}

func (b *Bench) start(ctx context.Context) error {
	program, err := findWorker(b.config.Worker)
	if err != nil {
		return err
	}
	if b.home, b.lock, err = openHome(b.config.Dir); err != nil {
		return err
	}
	b.launch.start()
	err = b.probe(ctx, program)
	if err == nil {
		err = b.probeConverters(ctx)
	}
	if err != nil {
		b.launch.stop()
		return errors.Join(err, closeHome(b.home, b.lock))
	}
	refilling, cancel := context.WithCancel(context.WithoutCancel(ctx))
	b.cancel = cancel
	b.done.Go(func() { b.refill(refilling) })
	b.open(true)
	return nil
}

// Stop accepts no more requests, and returns when all workers have ended: idle workers are
// ended at once, the others when they have answered or their caller's context has ended.
// Each of several calls returns then. Without Start it does nothing.
func (b *Bench) Stop() {
	_ = b.life.Stop(func() error { // the next start removes what this could not remove
		b.open(false)
		b.cancel()
		b.asking.close()
		b.reading.close()
		b.measuring.close()
		b.done.Wait()
		b.launch.stop()
		if err := closeHome(b.home, b.lock); err != nil {
			b.config.Log.Warn("the workers' folder is left behind", slog.Any("error", err))
		}
		return nil
	})
}

// open sets whether requests are accepted from now on.
func (b *Bench) open(works bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.works = works
}

// admit waits for a slot for an organisation; 0 means that it is not known. The caller returns the slot by calling release; Stop waits for
// that. The errors are those of slots.acquire, and CodeUnavailable if the bench does not run.
func (b *Bench) admit(ctx context.Context, s *slots, organisation int64) (release func(), err error) {
	free, err := s.acquire(ctx, b.config.Clock, b.config.Wait, organisation)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.works {
		free()
		return nil, closedError()
	}
	b.done.Add(1)
	return func() { free(); b.done.Done() }, nil
}

// Query implements analyst.Workbench: one SELECT over the tables of the sources,
// named as analyst.Tables says.
func (b *Bench) Query(ctx context.Context, sources []domain.DataSource, sql string) (*domain.ResultSet, error) {
	return b.Controlled(ctx, sources, sql, domain.QueryControl{})
}

// Controlled implements analyst.ControlledWorkbench: Query, and after it its control in the same worker.
func (b *Bench) Controlled(
	ctx context.Context, sources []domain.DataSource, sql string, control domain.QueryControl,
) (*domain.ResultSet, error) {
	if len(sql) > maxStatement || len(control.SQL) > maxStatement {
		return nil, domain.Errorf(domain.CodeInvalid, "The query is longer than %d kB.", maxStatement>>10)
	}
	release, err := b.admit(ctx, b.asking, organisationOf(sources))
	if err != nil {
		return nil, err
	}
	defer release()
	w, err := b.acquireWorker(ctx)
	if err != nil {
		return nil, err
	}
	defer w.end()
	databases, err := b.link(ctx, w, sources)
	if err != nil {
		return nil, err
	}
	reply, err := w.ask(ctx, b.config.Clock, b.config.Deadline, frame.Request{Kind: frame.KindQuery, Query: &frame.Query{
		SQL:       sql,
		Databases: databases,
		Millis:    int(b.config.Deadline.Milliseconds()),
		Caps:      frame.Caps{Rows: b.config.Rows, Columns: connectors.MaxColumns, Bytes: b.config.Bytes, Cell: connectors.MaxCell},
		Plan:      maxPlan,

		Control: control.SQL, Derive: control.Derived, ControlMillis: int(controlDeadline.Milliseconds()),
	}})
	if err != nil {
		return nil, b.died(ctx, w, err)
	}
	if reply.Result == nil {
		return nil, faultError(reply.Fault)
	}
	return resultSet(reply.Result)
}

// organisationOf is the organisation whose sources a query reads; 0 if it reads none.
func organisationOf(sources []domain.DataSource) int64 {
	if len(sources) == 0 {
		return 0
	}
	return sources[0].OrganisationID
}

// died returns the error for a worker that ended without an answer. A person's query may
// kill its worker, so the error is shown to the model and only logged as a warning for
// operators.
func (b *Bench) died(ctx context.Context, w *worker, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("query: %w", context.Cause(ctx))
	}
	stderr := w.said()
	b.config.Log.WarnContext(ctx, "worker died", slog.Any("error", err), slog.String("stderr", stderr))
	if w.late() {
		return domain.Errorf(domain.CodeInvalid, "The query took longer than %s and was ended. Ask for less: filter earlier, group coarser or "+
			"limit the rows.", b.config.Deadline)
	}
	return domain.Errorf(domain.CodeInvalid, "The query could not be run within the limits of memory and time. Ask for less or write it in "+
		"a simpler way.").WithCause(err)
}
