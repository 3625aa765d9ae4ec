package persistence

import "parley.dev/parley/domain"

// fresh refuses a change that is based on another version than the row has now, so that a
// person does not overwrite a change that they have not seen; with 0 the version is not
// checked.
func fresh(asked int, has int32) error {
	if asked != 0 && asked != int(has) {
		return domain.Errorf(domain.CodeConflict, "Somebody else changed this meanwhile. Please load it again.")
	}
	return nil
}
