package wire

import "parley.dev/parley/domain"

// Favorite is the caller's own mark on an object of any kind.
type Favorite struct {
	_          struct{} `additionalProperties:"true"`
	IsFavorite *bool    `json:"isFavorite,omitempty" doc:"Required, under this name or as favorite or flag."`
	Favorite   *bool    `json:"favorite,omitempty" doc:"The same as isFavorite."`
	Flag       *bool    `json:"flag,omitempty" doc:"The same as isFavorite."`
}

// On returns the mark, from the first of its names that is present: the specification has one
// name for each kind of object. It returns CodeInvalid if none is present.
func (f *Favorite) On() (bool, error) {
	for _, given := range []*bool{f.IsFavorite, f.Favorite, f.Flag} {
		if given != nil {
			return *given, nil
		}
	}
	return false, domain.Invalid("isFavorite", "This field is required.")
}
