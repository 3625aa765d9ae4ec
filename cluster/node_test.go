package cluster

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/internal/clock"
)

// table is a membership table in memory. Its lock guards all of its fields.
type table struct {
	mu sync.Mutex
	// clock is the database's clock; ahead is its difference from the clock of the nodes.
	clock     clock.Clock
	ahead     time.Duration
	members   map[string]domain.Member
	homes     map[string]string
	cert, key []byte
	reports   map[string]*domain.NodeReport
	// renewErr, joinErr, readErr and reportErr, if set, are the errors of renewals, joins, reads and
	// reports.
	renewErr, joinErr, readErr, reportErr error
}

func newTable() *table {
	return &table{clock: clock.System{}, members: map[string]domain.Member{}, homes: map[string]string{}}
}

func (s *table) Join(_ context.Context, m domain.Member, lease time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.joinErr != nil {
		return s.joinErr
	}
	for node, old := range s.members {
		if old.Name == m.Name {
			delete(s.members, node)
		}
	}
	m.ExpiresAt = s.now().Add(lease)
	s.members[m.Node] = m
	return nil
}

func (s *table) now() time.Time { return s.clock.Now().Add(s.ahead) }

// set changes the database's clock to differ from the nodes' by this much.
func (s *table) set(ahead time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ahead = ahead
}

func (s *table) Renew(_ context.Context, node string, load float64, lease time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.renewErr != nil {
		return s.renewErr
	}
	m, ok := s.members[node]
	if !ok {
		return domain.Errorf(domain.CodeFenced, "declared dead")
	}
	m.ExpiresAt, m.Load = s.now().Add(lease), load
	s.members[node] = m
	return nil
}

func (s *table) Report(_ context.Context, node string, report *domain.NodeReport) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.reportErr != nil {
		return s.reportErr
	}
	if s.reports == nil {
		s.reports = map[string]*domain.NodeReport{}
	}
	s.reports[node] = report
	return nil
}

// report is the last report of a node.
func (s *table) report(node string) *domain.NodeReport {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reports[node]
}

// askToDrain sets what `parley cluster drain` sets.
func (s *table) askToDrain(node string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.members[node]
	m.DrainAsked = true
	s.members[node] = m
}

func (s *table) Leave(_ context.Context, node string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.members, node)
	return nil
}

func (s *table) Members(context.Context) ([]domain.Member, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.readErr != nil {
		return nil, s.readErr
	}
	var ms []domain.Member
	for _, m := range s.members {
		m.Left = m.ExpiresAt.Sub(s.now())
		ms = append(ms, m)
	}
	return ms, nil
}

func (s *table) Authority(_ context.Context, create func() ([]byte, []byte, error)) (cert, key []byte, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cert == nil {
		if s.cert, s.key, err = create(); err != nil {
			return nil, nil, err
		}
	}
	return s.cert, s.key, nil
}

func (s *table) DeclareDead(_ context.Context, m domain.Member) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old, there := s.members[m.Node]
	if !there || !old.ExpiresAt.Equal(m.ExpiresAt) {
		return false, nil
	}
	delete(s.members, m.Node)
	return true, nil
}

func (s *table) failRenewals(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.renewErr = err
}

func TestNode_New(t *testing.T) {
	t.Parallel()
	log := slog.New(slog.DiscardHandler)
	for name, address := range map[string]string{"NoPort": "127.0.0.1", "AllInterfaces": ":8090", "PortIsNoNumber": "127.0.0.1:x"} {
		for field, c := range map[string]Config{"Address": {Address: address}, "Advertise": {Advertise: address}} {
			t.Run(name+field, func(t *testing.T) {
				t.Parallel()
				c.Name, c.Members, c.Logger, c.OnFenced, c.Homes = "a", newTable(), log, func(string) {}, map[string]HomeFunc{}
				_, err := New(t.Context(), NewSystem(log), c)
				require.ErrorContains(t, err, "cluster address")
			})
		}
	}
}
