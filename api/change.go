package api

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

// changesOnce marks the operations whose key is kept with the change that they make.
const changesOnce = "changesOnce"

// takeChangeKey lets a call that changes or deletes what is there take a key, and
// says so. Calls that take one themselves, and those by POST, which make something
// or are harmless however often they come, are left as they are.
func takeChangeKey(op *huma.Operation, input reflect.Type) {
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
		Description: "The same key again (24 hours), because the answer was lost, changes nothing more: the version that the change was made from, " +
			"steps that were added or removed, and what was deleted are not missed. The answer is what is there.",
	})
}

// noteChange puts the key of a change beside the caller, with a hash of what was
// asked for. The body of an upload is not known yet: see alsoAsked.
func noteChange(op *huma.Operation, c *fiber.Ctx, body io.Reader) (err error) {
	given := c.Get(headerKey)
	if given == "" || op.Metadata[changesOnce] == nil {
		return nil
	}
	var whole []byte
	if held, ok := body.(*bytes.Reader); ok {
		if whole, err = io.ReadAll(held); err == nil {
			_, err = held.Seek(0, io.SeekStart)
		}
		if err != nil {
			return domain.Internal(err, "the request cannot be hashed")
		}
	}
	key, err := idempotency(given, []string{
		c.Method(), c.Path(), string(c.Request().URI().QueryString()), c.Get(fiber.HeaderIfMatch), string(whole),
	})
	requestOf(c.UserContext()).caller.ChangeKey = key
	return err
}

// alsoAsked adds to the key of a change what the request says in a form.
func (r *request) alsoAsked(f *form) error {
	if r.caller.ChangeKey.Key == "" {
		return nil
	}
	encoded, err := json.Marshal(f.fields)
	if err != nil {
		return domain.Internal(err, "the request cannot be hashed")
	}
	sum := sha256.New()
	for _, part := range [][]byte{r.caller.ChangeKey.Body[:], f.hash[:], encoded} {
		_, _ = sum.Write(part) // never fails
	}
	sum.Sum(r.caller.ChangeKey.Body[:0])
	return nil
}
