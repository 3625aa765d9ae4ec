package persistence

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/internal/dbsqlc"
)

// Quota bounds the bytes of the files that people upload.
type Quota struct {
	// Person is the limit of each owner, Organisation of all owners in an organisation together. 0: no limit.
	Person, Organisation int64
}

// UploadRoom implements domain.QuotaService.
func (s Files) UploadRoom(ctx context.Context, caller domain.Caller, key string, replaced int64) (int64, error) {
	// Without limits nothing has to be read.
	if s.cfg.Quota == (Quota{}) {
		return domain.UploadMax, nil
	}
	var (
		used *dbsqlc.QuotaUsedRow
		made *dbsqlc.IdempotencyResultRow
	)
	err := s.asTenant(ctx, caller.OrganisationID, func(r *reading) {
		// The key is looked up in the same round trip: if it has a result, the request is a repetition and
		// its file is not kept.
		if key != "" {
			r.IdempotencyResult(&dbsqlc.IdempotencyResultParams{UserID: caller.UserID, Key: key}, &made)
		}
		r.QuotaUsed(&dbsqlc.QuotaUsedParams{OwnerID: caller.UserID, OrgID: caller.OrganisationID}, &used)
	})
	if err != nil {
		return 0, err
	}
	if made != nil {
		return domain.UploadMax, nil
	}
	// A sum always has a row, even over no rows.
	if used == nil {
		return 0, domain.Internal(errors.New("a sum has no row"), "count the uploads")
	}
	left, full := s.cfg.Quota.left(used)
	if left += replaced; left <= 0 {
		return 0, full
	}
	return left, nil
}

// takeQuota checks, inside the transaction that stores a file's row, that the file fits, also
// together with files that are uploaded at the same time. added is how many bytes the file
// has more than the one that it replaces. CodeTooLarge.
func (s Files) takeQuota(ctx context.Context, tx pgx.Tx, organisation, owner, added int64) error {
	if s.cfg.Quota == (Quota{}) || added <= 0 {
		return nil
	}
	if err := s.q.QuotaLock(ctx, tx, organisation); err != nil {
		return err
	}
	// Uploads of one organization are checked one after the other, so that two of them cannot fill
	// the same room.
	used, err := s.q.QuotaUsed(ctx, tx, &dbsqlc.QuotaUsedParams{OwnerID: owner, OrgID: organisation})
	if err != nil {
		return err
	}
	if left, full := s.cfg.Quota.left(used); left < added {
		return full
	}
	return nil
}

// left is how many bytes may still be uploaded, and the error if that is too little.
func (q Quota) left(used *dbsqlc.QuotaUsedRow) (int64, error) {
	left, owner, all := int64(domain.UploadMax), "Your connectors", int64(0)
	if q.Person > 0 {
		// The limit that leaves less room is the one that the error names.
		left, all = q.Person-used.Person, q.Person
	}
	if q.Organisation > 0 && (all == 0 || q.Organisation-used.Organisation < left) {
		left, owner, all = q.Organisation-used.Organisation, "The connectors of your organization", q.Organisation
	}
	return left, domain.Errorf(domain.CodeTooLarge,
		"%s hold %d of %d MB. Delete connectors that are not needed, then upload the file again.", owner, (all-left)>>20, all>>20)
}
