package wire

import (
	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/domain"
)

// LimitsExtension is the extension of a field's schema with its limits, by their units. The web
// reads its numbers from it. It is not maxLength: the schema library counts code points, and
// a text that is too long has an error text of the product.
const LimitsExtension = "x-limits"

// Limited adds limits to the schema of a type: it inserts their numbers into the descriptions of
// the fields, and adds LimitsExtension. The limits belong to the draft that is made from the
// type, and are declared only once, in domain. other is a list of pairs: a field, and the
// field whose limits it has.
func Limited(s *huma.Schema, limits []domain.Limit, other ...string) *huma.Schema {
	for name, property := range s.Properties {
		limitField(property, name, limits)
	}
	for i := 0; i+1 < len(other); i += 2 {
		if property := s.Properties[other[i]]; property != nil {
			limitField(property, other[i+1], limits)
		}
	}
	return s
}

func limitField(property *huma.Schema, field string, limits []domain.Limit) {
	property.Description = domain.LimitsIn(property.Description, field, limits)
	most := map[string]int{}
	for i := range limits {
		// A field may have two limits of one unit, the second one for a part of it. The
		// description has the first one, too.
		if _, known := most[string(limits[i].Unit)]; limits[i].Field == field && !known {
			most[string(limits[i].Unit)] = limits[i].Most
		}
	}
	if len(most) > 0 {
		property.Extensions = map[string]any{LimitsExtension: most}
	}
}
