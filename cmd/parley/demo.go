package main

// The demo people and data, which exist only with the embedded provider. They are made at each
// start, and what exists is left as it is. The texts and numbers are in internal/demo; here they
// become rows and files.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/google/uuid"

	"parley.dev/parley/connectors/csv"
	"parley.dev/parley/domain"
	"parley.dev/parley/internal/demo"
	"parley.dev/parley/internal/throwaway"
	"parley.dev/parley/persistence"
)

const (
	demoPassword = demo.Password
	// loadAnalyst is the name of the scripted agent for load testers.
	loadAnalyst = "load-test"
)

// account is a person who can sign in at the embedded provider.
type account struct {
	uuid              uuid.UUID
	email, name, hint string
}

// people lists the accounts of the embedded provider: the demo people and, if the scripted agent is offered, the load tester's people.
func (n *node) people() []account {
	var list []account
	for _, p := range demo.People() {
		list = append(list, account{p.ID, p.Email, p.Name, p.Hint()})
	}
	if n.c.scripted {
		for i := range n.c.loadPeople {
			// The load tester's people have no hint, so the sign-in page does not list them (openIdentity).
			list = append(list, loadPerson(i))
		}
	}
	return list
}

// loadPerson is one of the load tester's people. The id is derived from the e-mail address.
func loadPerson(i int) account {
	email := fmt.Sprintf("load-%03d@loadtest.example", i+1)
	return account{uuid.NewSHA1(uuid.NameSpaceOID, []byte(email)), email, fmt.Sprintf("Load Tester %d", i+1), ""}
}

// seedDemo creates the demo people and data at the start of a node with the embedded provider.
func (n *node) seedDemo(ctx context.Context) error {
	// With a provider of the operator there are people already, and no demo data.
	if !n.c.embeddedIssuer() {
		return nil
	}
	return n.seed(ctx)
}

// seed creates the demo people and data that are missing.
func (n *node) seed(ctx context.Context) error {
	var in persistence.SeedInput
	if n.c.scripted {
		in.Analysts = []persistence.SeedAnalyst{{
			Name: loadAnalyst, Description: "Streams a scripted answer, for load tests.", Provider: scriptedProvider, Model: scriptedProvider,
		}}
	}
	for _, o := range demo.Organisations() {
		org := persistence.SeedOrganisation{Name: o.Name, Blueprints: library(o.Name)}
		for _, p := range demo.People() {
			if p.Organisation == o.Name {
				org.People = append(org.People, persistence.SeedPerson{
					Email: p.Email, FullName: p.Name, Picture: p.Picture(), IsSuperuser: p.IsSuperuser,
					Flags: domain.UserFlags{ScheduledTaskView: p.ScheduledTaskView, UploadCredentials: p.UploadCredentials},
				})
			}
		}
		for _, t := range o.Teams {
			org.Teams = append(org.Teams, persistence.SeedTeam{Name: t.Name, Members: t.Members})
		}
		for _, s := range demo.Sources() {
			if s.Organisation != o.Name {
				continue
			}
			// A sample is prepared like an upload, which takes seconds; one that exists is not made
			// again.
			has, err := n.store.Samples.HasSample(ctx, o.Name, s.Seed)
			if err != nil {
				return fmt.Errorf("look for the sample data: %w", err)
			}
			if has {
				continue
			}
			n.say("making sample data: %s", s.Name)
			source, err := n.sample(ctx, &s)
			if err != nil {
				return fmt.Errorf("make the sample %s: %w", s.Name, err)
			}
			org.DataSources = append(org.DataSources, *source)
		}
		addKnowledge(&org)
		in.Organisations = append(in.Organisations, org)
	}
	// The people of the load tester have an organization of their own.
	if n.c.scripted {
		load := persistence.SeedOrganisation{Name: "Load Test"}
		for i := range n.c.loadPeople {
			p := loadPerson(i)
			load.People = append(load.People, persistence.SeedPerson{Email: p.email, FullName: p.name})
		}
		in.Organisations = append(in.Organisations, load)
	}
	// The samples that were made above become rows in one transaction. After a crash before it
	// their files are in the account and are removed.
	if err := n.store.Samples.Seed(ctx, in); err != nil {
		return fmt.Errorf("create the demo people and data: %w", err)
	}
	return nil
}

