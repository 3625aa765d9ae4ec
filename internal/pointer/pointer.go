// Package pointer reads pointers to optional values.
package pointer

// Value returns the value that a pointer points to, or the zero value if it is nil.
func Value[T any](p *T) T {
	var zero T
	if p == nil {
		return zero
	}
	return *p
}
