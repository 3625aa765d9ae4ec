package persistence

import (
	"context"

	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// Files keep the account of the file store: which files are being stored, how many bytes
// may still be uploaded, and which files are not referred to any more.
type Files struct{ *core }

var _ domain.QuotaService = Files{}

// FileIntake keeps the account of the files that one node is storing.
type FileIntake struct {
	files Files
	node  string
}

var _ domain.FileIntake = (*FileIntake)(nil)

// FileIntake returns the account of a node, by its name among the cluster's members. Files
// of an account without a name are due after some minutes, and the files of a turn's
// objects some minutes after the turn's end.
func (s Files) FileIntake(node string) *FileIntake { return &FileIntake{files: s, node: node} }

// Begin implements domain.FileIntake.
func (f *FileIntake) Begin(ctx context.Context, organisation int64, keys ...string) error {
	return f.files.write(ctx, organisation, func(tx pgx.Tx) error {
		return f.files.q.FilesBegin(ctx, tx, &dbsqlc.FilesBeginParams{OrgID: organisation, Node: f.node, Keys: keys})
	})
}

// End implements domain.FileIntake.
func (f *FileIntake) End(ctx context.Context, organisation int64, keys ...string) error {
	return f.files.write(ctx, organisation, func(tx pgx.Tx) error { return f.files.q.FilesEnd(ctx, tx, keys) })
}

// takeFiles removes keys from the account in the transaction whose row refers to them.
// CodeConflict if one is missing: its file was removed, or is about to be.
func (s Files) takeFiles(ctx context.Context, tx pgx.Tx, keys ...string) error {
	given := make([]string, 0, len(keys))
	for _, key := range keys {
		if key != "" {
			given = append(given, key)
		}
	}
	if len(given) == 0 {
		return nil
	}
	n, err := s.q.FilesTake(ctx, tx, given)
	if err == nil && n != int64(len(given)) {
		err = domain.Errorf(domain.CodeConflict, "The upload took too long. Please send it again.")
	}
	return err
}
