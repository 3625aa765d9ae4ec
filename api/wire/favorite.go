package wire

import "parley.dev/parley/domain"

// Favorite is the caller's own mark on a thing, of any kind.
type Favorite struct {
	_          struct{} `additionalProperties:"true"`
	IsFavorite *bool    `json:"isFavorite,omitempty" doc:"This, favorite or flag must be given."`
	Favorite   *bool    `json:"favorite,omitempty" doc:"The same as isFavorite."`
	Flag       *bool    `json:"flag,omitempty" doc:"The same as isFavorite."`
}

// On reads the mark, under the first of its names that is given: the
// specification has one for each kind of thing. CodeInvalid where none is.
func (f *Favorite) On() (bool, error) {
	for _, given := range []*bool{f.IsFavorite, f.Favorite, f.Flag} {
		if given != nil {
			return *given, nil
		}
	}
	return false, domain.Invalid("isFavorite", "This field is required.")
}
