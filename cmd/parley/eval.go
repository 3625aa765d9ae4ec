package main

// The command eval: its flags, and the parts of the product that it measures: a workbench with its worker,
// the readers of files, and a provider. The measurement is in package eval (cmd/parley/eval).

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/provider/builtin"
	"parley.dev/parley/analyst/provider/openai"
	"parley.dev/parley/cmd/parley/eval"
	"parley.dev/parley/connectors"
	"parley.dev/parley/connectors/csv"
	"parley.dev/parley/connectors/pptx"
	"parley.dev/parley/connectors/workbench"
	"parley.dev/parley/connectors/xlsx"
	"parley.dev/parley/internal/clock"
	"parley.dev/parley/internal/commandline"
	"parley.dev/parley/internal/throwaway"
	"parley.dev/parley/persistence/blob"
)

// evalWait is how long a query of an evaluation may wait for a worker: all suites ask at once, and a busy
// machine must not turn right answers into failed ones.
const evalWait = 10 * time.Minute

// evaluate measures the answers of a provider as eval/README.md describes.
func evaluate(ctx context.Context, p *program, args []string) (err error) {
	f := p.flags("eval")
	var names, folders list
	provider := f.String("provider", builtinProvider, "who is asked: builtin, or openai with the server of OPENAI_BASE_URL")
	model := f.String("model", "", "the model that is asked; default OPENAI_MODEL")
	f.Var(&names, "suite", "name of a suite; repeat it (default: all of --suites)")
	dir := f.String("suites", "eval", "folder of the suites")
	f.Var(&folders, "folder", "folder of a public set that is not in the repository: InfiAgent-DABench or Defog's sql-eval; repeat it")
	fit := f.Bool("fit", false, "show the query and the values of each question that was not right; refused for sealed suites")
	against := f.String("against", "", "a report as JSON: exit with 1 if a suite is worse than in it")
	jsonFile := f.String("json", "", "write the report as JSON to this file")
	atOnce := f.Int("at-once", 0, "conversations at the same time; 0 means twice the processors")
	if err := commandline.Parse(f, args); err != nil {
		return err
	}
	c, err := loadConfig(p.getenv)
	if err != nil {
		return commandline.Usage(err)
	}
	asks, err := asked(c, *provider, model)
	if err != nil {
		return commandline.Usage(err)
	}
	suites, err := suitesOf(*dir, names, folders)
	if err != nil {
		return commandline.Usage(err)
	}
	for _, s := range suites {
		if *fit && s.Sealed {
			return commandline.Usage(fmt.Errorf("the suite %s is sealed: nothing is fitted to it", s.Name))
		}
	}
	var base *eval.Report
	if *against != "" {
		if base, err = eval.ReadReport(*against); err != nil {
			return commandline.Usage(err)
		}
	}
	log := p.logger("warn", formatText)
	k, err := newKit(ctx, c.workerPath, log)
	if err != nil {
		return err
	}
	// The folder must be removed also when ctx has ended.
	defer func() { err = errors.Join(err, k.parts.stop(context.WithoutCancel(ctx))) }()
	conf := k.config(asks, *model)
	conf.AtOnce, conf.Details = *atOnce, *fit
	conf.Progress = func(s eval.Score) { fmt.Fprintf(p.stderr, "%s: %d questions\n", s.Suite, s.Questions) }
	report, err := eval.Run(ctx, conf, suites)
	if err != nil {
		return err
	}
	return errors.Join(report.WriteTable(p.stdout), commandline.WriteReport(*jsonFile, report.WriteJSON), report.Against(base))
}

// suitesOf reads the suites of the repository and the public sets. A folder alone is asked alone.
func suitesOf(dir string, names, folders []string) ([]*eval.Suite, error) {
	var out []*eval.Suite
	for _, folder := range folders {
		s, err := eval.ReadPublic(folder)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	if len(folders) > 0 && len(names) == 0 {
		return out, nil
	}
	own, err := eval.Load(dir, names)
	return append(own, out...), err
}

// asked returns what makes the provider of a name. It fills in the model if none was named.
func asked(c *config, name string, model *string) (func(clock.Clock) analyst.Provider, error) {
	if name == builtinProvider {
		return func(c clock.Clock) analyst.Provider { return builtin.New(builtin.Config{Clock: c}) }, nil
	}
	known := []string{builtinProvider}
	for _, v := range vendors(c, *model) {
		if v.Name() == name {
			if *model == "" {
				*model = c.openAIModel
			}
			return func(clock.Clock) analyst.Provider { return v }, nil
		}
		known = append(known, v.Name())
	}
	return nil, fmt.Errorf("the provider %q is not set up here; these are: %s", name, strings.Join(known, ", "))
}

// kit are the parts of the product that an evaluation uses, in a folder of their own. Who has made it stops
// its parts.
type kit struct {
	folder string
	files  *blob.Store
	bench  *workbench.Bench
	log    *slog.Logger
	parts  parts
}

// newKit starts the parts.
func newKit(ctx context.Context, worker string, log *slog.Logger) (_ *kit, err error) {
	k := &kit{log: log}
	defer func() {
		if err != nil {
			err = errors.Join(err, k.parts.stop(context.WithoutCancel(ctx)))
		}
	}()
	if k.folder, err = throwaway.Folder(os.TempDir(), "parley-eval-"); err != nil {
		return nil, fmt.Errorf("make a folder: %w", err)
	}
	k.parts.started("remove the folder", func(context.Context) error { return os.RemoveAll(k.folder) })
	files := (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(k.folder, "files"))}).String()
	if k.files, err = blob.Open(ctx, blob.Config{URL: files}); err != nil {
		return nil, fmt.Errorf("open the files: %w", err)
	}
	k.parts.started("close the files", func(context.Context) error { return k.files.Close() })
	k.bench = workbench.New(workbench.Config{
		Files: k.files, Dir: filepath.Join(k.folder, "workbench"), Worker: worker, Log: log,
		// The limits of queries protect other people; here they would only depend on how busy the machine is.
		Queue: 100_000, Wait: evalWait, Deadline: time.Minute, PrepareDeadline: evalWait,
	})
	if err := k.bench.Start(ctx); err != nil {
		return nil, fmt.Errorf("start the workbench: %w", err)
	}
	k.parts.started("stop the workbench", quietly(k.bench.Stop))
	return k, nil
}

// config is the configuration of an evaluation with these parts.
func (k *kit) config(provider func(clock.Clock) analyst.Provider, model string) eval.Config {
	return eval.Config{
		Provider: provider, Model: model, Workbench: k.bench, Files: k.files, Folder: filepath.Join(k.folder, "files"), Log: k.log,
		Readers: connectors.FilesByType(csv.New(k.bench), xlsx.New(k.bench), pptx.New(k.bench)),
	}
}

// vendors are the providers that ask a model, as far as they are configured. A model that is named
// takes the place of the configured one.
func vendors(c *config, model string) []analyst.Provider {
	if c.openAIURL == "" {
		return nil
	}
	return []analyst.Provider{openai.New(openai.Config{
		BaseURL: c.openAIURL, APIKey: c.openAIKey, Model: cmp.Or(model, c.openAIModel), Window: c.openAIWindow,
	})}
}
