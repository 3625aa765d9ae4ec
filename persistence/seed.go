package persistence

// The demo data of an organization. It is written as the engine's role in one transaction, so a
// failed seed leaves nothing behind, and two nodes that start at once do it one after the other.
// Every object is known by its seed, its name or its email, so seeding again is safe.

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// Samples create the demo data of an organisation.
type Samples struct{ *core }

// LoadTestAnalyst is the name of the scripted agent for load testers.
const LoadTestAnalyst = "load-test"

// SeedInput is the demo data. Seeding again adds what is missing and leaves what people have
// changed.
type SeedInput struct {
	Organisations []SeedOrganisation

	// LoadTest switches the scripted agent on; it is never switched off again by a seed.
	LoadTest bool
}

// SeedOrganisation is a tenant with its people and samples. It is known by its name.
type SeedOrganisation struct {
	Name        string
	People      []SeedPerson
	Teams       []SeedTeam
	DataSources []SeedDataSource
	Projects    []SeedProject
	Memories    []SeedMemory
	Blueprints  []SeedBlueprint
}

// SeedProject is a sample of a project label, known by Seed within its
// organisation: one that a person changed or deleted is not made again.
type SeedProject struct {
	Seed        string
	Owner       string // an email
	Name        string
	Description string
	Color       string
}

// SeedPerson is known by the email, in all organisations.
type SeedPerson struct {
	Email       string
	FullName    string
	Picture     string
	IsSuperuser bool
	Flags       domain.UserFlags
}

// SeedTeam is known by its name. Members are emails of the organisation's people.
type SeedTeam struct {
	Name    string
	Members []string
}

// SeedDataSource is a sample, known by Seed within its organisation: one that a
// person renamed is not made again.
type SeedDataSource struct {
	Seed        string
	Owner       string   // an email
	SharedWith  []string // emails that may read it; not needed for organisation scope
	Name        string
	Description string
	Type        domain.DataSourceType
	Scope       domain.DataSourceScope
	FileName    string
	FileKey     string
	WorkKey     string
	Size        int64
	Resources   []domain.DataResource
}

// HasSample reports whether a sample was seeded before, so that it need not be
// generated and prepared again.
func (s Samples) HasSample(ctx context.Context, organisation, seed string) (bool, error) {
	has, err := s.q.SeedHasDataSource(ctx, s.engine, &dbsqlc.SeedHasDataSourceParams{Organisation: organisation, Seed: seed})
	return has, translate(err)
}

// Seed makes a world, in one transaction.
func (s Samples) Seed(ctx context.Context, in SeedInput) error {
	return inTransaction(ctx, s.engine, func(tx pgx.Tx) error {
		if err := s.q.SeedLock(ctx, tx); err != nil {
			return err
		}
		for i := range in.Organisations {
			if err := s.seedOrganisation(ctx, tx, &in.Organisations[i], in.LoadTest); err != nil {
				return fmt.Errorf("seed %s: %w", in.Organisations[i].Name, err)
			}
		}
		return nil
	})
}

// seedOrganisation makes one organization. People come first, because other samples name them by
// email.
func (s Samples) seedOrganisation(ctx context.Context, tx pgx.Tx, o *SeedOrganisation, loadTest bool) error {
	org, err := s.q.SeedOrganisation(ctx, tx, o.Name)
	if err != nil {
		return err
	}
	people := make(map[string]int64, len(o.People))
	for i := range o.People {
		if people[o.People[i].Email], err = s.seedPerson(ctx, tx, org, &o.People[i]); err != nil {
			return err
		}
	}
	for i := range o.Teams {
		if err := s.seedTeam(ctx, tx, org, people, &o.Teams[i]); err != nil {
			return err
		}
	}
	if err := s.seedAnalysts(ctx, tx, org, loadTest); err != nil {
		return err
	}
	for i := range o.DataSources {
		if err := s.seedDataSource(ctx, tx, org, people, &o.DataSources[i]); err != nil {
			return err
		}
	}
	for i := range o.Projects {
		p := &o.Projects[i]
		owner, err := personOf(people, p.Owner)
		if err != nil {
			return err
		}
		err = s.q.SeedProjectLabel(ctx, tx, &dbsqlc.SeedProjectLabelParams{
			OrgID: org, OwnerID: owner, Name: p.Name, Description: p.Description, Color: p.Color, Seed: p.Seed, At: s.now(),
		})
		if err != nil {
			return err
		}
	}
	for i := range o.Blueprints {
		if err := s.seedBlueprint(ctx, tx, org, &o.Blueprints[i]); err != nil {
			return err
		}
	}
	return s.seedMemories(ctx, tx, org, o.Memories)
}