// addKnowledge adds the demo projects and memories of an organisation.
func addKnowledge(org *persistence.SeedOrganisation) {
	for _, p := range demo.Projects() {
		if p.Organisation == org.Name {
			org.Projects = append(org.Projects, persistence.SeedProject{
				Seed: p.Seed, Owner: p.Owner, Name: p.Name, Description: p.Description,
				Color: p.Color,
			})
		}
	}
	for _, m := range demo.Memories() {
		if m.Organisation == org.Name {
			org.Memories = append(org.Memories, persistence.SeedMemory{
				Seed: m.Seed, Name: m.Name, Question: m.Question, Response: m.Response, Type: m.Type, Labels: m.Labels,
				AlwaysRecalled: m.AlwaysRecalled,
			})
		}
	}
}

// sample writes the file of a sample, prepares it in the same way as an upload, and stores the file and the prepared database.
// The named error is joined with that of the removal of the folder.
func (n *node) sample(ctx context.Context, s *demo.Source) (_ *persistence.SeedDataSource, err error) {
	dir, err := throwaway.Folder(n.c.dataDir, "sample-")
	if err != nil {
		return nil, fmt.Errorf("make a folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	file, work := filepath.Join(dir, s.FileName), filepath.Join(dir, "work.duckdb")
	if err := writeSample(s, file); err != nil {
		return nil, err
	}
	// The workbench reads the file as it reads those of people, so the sample has the same columns
	// and statistics.
	info, err := csv.New(n.bench).Prepare(ctx, file, s.FileName, work, domain.FileOptions{})
	if err != nil {
		return nil, err
	}
	// The data dictionary of the sample has descriptions that a file cannot hold.
	for i := range info.Resources {
		r := &info.Resources[i]
		r.Details = s.Dictionary()
		for j := range r.Columns {
			if j < len(s.Columns) {
				r.Columns[j].Description = s.Columns[j].Description
			}
		}
	}
	out := &persistence.SeedDataSource{
		Seed: s.Seed, Owner: s.Owner, Name: s.Name, Description: s.Description, Type: info.Type, Scope: domain.ScopeOrganisation,
		FileName: s.FileName, FileKey: "files/" + domain.NewID().String(), WorkKey: "work/" + domain.NewID().String(), Resources: info.Resources,
	}
	// The organisation may not exist yet. The entry needs none, because no person reads it.
	if err := n.store.Files.FileIntake("").Begin(ctx, 0, out.FileKey, out.WorkKey); err != nil {
		return nil, fmt.Errorf("note the files of a sample: %w", err)
	}
	if out.Size, err = n.keep(ctx, file, out.FileKey, "text/csv"); err != nil {
		return nil, err
	}
	_, err = n.keep(ctx, work, out.WorkKey, "application/octet-stream")
	return out, err
}

// writeSample writes the rows of a sample as CSV. The error of Close counts, because a full disk
// may be reported only there.
func writeSample(s *demo.Source, file string) (err error) {
	f, err := os.Create(file)
	if err != nil {
		return fmt.Errorf("write the file: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return s.WriteCSV(f)
}

// keep copies a local file into the file store.
func (n *node) keep(ctx context.Context, file, key, contentType string) (size int64, err error) {
	f, err := os.Open(file)
	if err != nil {
		return 0, fmt.Errorf("read the file: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	// The limit is only a safeguard: samples are small, and a prepared database may be larger than
	// its file.
	return n.files.Put(ctx, key, contentType, io.Reader(f), 4*domain.UploadMax)
}

// greet prints the address of the product and who can sign in.
func (n *node) greet() {
	n.say("Parley %s is at %s", version, n.c.publicURL)
	// With an external provider the program knows no people.
	if n.identity == nil {
		fmt.Fprintf(n.out, "  Sign in with your account at %s\n", n.c.issuerURL)
		return
	}
	fmt.Fprintf(n.out, "  Sign in as one of these, password %q:\n", demoPassword)
	for _, p := range demo.People() {
		fmt.Fprintf(n.out, "    %-26s %-16s %s\n", p.Email, p.Name, p.Hint())
	}
}

// scriptedCalls is the file to which the scripted model appends its calls; nil means nowhere. It stays open until the process ends,
// so that a process that has no handles left still records them, and each line is one write, so that a process that is killed leaves
// whole lines.
func (n *node) scriptedCalls() io.Writer {
	if n.c.scriptedCalls == "" {
		return nil
	}
	file, err := os.OpenFile(n.c.scriptedCalls, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return unwritten{fmt.Errorf("open PARLEY_SCRIPTED_CALLS: %w", err)}
	}
	return file
}

// unwritten is a file that could not be opened: each call of the scripted model fails and says why, because a checker would
// otherwise miss it.
type unwritten struct{ err error }

// Write implements io.Writer.
func (u unwritten) Write([]byte) (int, error) { return 0, u.err }
