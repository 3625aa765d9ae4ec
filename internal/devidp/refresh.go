package devidp

import (
	"context"
	"fmt"

	"github.com/dexidp/dex/storage"
)

// UpdateRefreshToken implements storage.Storage. Dex's memory storage calls the
// updater with its lock held, and dex's updater reads the sign-in of the token from
// the same storage: every rotation would be a deadlock. So the updater runs outside
// the lock, and again if the token has changed in the meantime, which the interface
// permits.
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
