package workbench

// The files that a query may read. They are put into the worker's folder, which is all that it can
// see of the file system, under names that the worker is told.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"parley.dev/parley/connectors"
	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
)

// readOnly is the mode of work files. No other user reaches them, because the folders above
// are closed; workers run as another user and need to read them.
const readOnly = 0o444

// link puts the work files of the sources into the worker's folder and names their tables:
// each is named s<id of the source>.<table>, and also <table> if no other source of the
// query has a table of that name.
func (b *Bench) link(ctx context.Context, w *worker, sources []domain.DataSource) ([]frame.Database, error) {
	count := map[string]int{}
	seen := map[int64]bool{}
	var used []*domain.DataSource
	for i := range sources {
		// A source that is named twice is attached once.
		if s := &sources[i]; s.WorkKey != "" && !seen[s.ID] {
			seen[s.ID] = true
			used = append(used, s)
			for _, r := range s.Resources {
				// Names of tables are compared without regard to case, as in SQL.
				count[strings.ToLower(r.Table)]++
			}
		}
	}
	databases := make([]frame.Database, len(used))
	for i, s := range used {
		path, err := b.config.Files.LocalPath(ctx, s.WorkKey)
		if err != nil {
			if ctx.Err() != nil {
				return nil, fmt.Errorf("find the work file: %w", context.Cause(ctx))
			}
			// The person reads the name of the connector, and the cause is only in the log.
			return nil, domain.Errorf(domain.CodeUnavailable, "The data of %s cannot be read now. Try again later or upload its file again.",
				domain.Shorten(s.Name, domain.DataSourceNameMax)).WithCause(err)
		}
		d := frame.Database{File: strconv.Itoa(i) + ".duckdb", Alias: connectors.SourceSchema(s.ID)}
		if err := b.place(path, filepath.Join(w.dir, d.File)); err != nil {
			return nil, domain.Internal(err, "place the work file")
		}
		for _, r := range s.Resources {
			v := frame.View{Table: r.Table}
			// A table whose name is not unique has no short name: the query must qualify it.
			if count[strings.ToLower(r.Table)] == 1 {
				v.Name = r.Table
			}
			d.Views = append(d.Views, v)
		}
		databases[i] = d
	}
	return databases, nil
}

// place makes a file readable at another path, by a link if possible.
func (b *Bench) place(from, to string) error {
	// A link to a symbolic link would not be readable inside the worker's root.
	real, err := filepath.EvalSymlinks(from)
	if err != nil {
		return fmt.Errorf("find a work file: %w", err)
	}
	if err := os.Link(real, to); err != nil {
		// Links are not possible between file systems, or to files of another owner.
		return copyFile(real, to)
	}
	info, err := os.Stat(to)
	if err != nil {
		return fmt.Errorf("look at a work file: %w", err)
	}
	if info.Mode().Perm() == readOnly {
		return nil
	}
	// The mode belongs to the file and not to the link; if it cannot be changed, a copy has its
	// own.
	if err := os.Chmod(to, readOnly); err != nil {
		return errors.Join(os.Remove(to), copyFile(real, to))
	}
	return nil
}

// copyFile copies a file that is on another file system or belongs to another owner.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("open a work file: %w", err)
	}
	defer func() { _ = in.Close() }() // only read
	// O_EXCL: the folder is new, and two sources have different names.
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, readOnly)
	if err != nil {
		return fmt.Errorf("copy a work file: %w", err)
	}
	if _, err := io.Copy(out, in); err != nil {
		return errors.Join(fmt.Errorf("copy a work file: %w", err), out.Close())
	}
	if err := out.Close(); err != nil {
		return fmt.Errorf("copy a work file: %w", err)
	}
	return nil
}