// seedPerson makes a person, or finds them by email. The bearer is bound at their first sign-in
// (user.go).
func (s Samples) seedPerson(ctx context.Context, tx pgx.Tx, org int64, p *SeedPerson) (int64, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return 0, fmt.Errorf("name %s: %w", p.Email, err)
	}
	row, err := s.q.SeedUser(ctx, tx, &dbsqlc.SeedUserParams{
		Uuid: id, OrgID: org, Email: p.Email, FullName: p.FullName, Picture: p.Picture, IsSuperuser: p.IsSuperuser,
		ScheduledTaskView: p.Flags.ScheduledTaskView, UploadCredentials: p.Flags.UploadCredentials,
	})
	if err != nil {
		return 0, err
	}
	// An email belongs to one organization only.
	if row.OrgID != org {
		return 0, domain.Errorf(domain.CodeConflict, "%s belongs to another organization.", p.Email)
	}
	return row.ID, nil
}

// seedTeam makes a team and adds members. Members that people have added stay.
func (s Samples) seedTeam(ctx context.Context, tx pgx.Tx, org int64, people map[string]int64, t *SeedTeam) error {
	team, err := s.q.SeedTeam(ctx, tx, &dbsqlc.SeedTeamParams{OrgID: org, Name: t.Name})
	if err != nil {
		return err
	}
	for _, email := range t.Members {
		user, err := personOf(people, email)
		if err != nil {
			return err
		}
		if err := s.q.SeedTeamMember(ctx, tx, &dbsqlc.SeedTeamMemberParams{TeamID: team, UserID: user, OrgID: org}); err != nil {
			return err
		}
	}
	return nil
}

// seedAnalysts gives an organisation the default agent and the scripted agent for load
// testers.
func (s Samples) seedAnalysts(ctx context.Context, tx pgx.Tx, org int64, loadTest bool) error {
	for _, a := range []dbsqlc.SeedAnalystParams{
		{
			OrgID: org, Name: domain.DefaultAnalystName, Description: "Answers questions about your connectors with tables and charts.",
			Controller: "analyst", Provider: "builtin", Model: "builtin", IsEnabled: true, IsDefault: true,
		},
		{
			OrgID: org, Name: LoadTestAnalyst, Description: "Streams a scripted answer, for load tests.",
			Controller: "analyst", Provider: "scripted", Model: "scripted", IsEnabled: loadTest,
		},
	} {
		if err := s.q.SeedAnalyst(ctx, tx, &a); err != nil {
			return err
		}
	}
	return nil
}

// seedDataSource makes a sample connector, with its stored file.
func (s Samples) seedDataSource(ctx context.Context, tx pgx.Tx, org int64, people map[string]int64, d *SeedDataSource) error {
	owner, err := personOf(people, d.Owner)
	if err != nil {
		return err
	}
	id, err := s.q.SeedDataSource(ctx, tx, &dbsqlc.SeedDataSourceParams{
		OrgID: org, OwnerID: owner, Name: d.Name, Description: d.Description, Type: string(d.Type), Scope: string(d.Scope),
		FileName: d.FileName, FileKey: d.FileKey, WorkKey: d.WorkKey, Size: d.Size, Seed: d.Seed,
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil // it was seeded before
	}
	if err != nil {
		return err
	}
	// The row owns the files now (file_intake.go).
	if _, err := s.q.FilesTake(ctx, tx, []string{d.FileKey, d.WorkKey}); err != nil {
		return err
	}
	for _, email := range d.SharedWith {
		user, err := personOf(people, email)
		if err != nil {
			return err
		}
		if err := s.q.SeedGrant(ctx, tx, &dbsqlc.SeedGrantParams{DataSourceID: id, OrgID: org, UserID: user}); err != nil {
			return err
		}
	}
	return s.dataSources().insertResources(ctx, tx, org, id, d.Resources)
}

// personOf finds a person of the organisation that is being seeded.
func personOf(people map[string]int64, email string) (int64, error) {
	id, ok := people[email]
	if !ok {
		return 0, domain.Errorf(domain.CodeInvalid, "%s is not among the people of the organization.", email)
	}
	return id, nil
}
