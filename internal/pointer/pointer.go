// Package pointer reads pointers that stand for a value that may be missing.
package pointer

// Value is what a pointer points to, or the zero value.
func Value[T any](p *T) T {
	var zero T
	if p == nil {
		return zero
	}
	return *p
}
