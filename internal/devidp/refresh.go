package devidp

import (
	"context"
	"fmt"

	"github.com/dexidp/dex/storage"
)

// UpdateRefreshToken implements storage.Storage. Dex's memory storage calls the
// updater with its lock held, and dex's updater asks the same storage for the
// sign-in that the token belongs to: every rotation would wait for itself for
// ever. So the updater runs outside the lock, and again if the token changed
// meanwhile, which the interface allows for.
func (s *keyStorage) UpdateRefreshToken(
	ctx context.Context, id string, updater func(old storage.RefreshToken) (storage.RefreshToken, error),
) error {
	for {
		old, err := s.GetRefresh(ctx, id)
		if err != nil {
			return err
		}

		updated, err := updater(old)
		if err != nil {
			return err
		}

		changed := false

		err = s.Storage.UpdateRefreshToken(ctx, id, func(current storage.RefreshToken) (storage.RefreshToken, error) {
			changed = current.Token != old.Token || current.ObsoleteToken != old.ObsoleteToken || !current.LastUsed.Equal(old.LastUsed)
			if changed {
				return current, nil
			}

			return updated, nil
		})
		if err != nil || !changed {
			return err //nolint:wrapcheck // as above
		}

		if ctx.Err() != nil {
			return fmt.Errorf("rotate refresh token: %w", context.Cause(ctx))
		}
	}
}
