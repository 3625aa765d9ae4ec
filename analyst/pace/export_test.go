package pace

// Waiting is how many walks have their place on the wheel.
func (w *Wheel) Waiting() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.waiting
}
