package cluster

import (
	"context"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// ByID makes a home function of one that takes the identity as a UUID. What is
// not one has no home, and its actor will say that it is not there.
func ByID(home func(context.Context, uuid.UUID) (string, error)) HomeFunc {
	return func(ctx context.Context, identity string) (string, error) {
		id, err := uuid.Parse(identity)
		if err != nil {
			return "", domain.NotFound("Object").WithCause(err)
		}
		return home(ctx, id)
	}
}
