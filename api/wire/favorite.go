package wire

import "parley.dev/parley/domain"

// Favorite is the caller's own mark on a thing, of any kind.
type Favorite struct {
	_          struct{} `additionalProperties:"true"`
	IsFavorite *bool    `json:"isFavorite,omitempty" doc:"This or favorite must be given."`
	Favorite   *bool    `json:"favorite,omitempty" doc:"The same as isFavorite."`
}

// On reads the mark. CodeInvalid where neither spelling is given.
func (f *Favorite) On() (bool, error) {
	switch {
	case f.IsFavorite != nil:
		return *f.IsFavorite, nil
	case f.Favorite != nil:
		return *f.Favorite, nil
	}
	return false, domain.Invalid("isFavorite", "This field is required.")
}
