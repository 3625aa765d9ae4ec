package api

import (
	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// grantsOf reads a change of access. What is wrong in the body is told only to
// who may change access at all, which may says: rights come before rules, and a
// stranger learns only that there is nothing.
func grantsOf(in *wire.Actors, noun wire.Noun, may func() error) ([]domain.Grant, error) {
	grants, err := in.Grants(noun)
	if err == nil {
		return grants, nil
	}
	if refused := may(); refused != nil {
		return nil, refused
	}
	return nil, err
}
