package fakes

import (
	"sync"

	"parley.dev/parley/domain"
)

// Fault is how a write fails.
type Fault struct {
	// Before is the error of a write that is not committed; After is the error of a write
	// that is committed: its answer was lost.
	Before, After error
}

// Journal commits to a Store in the order of the calls of Submit, one group after another.
type Journal struct {
	store *Store

	mu      sync.Mutex
	queue   []submitted
	running bool
	held    bool
	fault   func(*domain.Write) Fault
	submit  func(*domain.Write)
}

type submitted struct {
	write *domain.Write
	done  func(domain.WriteResult)
}

var _ domain.Journal = (*Journal)(nil)

// NewJournal makes the journal of a store.
func NewJournal(s *Store) *Journal { return &Journal{store: s} }

// Submit implements domain.Journal.
func (j *Journal) Submit(w *domain.Write, done func(domain.WriteResult)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.submit != nil {
		j.submit(w)
	}
	j.queue = append(j.queue, submitted{w, done})
	j.startLocked()
}

func (j *Journal) startLocked() {
	if j.running || j.held || len(j.queue) == 0 {
		return
	}
	j.running = true
	go j.run()
}

func (j *Journal) run() {
	for {
		j.mu.Lock()
		if j.held || len(j.queue) == 0 {
			j.running = false
			j.mu.Unlock()
			return
		}
		group := j.queue
		j.queue = nil
		fault := j.fault
		j.mu.Unlock()
		for _, s := range group {
			s.done(j.one(s.write, fault))
		}
	}
}

func (j *Journal) one(w *domain.Write, fault func(*domain.Write) Fault) domain.WriteResult {
	var f Fault
	w.PullText()
	if fault != nil {
		f = fault(w)
	}
	if f.Before != nil {
		return domain.WriteResult{Err: f.Before}
	}
	r := j.store.Commit(w)
	if f.After != nil && r.Err == nil {
		return domain.WriteResult{Err: f.After}
	}
	return r
}

// Hold delays all commits until Go is called.
func (j *Journal) Hold() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.held = true
}

// Go commits the writes that were held.
func (j *Journal) Go() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.held = false
	j.startLocked()
}

// Waiting is the number of writes that are held.
func (j *Journal) Waiting() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.queue)
}

// OnFault sets a function that decides how each write fails; nil means that all writes succeed.
func (j *Journal) OnFault(f func(*domain.Write) Fault) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.fault = f
}

// OnSubmit sets a function that is called with each write, in the goroutine that submits
// it. The function may panic.
func (j *Journal) OnSubmit(f func(*domain.Write)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.submit = f
}
