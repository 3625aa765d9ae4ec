package domain

import "context"

// QuotaService knows how much people may upload. A quota counts the uploaded
// files of all data sources that are not deleted: of their owner, and of the
// whole organisation.
type QuotaService interface {
	// UploadRoom is how many bytes the caller may still upload. Where nothing is
	// left it answers CodeTooLarge, and the message says which quota is full. key is
	// the request's, or empty: one that has done its work comes again for the answer
	// that was lost, and what it carries is not kept, so it needs no room. replaced
	// is the size of the file that makes place for the new one.
	UploadRoom(ctx context.Context, caller Caller, key string, replaced int64) (int64, error)
}
