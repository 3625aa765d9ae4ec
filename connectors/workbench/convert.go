package workbench

// Converters of files that this server cannot read by itself. A converter is a program that the
// operator has installed. It is not trusted with anything but its input: it runs behind the walls
// of a worker, sees one folder, and its output is read like an upload.

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"parley.dev/parley/connectors"
	"parley.dev/parley/connectors/workbench/frame"
	"parley.dev/parley/domain"
)

const (
	// The limits of a converter's output for one file.
	maxTables    = maxSheets
	maxConverted = 1 << 30

	// The folder that is visible to a converter, and its content.
	workFolder   = "work"
	tablesFolder = "tables"
	inputStem    = "upload."
	// converterFiles is higher than the limit of a worker, because a converter may consist
	// of several programs.
	converterFiles = 512
)

// Converts reports whether a converter of such files is installed on this server.
func (b *Bench) Converts(kind domain.DataSourceType) bool { return b.config.Converters[kind] != "" }

// PrepareHyper is PrepareCSV for an extract of Tableau: the converter of this server
// writes its tables, and each file becomes a table. CodeUnavailable without a converter.
func (b *Bench) PrepareHyper(ctx context.Context, path, title, workPath string) (*domain.FileInfo, error) {
	made, err := b.convert(ctx, domain.DataSourceHyper, path, "csv", "parquet")
	if err != nil {
		return nil, err
	}
	defer b.clear(made.dir)
	// The folder has the tables until they are read into the database.
	tables := &frame.Tables{Title: title, Caps: csvCaps()}
	tables.Caps.Bytes = maxConverted
	files := map[string]string{}
	for i, path := range made.files {
		name := filepath.Base(path)
		format := extensionOf(name)
		file := fmt.Sprintf("%d.%s", i, format)
		files[file] = path
		tables.Tables = append(tables.Tables, frame.TableFile{File: file, Format: format, Title: strings.TrimSuffix(name, filepath.Ext(name))})
	}
	return b.prepare(ctx, domain.DataSourceHyper, "", workPath, files, func(out string) frame.Request {
		// The worker reads the tables in its own folder, so it gets them as files and never as
		// paths.
		tables.Out = out
		return frame.Request{Kind: frame.KindTables, Tables: tables}
	})
}

// PreparePPT is PreparePPTX for an old presentation, which the converter of this server
// converts to a new one. CodeUnavailable without a converter.
func (b *Bench) PreparePPT(ctx context.Context, path, title, workPath string) (*domain.FileInfo, error) {
	made, err := b.convert(ctx, domain.DataSourcePPT, path, "pptx")
	if err != nil {
		return nil, err
	}
	defer b.clear(made.dir)
	info, err := b.PreparePPTX(ctx, made.files[0], title, workPath)
	if info != nil {
		// The information is that of the converted file; the person has uploaded another kind.
		info.Type = domain.DataSourcePPT
	}
	return info, err
}

// converted is the output of a converter: files in a folder that the caller removes with clear.
type converted struct {
	dir   string
	files []string
}

// convert runs the converter of a kind on a file, behind separate walls, and returns the
// files with these extensions that it wrote, sorted by name.
func (b *Bench) convert(ctx context.Context, kind domain.DataSourceType, path string, extensions ...string) (*converted, error) {
	program := b.config.Converters[kind]
	if program == "" {
		return nil, domain.Errorf(domain.CodeUnavailable, "%s", domain.NoConverter(kind))
	}
	// A converter takes the slot of a reading.
	release, err := b.admit(ctx, b.reading, 0)
	if err != nil {
		return nil, err
	}
	defer release()
	dir, err := b.converterFolder(path, kind)
	if err != nil {
		return nil, domain.Internal(err, "make a converter's folder")
	}
	made, err := b.runConverter(ctx, program, kind, dir)
	if err == nil {
		made.files, err = collect(filepath.Join(dir, workFolder, tablesFolder), extensions)
	}
	if err != nil {
		b.clear(dir)
		return nil, err
	}
	return made, nil
}

