package stream

// Sockets end with their sign-in (G14). Each node with open sockets asks the store every 2 seconds
// which of their sign-ins are over. A hint from another node only makes it ask at once, so a lost
// hint costs at most this time.

import (
	"bytes"
	"cmp"
	"context"
	"log/slog"
	"runtime/debug"
	"slices"
	"time"

	"parley.dev/parley/domain"
)

const (
	// watchEvery is how often the sign-ins of open sockets are checked. A check takes at
	// most watchTime, so a socket outlives its sign-in by less than 5 s.
	watchEvery = 2 * time.Second
	watchTime  = 2 * time.Second
)

// watchLocked schedules the next check of the sign-ins while there are open sockets. The
// caller holds the lock.
func (s *Server) watchLocked() {
	if s.watchDue || len(s.open) == 0 {
		return
	}
	s.watchDue = true
	s.clock.AfterFunc(watchEvery, s.watch)
}

// RecheckSoon schedules an immediate check of the sign-ins and does not wait for it.
func (s *Server) RecheckSoon() {
	s.mu.Lock()
	defer s.mu.Unlock()
	// Several hints that arrive before the check need only one check.
	if len(s.open) == 0 || s.recheckDue {
		return
	}
	s.recheckDue = true
	s.clock.AfterFunc(0, func() {
		defer s.rescueCheck()
		s.mu.Lock()
		s.recheckDue = false // a request after this point needs another check
		s.mu.Unlock()
		s.Recheck(context.Background())
	})
}

// rescueCheck recovers from a panic in a check, which would otherwise end the program.
func (s *Server) rescueCheck() {
	if r := recover(); r != nil {
		s.log.LogAttrs(context.Background(), slog.LevelError, "looking at sign-ins panicked", slog.Any("panic", r),
			slog.String("stack", string(debug.Stack())))
	}
}

// watch is the regular check. It schedules the next one when it has ended, so two checks never
// overlap.
func (s *Server) watch() {
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.watchDue = false
		s.watchLocked()
	}()
	defer s.rescueCheck()
	s.Recheck(context.Background())
}

// Recheck closes, with 4401, the sockets whose sign-in is over: its person ended it here
// or elsewhere, it was idle for too long or is too old, or the person is disabled. Each
// node does this regularly by itself; a hint only makes it do so at once.
func (s *Server) Recheck(ctx context.Context) {
	list := s.signIns()
	if len(list) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, watchTime)
	defer cancel()
	ended, err := s.c.Ended(ctx, list)
	if err != nil {
		// The store cannot be read at all; the next check decides.
		s.log.LogAttrs(ctx, slog.LevelWarn, "the sign-ins of open streams could not be checked", slog.Any("error", err))
		return
	}
	for _, sock := range s.socketsOf(ended) {
		sock.Close(domain.DisconnectSessionEnded) //nolint:contextcheck // closing outlives the check
	}
}

// signIns lists the sign-ins of the open sockets, each once. It makes one list and nothing for each
// socket, because with 10,000 of them it would be most of what an idle node allocates.
func (s *Server) signIns() []domain.SignInKey {
	s.mu.Lock()
	list := make([]domain.SignInKey, 0, len(s.open))
	for sock := range s.open {
		list = append(list, sock.signIn)
	}
	// The lock is not held while the store is asked: sockets open and close meanwhile.
	s.mu.Unlock()
	slices.SortFunc(list, func(a, b domain.SignInKey) int {
		return cmp.Or(cmp.Compare(a.UserID, b.UserID), bytes.Compare(a.Hash[:], b.Hash[:]))
	})
	return slices.Compact(list)
}

// socketsOf returns the open sockets of these sign-ins.
func (s *Server) socketsOf(ended []domain.SignInKey) []*socket {
	if len(ended) == 0 {
		return nil
	}
	set := make(map[domain.SignInKey]struct{}, len(ended))
	for _, key := range ended {
		set[key] = struct{}{}
	}
	var out []*socket
	s.mu.Lock()
	defer s.mu.Unlock()
	for sock := range s.open {
		if _, over := set[sock.signIn]; over {
			out = append(out, sock)
		}
	}
	return out
}
