package cluster

import (
	"context"

	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// ByID makes a HomeFunc from a function of a UUID. An identity that is not a UUID has no
// home, and its actor answers that it does not exist.
func ByID(home func(context.Context, uuid.UUID) (string, error)) HomeFunc {
	return func(ctx context.Context, identity string) (string, error) {
		id, err := uuid.Parse(identity)
		if err != nil {
			return "", domain.NotFound("Object").WithCause(err)
		}
		return home(ctx, id)
	}
}