// converterFolder makes the folder of one run, with a copy of the file in it: the converter
// may write to its input.
func (b *Bench) converterFolder(path string, kind domain.DataSourceType) (string, error) {
	dir, err := os.MkdirTemp(b.home, "c")
	if err != nil {
		return "", fmt.Errorf("make a converter's folder: %w", err)
	}
	work := filepath.Join(dir, workFolder)
	// A folder that is not complete is removed.
	fail := func(err error) (string, error) { return "", errors.Join(err, os.RemoveAll(dir)) }
	made := []string{filepath.Join(dir, "root"), work, filepath.Join(work, tablesFolder), filepath.Join(work, "tmp")}
	for _, d := range made {
		if err := os.Mkdir(d, privateFolder); err != nil {
			return fail(fmt.Errorf("make a converter's folder: %w", err))
		}
	}
	if path != "" {
		input := filepath.Join(work, inputStem+string(kind))
		if err := copyFile(path, input); err != nil {
			return fail(err)
		}
	}
	// The first folder, the root, stays with this process's user, so the converter cannot change
	// what is in it.
	if user := b.launch.way.user; user != 0 {
		for _, d := range made[1:] {
			if err := os.Chown(d, user, user); err != nil {
				return fail(fmt.Errorf("give a converter its folder: %w", err))
			}
		}
	}
	return dir, nil
}

// runConverter runs the converter and waits for its end. Its output is only for operators:
// it may contain paths and parts of an untrusted file.
func (b *Bench) runConverter(ctx context.Context, program string, kind domain.DataSourceType, dir string) (*converted, error) {
	deadline := b.config.PrepareDeadline
	said, status, late, err := b.runWalled(ctx, program, dir, inputStem+string(kind), deadline)
	switch {
	case ctx.Err() != nil:
		// The caller has gone, so the error is not one of the file.
		return nil, fmt.Errorf("convert a file: %w", context.Cause(ctx))
	case err != nil:
		b.config.Log.ErrorContext(ctx, "converter did not start", slog.String("converter", program), slog.Any("error", err))
		return nil, connectors.Busy(domain.CodeUnavailable)
	case late:
		return nil, domain.Invalid("file", fmt.Sprintf("Converting the file took longer than %s.", deadline))
	// A status other than 0 is about the file: the converter has started.
	case status != 0:
		b.config.Log.WarnContext(ctx, "converter refused a file", slog.String("converter", program), slog.Int("status", status),
			slog.String("said", said))
		return nil, domain.Invalid("file", "The converter of this server could not read the file as "+kind.Label()+".")
	}
	return &converted{dir: dir}, nil
}

// runWalled starts a program behind a converter's walls and waits for its end. status is -1
// if a signal ended it.
func (b *Bench) runWalled(
	ctx context.Context, program, dir, input string, deadline time.Duration,
) (said string, status int, late bool, err error) {
	l := prepareLimits(deadline)
	l.files = converterFiles
	arguments := l.arguments(dir, b.launch.way.user)
	// The limits are those of a preparation, except for open files.
	arguments[0] = "converting"
	output := &boundedBuffer{}
	cmd := &exec.Cmd{
		Path: b.launch.program, Args: append(append([]string{workerName}, arguments...), program, "/"+workFolder+"/"+input,
			"/"+workFolder+"/"+tablesFolder),
		Env: []string{}, Dir: dir, Stderr: output, Stdout: output, SysProcAttr: b.launch.way.attr, WaitDelay: time.Second,
	}
	// The bench waits for its converters before it stops.
	b.done.Add(1)
	defer b.done.Done()
	if err := b.launch.run(cmd); err != nil {
		return "", 0, false, fmt.Errorf("start a converter: %w", err)
	}
	expired := make(chan struct{})
	timer := b.config.Clock.AfterFunc(deadline, func() {
		close(expired)
		killGroup(cmd.Process)
	})
	stop := context.AfterFunc(ctx, func() { killGroup(cmd.Process) })
	failed := cmd.Wait()
	timer.Stop()
	stop()
	// The processes that it has started end with its namespace; without a namespace, with its process group.
	// A converter may leave processes behind, which must not use the machine any longer.
	killGroup(cmd.Process)
	select {
	case <-expired:
		late = true
	default:
	}
	var exit *exec.ExitError
	if failed != nil && !errors.As(failed, &exit) && !errors.Is(failed, exec.ErrWaitDelay) {
		return "", 0, late, fmt.Errorf("wait for a converter: %w", failed)
	}
	said = domain.Clean(strings.TrimSpace(strings.ToValidUTF8(output.String(), "?")))
	return said, cmd.ProcessState.ExitCode(), late, nil
}

