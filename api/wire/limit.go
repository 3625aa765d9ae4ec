package wire

import (
	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/domain"
)

// limited puts the numbers of limits into the descriptions of a type's fields: they are
// the draft's that the type becomes, and said once, in domain. other names a field by
// another one's limits.
func limited(s *huma.Schema, limits []domain.Limit, other ...string) *huma.Schema {
	for name, property := range s.Properties {
		property.Description = domain.LimitsIn(property.Description, name, limits)
	}
	for i := 0; i+1 < len(other); i += 2 {
		if property := s.Properties[other[i]]; property != nil {
			property.Description = domain.LimitsIn(property.Description, other[i+1], limits)
		}
	}
	return s
}
