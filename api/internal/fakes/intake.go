package fakes

import (
	"context"
	"slices"
)

// Intake is a domain.FileIntake that only records keys. It removes no file: the package
// persistence decides about files that no row refers to.
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

// Held returns the keys that were begun and whose request has not ended.
func (w *World) Held() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(w.begun), func(key string) bool { return slices.Contains(w.given, key) })
}

// Noted returns all keys that were ever begun.
func (w *World) Noted() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.begun)
}
