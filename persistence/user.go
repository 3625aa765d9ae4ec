package persistence

import (
	"context"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// Users keep the people of organisations.
type Users struct{ *core }

var _ domain.UserService = Users{}

// UserByIdentity implements domain.UserService. It runs before the organisation
// is known, so it runs as the engine.
func (s Users) UserByIdentity(ctx context.Context, id domain.Identity) (*domain.User, error) {
	unknown := domain.Errorf(domain.CodeUnknownUser, "You are not authorized to access this resource")
	// A bearer without either names nobody.
	if id.Issuer == "" || id.Subject == "" {
		return nil, unknown
	}
	key := subject{id.Issuer, id.Subject}
	row, err := gatheredCall(ctx, s.gathered.users, key)
	if err == nil && row == nil && id.EmailVerified && strings.TrimSpace(id.Email) != "" {
		// The first sign-in: of several at once one binds the email, the others find it bound.
		bind := &dbsqlc.UserBindEmailParams{Issuer: id.Issuer, Subject: id.Subject, Email: strings.TrimSpace(id.Email)}
		// Only a row without a subject is bound, and only by a verified email, so an identity
		// cannot take over a person.
		if _, err := s.q.UserBindEmail(ctx, s.engine, bind); err != nil {
			return nil, translate(err)
		}
		row, err = gatheredCall(ctx, s.gathered.users, key)
	}
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, unknown
	}
	// The person exists, so this is 401 and not 403: they were signed in before.
	if row.AppUser.IsDisabled {
		return nil, domain.Errorf(domain.CodeUnauthenticated, "Your session has expired")
	}
	return s.userOf(&row.AppUser, row.Organisation), nil
}

// MoveIssuer stores the issuer address of the embedded provider under a name, and changes it
// in the rows of people who are bound to its former address: the provider is the same, with
// the same keys, whatever the address of its node is now.
func (s Users) MoveIssuer(ctx context.Context, name, issuer string) error {
	// The row of the secret is not locked: only the start of the node with the embedded provider
	// calls this.
	return translate(pgx.BeginFunc(ctx, s.engine, func(tx pgx.Tx) error {
		former, err := s.q.SecretGet(ctx, tx, name)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		if len(former) > 0 && string(former) != issuer {
			if err := s.q.UserMoveIssuer(ctx, tx, &dbsqlc.UserMoveIssuerParams{Issuer: string(former), Moved: issuer}); err != nil {
				return err
			}
		}
		return s.q.SecretSet(ctx, tx, &dbsqlc.SecretSetParams{Name: name, Body: []byte(issuer)})
	}))
}

// UserByEmail finds a person by email, for an operator's tools: it checks no rights.
// CodeNotFound.
func (s Users) UserByEmail(ctx context.Context, email string) (*domain.User, error) {
	row, err := s.q.UserByEmail(ctx, s.engine, strings.TrimSpace(email))
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, domain.NotFound("User")
	}
	if err != nil {
		return nil, translate(err)
	}
	return s.userOf(&row.AppUser, row.Organisation), nil
}

// User implements domain.UserService.
func (s Users) User(ctx context.Context, caller domain.Caller, id int64) (*domain.User, error) {
	var row *dbsqlc.UserGetRow
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) { r.UserGet(id, &row) })
	if err != nil {
		return nil, err
	}
	if row == nil {
		return nil, domain.NotFound("User")
	}
	return s.userOf(&row.AppUser, row.Organisation), nil
}

// LogHead implements domain.UserService.
func (s Users) LogHead(ctx context.Context, caller domain.Caller) (int64, error) {
	var head *int64
	// The read is made when it is asked for and not from a cache, because a client continues from
	// it.
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) { r.UserHead(caller.UserID, &head) })
	if err != nil {
		return 0, err
	}
	if head == nil {
		return 0, domain.NotFound("User")
	}
	return *head, nil
}

// TouchSession implements domain.UserService.
func (s Users) TouchSession(ctx context.Context, caller domain.Caller) error {
	return s.write(ctx, caller.OrganisationID, func(tx pgx.Tx) error {
		touched, err := s.q.UserTouch(ctx, tx, caller.UserID)
		if err == nil && touched == 0 {
			return domain.Errorf(domain.CodeUnauthenticated, "Your session has expired")
		}
		return err
	})
}

// ShareableEntities implements domain.UserService: people first, then teams.
func (s Users) ShareableEntities(
	ctx context.Context, caller domain.Caller, search string, page domain.Page,
) (domain.List[domain.Grantee], error) {
	p, pattern := pageOf(page, 100), patternOf(search)
	rows, total, err := readPage(ctx, s.core, caller.OrganisationID, p, func(r *reading, w window, into *[]dbsqlc.GranteeListRow,
		total *int64,
	) {
		r.GranteeList(&dbsqlc.GranteeListParams{Pattern: pattern, Size: w.size, Skip: w.skip}, into, total)
	})
	if err != nil {
		return domain.List[domain.Grantee]{}, err
	}
	list := domain.List[domain.Grantee]{Results: make([]domain.Grantee, len(rows)), Count: total}
	for i, r := range rows {
		list.Results[i] = domain.Grantee{ID: r.ID, Type: domain.GranteeType(r.Type), Name: r.Name, Picture: r.Picture}
	}
	return list, nil
}

// userOf makes the person of a row.
func (s Users) userOf(u *dbsqlc.AppUser, organisation string) *domain.User {
	return &domain.User{
		ID: u.ID, UUID: u.Uuid, OrganisationID: u.OrgID, Organisation: organisation, FullName: u.FullName, Email: u.Email,
		Picture: u.Picture, IsSuperuser: u.IsSuperuser, IsDisabled: u.IsDisabled,
		// The name of the organisation comes with every person, so this needs no query. Names are unique.
		IsOperator: u.IsSuperuser && organisation == s.cfg.Operator,
		Flags:      domain.UserFlags{ScheduledTaskView: u.ScheduledTaskView, UploadCredentials: u.UploadCredentials},
	}
}
