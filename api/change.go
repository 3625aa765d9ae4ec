package api

// Idempotency keys of changes (docs/contract.md, once). The key and a hash of the request go to the
// service as part of the caller, and are stored in the transaction of the change. A change that is
// repeated with the same key changes nothing more; the same key with another request is 422.

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"io"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"

	"parley.dev/parley/domain"
)

const headerKey = "Idempotency-Key"

// changesOnce marks the operations whose idempotency key is stored with their change.
const changesOnce = "changesOnce"

// acceptIdempotencyKey lets a call that changes or deletes an existing object accept an
// Idempotency-Key, and documents that. It skips calls that declare the header themselves, and
// calls by POST: those that create something, or that may not be repeated, declare it, and the
// others may be repeated without harm.
func acceptIdempotencyKey(op *huma.Operation, input reflect.Type) {
	switch op.Method {
	case http.MethodPut, http.MethodPatch, http.MethodDelete:
	default:
		return
	}
	for _, field := range reflect.VisibleFields(input) {
		if field.Tag.Get("header") == headerKey {
			return
		}
	}
	op.Metadata[changesOnce] = true
	op.Parameters = append(op.Parameters, &huma.Param{
		Name: headerKey, In: "header", Schema: &huma.Schema{Type: huma.TypeString},
		Description: "For a repetition after a lost response. A request with the same key within 24 hours changes nothing more and is not an " +
			"error, although the version is old, the steps exist already or the object is deleted. It returns the current state.",
	})
}

// setIdempotencyKey sets the caller's Idempotency, with a hash of the request. The body of an upload
// is not read yet: see addForm.
func setIdempotencyKey(op *huma.Operation, c *fiber.Ctx, body io.Reader) (err error) {
	given := c.Get(headerKey)
	if given == "" || op.Metadata[changesOnce] == nil {
		return nil
	}
	// The body is held in memory here only for calls with JSON. It is read for the hash and then
	// set back to its start for huma.
	var whole []byte
	if held, ok := body.(*bytes.Reader); ok {
		if whole, err = io.ReadAll(held); err == nil {
			_, err = held.Seek(0, io.SeekStart)
		}
		if err != nil {
			return domain.Internal(err, "the request cannot be hashed")
		}
	}
	// The query and If-Match are part of the hash, because they also say what is changed.
	key, err := idempotency(given, []string{
		c.Method(), c.Path(), string(c.Request().URI().QueryString()), c.Get(fiber.HeaderIfMatch), string(whole),
	})
	requestOf(c.UserContext()).caller.Idempotency = key
	return err
}

// addForm adds the fields and the file of a form to the hash of the Idempotency.
func (r *request) addForm(f *form) error {
	if r.caller.Idempotency.Key == "" {
		return nil
	}
	encoded, err := json.Marshal(f.fields)
	if err != nil {
		return domain.Internal(err, "the request cannot be hashed")
	}
	sum := sha256.New()
	// The first part is the hash of the head of the request, which setIdempotencyKey has made.
	for _, part := range [][]byte{r.caller.Idempotency.Body[:], f.hash[:], encoded} {
		_, _ = sum.Write(part) // never fails
	}
	// The sum is written over the old one, in the same array.
	sum.Sum(r.caller.Idempotency.Body[:0])
	return nil
}
