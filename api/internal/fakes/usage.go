package fakes

import (
	"context"
	"time"

	"parley.dev/parley/domain"
)

// Usage reports that the caller used half of what the organisation used.
type Usage struct{ *World }

// UsageReport implements domain.UsageService.
func (s Usage) UsageReport(_ context.Context, caller domain.Caller, q domain.UsageQuery) (*domain.UsageReport, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.noted("UsageReport", q); err != nil {
		return nil, err
	}
	row := domain.UsageRow{Day: q.First, UserID: caller.UserID, Name: caller.FullName, Credits: 4, Percentage: 100, OverOrganisation: 50}
	return &domain.UsageReport{Rows: domain.List[domain.UsageRow]{Results: []domain.UsageRow{row}, Count: 1}, Total: 4, Organisation: 8}, nil
}

// CreditsPeriod has the arguments of a call of CreditsInfo.
type CreditsPeriod struct{ First, Last time.Time }

// CreditsInfo implements domain.UsageService.
func (s Usage) CreditsInfo(_ context.Context, _ domain.Caller, first, last time.Time) (*domain.CreditsInfo, error) {
	return &domain.CreditsInfo{Used: 8}, s.note("CreditsInfo", CreditsPeriod{first, last})
}
