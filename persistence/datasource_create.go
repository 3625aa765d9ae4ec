package persistence

// The creation of a connector: of an uploaded file, or of a remote database. The row, its tables,
// the place in the quota, the account of the files and the secret are one transaction, so that
// after a crash there is either all of it or nothing.

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/envelope"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// CreateDataSource implements domain.DataSourceService. Organisation scope is
// for superusers, conversation scope for the conversation's owner.
func (s DataSources) CreateDataSource(ctx context.Context, caller domain.Caller, n domain.NewDataSource) (*domain.DataSource, error) {
	if err := n.Validate(); err != nil {
		return nil, err
	}
	// Without a scope it belongs to the person alone.
	if n.Scope == "" {
		n.Scope = domain.ScopeUser
	}
	// The secret is encrypted before the transaction begins. Its id is made here, because it is
	// part of what is encrypted and authenticated.
	var secret *envelope.Sealed
	secretID := domain.NewID()
	if n.Connection != nil {
		var err error
		if secret, err = s.credentials().sealConnection(ctx, caller, &n, secretID); err != nil {
			return nil, err
		}
	}
	// The checks run in the transaction that inserts the row, so that what they have found still
	// holds when it commits.
	id, err := s.createInt64(ctx, caller, kindDataSource, n.Key, func(tx pgx.Tx) (id int64, err error) {
		if err := s.mayPlace(ctx, tx, caller, &n); err != nil {
			return 0, err
		}
		// The quota is checked again here: the first check (UploadRoom) was before the bytes
		// arrived, and other uploads may have ended since.
		if err := s.files().takeQuota(ctx, tx, caller.OrganisationID, caller.UserID, n.Size); err != nil {
			return 0, err
		}
		// From here on the row owns the files, and the end of the upload does not remove them.
		if err := s.files().takeFiles(ctx, tx, n.FileKey, n.WorkKey); err != nil {
			return 0, err
		}
		// A named secret must be the caller's own.
		if err := s.credentials().mayUseCredential(ctx, tx, caller, n.Connection); err != nil {
			return 0, err
		}
		if id, err = s.insertDataSource(ctx, tx, caller, &n); err != nil || secret == nil {
			return id, err
		}
		return id, s.credentials().insertOwnSecret(ctx, tx, caller, id, secretID, secret)
	})
	if err != nil {
		return nil, err
	}
	s.wakeMeasurer()
	// It is read as every other answer, also for a repeated request, which gets the present state
	// of the first one's connector.
	return s.DataSource(ctx, caller, id)
}

// mayPlace checks whether the caller may put a data source in the scope asked for.
func (s DataSources) mayPlace(ctx context.Context, tx pgx.Tx, caller domain.Caller, n *domain.NewDataSource) error {
	switch n.Scope {
	case domain.ScopeUser:
		// A conversation that the client named for another scope is ignored.
		n.ConversationID = uuid.Nil
		return nil
	case domain.ScopeOrganisation:
		n.ConversationID = uuid.Nil
		return domain.PublishDataSource.Authorize(caller, domain.Relation{})
	case domain.ScopeConversation:
		// The caller's relation to the conversation is read without a lock: a right that is taken back at the same
		// moment may still count.
		row, err := s.q.RelationConversation(ctx, tx, &dbsqlc.RelationConversationParams{UserID: caller.UserID, ID: n.ConversationID})
		if errors.Is(err, pgx.ErrNoRows) {
			return domain.NounConversation.Missing()
		}
		if err != nil {
			return err
		}
		return domain.AttachDataSource.Authorize(caller, ranked(row.Rank))
	}
	return domain.Invalid("scope", "The scope is organization, user or conversation.")
}

// insertDataSource inserts the row and its tables. The transaction has checked the rights.
func (s DataSources) insertDataSource(ctx context.Context, tx pgx.Tx, caller domain.Caller, n *domain.NewDataSource) (int64, error) {
	params, credential, err := connectionColumns(n.Connection)
	if err != nil {
		return 0, err
	}
	row := dbsqlc.DataSourceInsertOf(n)
	row.OrgID, row.OwnerID, row.Params, row.CredentialID = caller.OrganisationID, caller.UserID, params, credential
	row.ConversationID = uuid.NullUUID{UUID: n.ConversationID, Valid: n.ConversationID != uuid.Nil}
	// Names come from files and may contain characters that must not be shown.
	row.FileName = domain.Clean(n.FileName)
	id, err := s.q.DataSourceInsert(ctx, tx, row)
	if err != nil {
		return 0, err
	}
	return id, s.insertResources(ctx, tx, caller.OrganisationID, id, n.Resources)
}

// insertResources inserts the tables of a connector, in their order.
func (s DataSources) insertResources(ctx context.Context, tx pgx.Tx, organisation, source int64, resources []domain.DataResource) error {
	for i := range resources {
		t := &resources[i]
		columns, err := columnsJSON(t.Columns)
		if err != nil {
			return err
		}
		declared, err := declaredJSON(&t.Declared)
		if err != nil {
			return err
		}
		err = s.q.DataResourceInsert(ctx, tx, &dbsqlc.DataResourceInsertParams{
			DataSourceID: source, OrgID: organisation, Name: domain.Clean(t.Name), TableName: t.Table, Description: domain.Clean(t.Description),
			Details: domain.Clean(t.Details), Columns: columns, RowCount: t.Rows, Preview: domain.Clean(t.Preview),
			Declared: declared,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
