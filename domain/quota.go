package domain

import "context"

// QuotaService knows how much people may upload. A quota counts the uploaded
// files of all data sources that are not deleted: of their owner, and of the
// whole organisation.
type QuotaService interface {
	// UploadRoom is how many bytes the caller may still upload. Where nothing is
	// left it answers CodeTooLarge, and the message says which quota is full.
	UploadRoom(ctx context.Context, caller Caller) (int64, error)
}
