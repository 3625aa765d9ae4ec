package fakes

import (
	"context"
	"slices"
)

// Intake is a domain.FileIntake that notes which keys it has an account of. It removes
// no file: what becomes of one that no row refers to is persistence's to decide.
type Intake struct{ *World }

// Begin implements domain.FileIntake.
func (i Intake) Begin(_ context.Context, _ int64, keys ...string) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.begun = append(i.begun, keys...)
	return i.called("Begin")
}

// End implements domain.FileIntake.
func (i Intake) End(_ context.Context, _ int64, keys ...string) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.given = append(i.given, keys...)
	return i.called("End")
}

// Held are the keys that were begun and not given up.
func (w *World) Held() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(w.begun), func(key string) bool { return slices.Contains(w.given, key) })
}

// Noted are all keys that were ever begun.
func (w *World) Noted() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.begun)
}
