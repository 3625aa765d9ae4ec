package stream

import (
	"context"
	"log/slog"
	"runtime/debug"
	"time"

	"parley.dev/parley/domain"
)

const (
	// watchEvery is how often the sign-ins of open sockets are looked at. With the
	// time that a look may take, a socket outlives its sign-in by less than 5 s.
	watchEvery = 2 * time.Second
	watchTime  = 2 * time.Second
)

// watchLocked has the sign-ins looked at after a while, as long as there are
// sockets. The lock is held.
func (s *Server) watchLocked() {
	if s.watched || len(s.open) == 0 {
		return
	}
	s.watched = true
	s.clock.AfterFunc(watchEvery, s.watch)
}

// RecheckSoon has the sign-ins looked at now, and waits for nothing.
func (s *Server) RecheckSoon() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.open) == 0 || s.soon {
		return
	}
	s.soon = true
	s.clock.AfterFunc(0, func() {
		defer s.rescueLook()
		s.mu.Lock()
		s.soon = false // what is heard from here on is another reason to look
		s.mu.Unlock()
		s.Recheck(context.Background())
	})
}

// rescueLook keeps a look that panics from ending the program.
func (s *Server) rescueLook() {
	if r := recover(); r != nil {
		s.log.LogAttrs(context.Background(), slog.LevelError, "looking at sign-ins panicked", slog.Any("panic", r),
			slog.String("stack", string(debug.Stack())))
	}
}

func (s *Server) watch() {
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.watched = false
		s.watchLocked()
	}()
	defer s.rescueLook()
	s.Recheck(context.Background())
}

// Recheck closes, with 4401, the sockets whose sign-in is over: ended by its
// person here or elsewhere, idle or old for too long, or of a disabled person. All
// nodes do it by themselves; a hint only has them do it at once.
func (s *Server) Recheck(ctx context.Context) {
	sockets := map[domain.SignInKey][]*socket{}
	s.mu.Lock()
	for sock := range s.open {
		sockets[sock.signIn] = append(sockets[sock.signIn], sock)
	}
	s.mu.Unlock()
	if len(sockets) == 0 {
		return
	}
	list := make([]domain.SignInKey, 0, len(sockets))
	for key := range sockets {
		list = append(list, key)
	}
	ctx, cancel := context.WithTimeout(ctx, watchTime)
	defer cancel()
	ended, err := s.c.Ended(ctx, list)
	if err != nil {
		// Nothing else can be read either; the next look decides.
		s.log.LogAttrs(ctx, slog.LevelWarn, "the sign-ins of open streams could not be looked at", slog.Any("error", err))
		return
	}
	for _, key := range ended {
		for _, sock := range sockets[key] {
			sock.Close(domain.DisconnectSessionEnded) //nolint:contextcheck // closing outlives the look
		}
	}
}
