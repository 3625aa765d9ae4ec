package fakes

import (
	"context"

	"parley.dev/parley/domain"
)

// Intake is a domain.FileIntake that removes at once what nothing refers to.
type Intake struct {
	*World
	Files *Files
}

// Begin implements domain.FileIntake.
func (i Intake) Begin(context.Context, int64, ...string) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.called("Begin")
}

// End implements domain.FileIntake.
func (i Intake) End(ctx context.Context, _ int64, keys ...string) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if err := i.called("End"); err != nil {
		return err
	}
	referred := map[string]bool{}
	for _, d := range i.sources {
		referred[d.FileKey], referred[d.WorkKey] = true, true
	}
	for _, key := range keys {
		if !referred[key] {
			if err := i.Files.Delete(ctx, key); err != nil && domain.CodeOf(err) != domain.CodeNotFound {
				return err
			}
		}
	}
	return nil
}
