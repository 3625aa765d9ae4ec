package fakes

import (
	"context"

	"parley.dev/parley/domain"
)

// Rights is the service of rights: it returns the relation of people to the objects in the
// world.
type Rights struct{ *World }

// Relation implements domain.RightsService.
func (s Rights) Relation(_ context.Context, caller domain.Caller, noun domain.Noun, key domain.Key) (domain.Relation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.called("Relation " + string(noun)); err != nil {
		return domain.Relation{}, err
	}
	// The numbers below are the ids of the objects in the world (world.go).
	switch noun {
	case domain.NounConversation:
		return relation(s.seen(caller, key.ID))(caller)
	case domain.NounMessage:
		if m := s.messages[key.ID]; m != nil {
			return relation(s.seen(caller, m.ConversationID))(caller)
		}
	case domain.NounBlueprint:
		return relation(Blueprints(s).see(caller, key.Number))(caller)
	case domain.NounStep:
		if key.Number == 11 || key.Number == 12 {
			// Steps 11 and 12 belong to blueprint 1.
			return relation(Blueprints(s).see(caller, 1))(caller)
		}
	case domain.NounDataSource:
		return relation(DataSources(s).see(caller, key.Number))(caller)
	case domain.NounTable:
		// The tables of a data source have its id, followed by one digit.
		return relation(DataSources(s).see(caller, key.Number/10))(caller)
	case domain.NounAnalyst:
		return relation(Analysts(s).see(caller, key.Number))(caller)
	case domain.NounMemory:
		if m := Memories(s).one(); m.ID == key.Number {
			return m.Relation(caller), nil
		}
	case domain.NounProjectLabel:
		if l := ProjectLabels(s).one(); l.ID == key.Number {
			return l.Relation(caller), nil
		}
	case domain.NounTask:
		if t := Tasks(s).one(); t.ID == key.ID {
			return t.Relation(caller), nil
		}
	// These nouns have no object in the world, or their rights need none.
	case domain.NounDisplayObject, domain.NounFeedback, domain.NounStream, domain.NounCredential, domain.NounOrganisation:
	}
	return domain.Relation{}, nil
}

// relation returns the relation to an object that was found, otherwise the zero value.
func relation[T interface {
	Relation(c domain.Caller) domain.Relation
}](thing T, err error) func(domain.Caller) (domain.Relation, error) {
	return func(caller domain.Caller) (domain.Relation, error) {
		if err != nil {
			return domain.Relation{}, nil //nolint:nilerr // an object that does not exist is not an error
		}
		return thing.Relation(caller), nil
	}
}

// Repeated implements domain.RightsService.
func (s Rights) Repeated(_ context.Context, caller domain.Caller, key string) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.keys[caller.UserUUID.String()+key], s.called("Repeated")
}
