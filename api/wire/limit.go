package wire

import (
	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/domain"
)

// limited inserts the numbers of limits into the descriptions of a type's fields. The limits
// belong to the draft that is made from the type, and are declared only once, in domain.
// other is a list of pairs: a field, and the field whose limits it has.
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
