package domain

import "context"

// QuotaService limits how much people may upload. There is a quota for each owner and one
// for the whole organisation. Both count the uploaded files of all data sources that are
// not deleted.
type QuotaService interface {
	// UploadRoom returns how many bytes the caller may still upload. If nothing is left, it
	// returns CodeTooLarge, and the message says which quota is full. key is the request's
	// idempotency key, or empty: a repetition of a request that has succeeded only fetches
	// the lost answer, and its file is not kept, so the quota does not apply to it. replaced
	// is the size of the file that the new one replaces.
	UploadRoom(ctx context.Context, caller Caller, key string, replaced int64) (int64, error)
}
