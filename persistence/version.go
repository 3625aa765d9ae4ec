package persistence

import "parley.dev/parley/domain"

// fresh refuses a change that was made from another version than the row has
// now, so that nobody overwrites what they have not seen; 0 asks for none.
func fresh(asked int, has int32) error {
	if asked != 0 && asked != int(has) {
		return domain.Errorf(domain.CodeConflict, "Somebody else changed this meanwhile. Please load it again.")
	}
	return nil
}