// collect returns the files that a converter wrote. Links, devices and folders are refused,
// because only an attack would create them.
func collect(dir string, extensions []string) ([]string, error) {
	entries, err := os.ReadDir(dir) // sorted by name
	if err != nil {
		return nil, domain.Internal(err, "list the converted tables")
	}
	var files []string
	var total int64
	for _, e := range entries {
		if !slices.Contains(extensions, extensionOf(e.Name())) {
			continue
		}
		info, err := e.Info()
		if err != nil {
			return nil, domain.Internal(err, "look at a converted table")
		}
		if !info.Mode().IsRegular() {
			return nil, domain.Internal(errors.New("a converted table is no file"), "look at a converted table")
		}
		total += info.Size()
		files = append(files, filepath.Join(dir, e.Name()))
	}
	// The limits are checked after the run, on what is really there.
	switch {
	case len(files) == 0:
		return nil, domain.Invalid("file", "The file holds no table.")
	case len(files) > maxTables:
		return nil, domain.Invalid("file", fmt.Sprintf("The file holds more than %d tables.", maxTables))
	case total > maxConverted:
		return nil, domain.Errorf(domain.CodeTooLarge, "The tables of the file are larger than %d MB.", maxConverted>>20)
	}
	return files, nil
}

// IsProgram reports whether path is the absolute path of an executable file.
func IsProgram(path string) bool {
	info, err := os.Stat(path)
	return filepath.IsAbs(path) && err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// probeConverters finds out at the start whether this machine supports the walls of
// converters, so that an operator learns it at the start and not from the log of an upload.
func (b *Bench) probeConverters(ctx context.Context) error {
	// The order is the same at each start, so the log lines can be compared.
	for _, kind := range slices.Sorted(maps.Keys(b.config.Converters)) {
		program := b.config.Converters[kind]
		if program == "" {
			continue
		}
		if !IsProgram(program) {
			return fmt.Errorf("the converter of %s, %s, is not there or no program with its whole path", kind.Label(), program)
		}
		dir, err := b.converterFolder("", kind)
		if err != nil {
			return err
		}
		// Every machine has this program: only the walls are tested.
		said, status, late, err := b.runWalled(ctx, "/bin/true", dir, inputStem+string(kind), helloTime)
		b.clear(dir)
		if err == nil && (status != 0 || late) {
			err = fmt.Errorf("status %d: %s", status, said)
		}
		if err != nil {
			return fmt.Errorf("this machine does not allow the walls around a converter of %s (mounts and namespaces of its own): %w",
				kind.Label(), err)
		}
		b.config.Log.InfoContext(ctx, "converter is ready", slog.String("kind", string(kind)), slog.String("program", program))
	}
	return nil
}

// clear removes the folder of a converter's run.
func (b *Bench) clear(dir string) {
	if err := os.RemoveAll(dir); err != nil {
		b.config.Log.Warn("a converter's folder is left behind", slog.Any("error", err))
	}
}

// extensionOf is the extension of a name in lower case, without the dot.
func extensionOf(name string) string {
	return strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
}
