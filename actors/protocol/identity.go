package protocol

import (
	"strings"

	"github.com/google/uuid"
)

// IdentityOf returns the id of the object that an actor owns, which is the part of the
// actor's name (the Id of its PID) after its kind; ok is false if the name contains no id. The library's way, a
// context extension of each actor, needs separate props and some 500 bytes for each of them.
func IdentityOf(actor string) (id uuid.UUID, ok bool) {
	_, name, _ := strings.Cut(actor, "/")
	id, err := uuid.Parse(name)
	return id, err == nil
}
