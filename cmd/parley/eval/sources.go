package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"parley.dev/parley/connectors"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/demo"
)

// library prepares the files of the suites as the product prepares uploads, each once. It is safe for
// concurrent use.
type library struct {
	readers map[domain.DataSourceType]connectors.FileReader
	bench   Workbench
	// folder has the prepared databases, under the keys of the file store.
	folder string

	// mu guards shelf and pairs; each book and each pair guards itself.
	mu    sync.Mutex
	shelf map[string]*book
	pairs map[[2]int64]*pair
}

// pair are the links between two sources, measured when they are first asked together.
type pair struct {
	measured sync.Once
	links    []domain.SourceLink
	unknown  error
}

// book is one source, made when it is first used.
type book struct {
	made   sync.Once
	source domain.DataSource
	err    error

	// The facts are measured when a query is first checked by them.
	measured sync.Once
	facts    *domain.SourceFacts
	unknown  error
}

// source returns the source of a name in a suite.
func (l *library) source(ctx context.Context, s *Suite, name string) (domain.DataSource, error) {
	path := s.files[name]
	fileName, content := s.fileOf(name)
	// The same file is prepared once, also for several suites.
	key := cmp.Or(path, "content of "+s.Name+": "+name)
	own := sample(name)
	if path == "" && content == nil {
		key = "sample: " + name
	}
	l.mu.Lock()
	b := l.shelf[key]
	if b == nil {
		b = &book{source: domain.DataSource{ID: int64(len(l.shelf) + 1)}}
		l.shelf[key] = b
	}
	l.mu.Unlock()
	b.made.Do(func() {
		switch {
		case content != nil:
			path = filepath.Join(l.folder, fmt.Sprintf("content-%d", b.source.ID))
			if b.err = os.WriteFile(path, content, 0o600); b.err == nil {
				b.err = l.prepare(ctx, &b.source, path, fileName)
			}
		case path != "":
			b.err = l.prepare(ctx, &b.source, path, fileName)
		case own != nil:
			b.err = l.sample(ctx, &b.source, own)
		default:
			b.err = errors.New("there is no such file")
		}
	})
	if b.err != nil {
		return domain.DataSource{}, fmt.Errorf("prepare the source %s: %w", name, b.err)
	}
	return b.source, nil
}

// prepare makes a source of a file.
func (l *library) prepare(ctx context.Context, into *domain.DataSource, path, fileName string) error {
	kind, err := connectors.Detect(connectors.Upload{Path: path, FileName: fileName})
	if err != nil {
		return err
	}
	reader := l.readers[kind]
	if reader == nil {
		return connectors.Untaken(kind)
	}
	into.WorkKey = fmt.Sprintf("prepared-%d", into.ID)
	info, err := reader.Prepare(ctx, path, fileName, filepath.Join(l.folder, into.WorkKey), domain.FileOptions{})
	if err != nil {
		return err
	}
	into.Name, into.Type, into.FileName, into.HasFile = info.Name, info.Type, fileName, true
	into.Description, into.DescriptionGenerated, into.Resources = info.Description, true, info.Resources
	return nil
}

// sample makes a sample source with its descriptions, which a file cannot hold.
func (l *library) sample(ctx context.Context, into *domain.DataSource, of *demo.Source) error {
	path := filepath.Join(l.folder, of.FileName)
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("write a sample: %w", err)
	}
	if err := errors.Join(of.WriteCSV(f), f.Close()); err != nil {
		return err
	}
	if err := l.prepare(ctx, into, path, of.FileName); err != nil {
		return err
	}
	into.Name, into.Description, into.DescriptionGenerated = of.Name, of.Description, false
	for i := range into.Resources {
		r := &into.Resources[i]
		r.Details = of.Dictionary()
		for j := range r.Columns {
			if j < len(of.Columns) {
				r.Columns[j].Description = of.Columns[j].Description
			}
		}
	}
	return nil
}

// Facts implements analyst.FactsReader. The product measures files in the background; here the first query waits for it.
func (l *library) Facts(ctx context.Context, _, _ int64, sources []int64) (*domain.FactsOfSources, error) {
	out := &domain.FactsOfSources{}
	for _, id := range sources {
		b := l.book(id)
		if b == nil {
			continue
		}
		b.measured.Do(func() { b.facts, b.unknown = l.bench.MeasureFacts(ctx, &b.source, nil) })
		if b.unknown != nil {
			return nil, fmt.Errorf("measure %s: %w", b.source.Name, b.unknown)
		}
		out.Sources = append(out.Sources, domain.KnownFacts{Source: id, WorkKey: b.source.WorkKey, Measured: true, SourceFacts: *b.facts})
	}
	for i := range out.Sources {
		for j := i + 1; j < len(out.Sources); j++ {
			links, err := l.links(ctx, &out.Sources[i], &out.Sources[j])
			if err != nil {
				return nil, err
			}
			out.Links = append(out.Links, links...)
		}
	}
	return out, nil
}

// links returns the links between two sources.
func (l *library) links(ctx context.Context, a, b *domain.KnownFacts) ([]domain.SourceLink, error) {
	if a.Source > b.Source {
		a, b = b, a
	}
	l.mu.Lock()
	if l.pairs == nil {
		l.pairs = map[[2]int64]*pair{}
	}
	p := l.pairs[[2]int64{a.Source, b.Source}]
	if p == nil {
		p = &pair{}
		l.pairs[[2]int64{a.Source, b.Source}] = p
	}
	l.mu.Unlock()
	p.measured.Do(func() {
		two := [2]domain.DataSource{l.book(a.Source).source, l.book(b.Source).source}
		p.links, p.unknown = l.bench.MeasureLinks(ctx, two, [2]domain.SourceFacts{a.SourceFacts, b.SourceFacts})
	})
	if p.unknown != nil {
		return nil, fmt.Errorf("measure the links between %d and %d: %w", a.Source, b.Source, p.unknown)
	}
	return p.links, nil
}

// book returns the source of an id; nil if there is none.
func (l *library) book(id int64) *book {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, b := range l.shelf {
		if b.source.ID == id {
			return b
		}
	}
	return nil
}
