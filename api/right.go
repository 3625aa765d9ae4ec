package api

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"

	"parley.dev/parley/domain"
)

// need is the right that a call needs, from the table in domain/rights_table.go. Each call names
// its right where it is registered.
type need struct {
	action domain.Action
	// invalid is checked instead if the request is not valid.
	invalid domain.Action
	// named is the field that names the object if the path does not.
	named string
	// also is a field that may name another object.
	also string
}

// needs is a right on the object whose id is in the path, or a right that needs no object.
func needs(action domain.Action) need { return need{action: action} }

// by says that a field of the body or the query names the object, so that it is known only
// after that was read: the called service checks the right.
func (n need) by(field string) need {
	n.named = field
	return n
}

// alsoOf says that a field of the body may name another object, such as the blueprint of a new step.
// The called service checks the right to that object. The description then lists 404 for the call.
func (n need) alsoOf(field string) need {
	n.also = field
	return n
}

// mayMiss reports whether the call can be refused as if an object did not exist: an object is
// named in the path, the body or the query, or the call itself does not exist for people without
// the right.
func (n need) mayMiss(path string) bool {
	right, _ := n.action.Right()
	return strings.Contains(path, "{") || n.named != "" || n.also != "" ||
		slices.ContainsFunc(right.Needs, func(need domain.Need) bool { return need.Refusal == "" })
}

// butInvalid is for a call whose body decides which right it needs. The handler checks the
// greater right. If the body cannot be read, the greater right is checked as well.
func (n need) butInvalid(action domain.Action) need {
	n.invalid = action
	return n
}

const (
	needOfCall = "need"
	// rightExtension is the field of the published description with the right of a call.
	rightExtension = "x-right"
)

// into adds the right to the description of a call. It panics at a programmer's mistake: a
// call without a right, or without a name for its object.
func (n need) into(op *huma.Operation) {
	right, ok := n.action.Right()
	switch {
	case !ok:
		panic(fmt.Sprintf("api: %s %s names no right; see domain/rights_action.go", op.Method, op.Path))
	case !right.Lone && n.named == "" && !strings.Contains(op.Path, "{id}"):
		panic(fmt.Sprintf("api: the path of %s %s names its %s by {id}, or needs(…).by(…) says which field of the body does",
			op.Method, op.Path, right.Noun))
	}
	if op.Metadata == nil {
		op.Metadata = make(map[string]any)
	}
	op.Metadata[needOfCall] = n
	op.Extensions = map[string]any{rightExtension: string(n.action)}
	if words := right.Words(); words != "" {
		before, after, more := strings.Cut(op.Summary, ";")
		op.Summary = before + " (" + words + ")"
		if more {
			op.Summary += ";" + after
		}
	}
}

// needOf returns the right of a call; every call of register has one.
func needOf(op *huma.Operation) need {
	n, _ := op.Metadata[needOfCall].(need)
	return n
}

// rightCheck is the check of one request's right.
type rightCheck struct {
	need  need
	right domain.Right
	// relation reads the caller's relation to the object; it reads only once.
	relation func() (domain.Relation, error)
	// repeated reports whether the request repeats one that was answered before.
	repeated func() (bool, error)
	caller   domain.Caller
	// nameless: the path has no valid id, or the object is named elsewhere.
	nameless bool
}

// newRightCheck prepares the check. It reads nothing yet.
func (s *Server) newRightCheck(c *fiber.Ctx, op *huma.Operation) *rightCheck {
	ctx := c.UserContext()
	n := needOf(op)
	right, _ := n.action.Right()
	q := &rightCheck{need: n, right: right, caller: requestOf(ctx).caller}
	key, ok := right.Noun.Key(c.Params("id"))
	q.nameless = !ok || n.named != ""
	q.relation = sync.OnceValues(func() (domain.Relation, error) {
		if right.Lone {
			return domain.Relation{}, nil
		}
		return s.Rights.Relation(ctx, q.caller, right.Noun, key)
	})
	once := c.Get(headerKey)
	q.repeated = func() (bool, error) {
		if once == "" || !validKey(once) {
			return false, nil
		}
		return s.Rights.Repeated(ctx, q.caller, once)
	}
	return q
}

// early reports whether the right is checked before the rest of the request is read. For a call
// without a body only the service checks it, under its lock, and for a call that only reads
// the query itself does: neither needs an additional query for rights.
func (q *rightCheck) early(c *fiber.Ctx) bool {
	return q.right.Lone || c.Method() != http.MethodGet && c.Request().Header.ContentLength() != 0
}

// refused returns the error if the caller does not have the right. invalid says that the
// request is not valid.
func (q *rightCheck) refused(invalid bool) error {
	if q.nameless && !q.right.Lone {
		return nil
	}
	action := q.need.action
	if invalid && q.need.invalid != "" {
		action = q.need.invalid
	}
	err := q.authorize(action)
	if !isRefusal(err) {
		return err
	}
	// A repeated request: the service returns the first answer again.
	again, failed := q.repeated()
	if failed != nil {
		return failed
	}
	if again {
		return nil
	}
	return err
}

// authorize checks an action on the object of the call.
func (q *rightCheck) authorize(action domain.Action) error {
	relation, err := q.relation()
	if err != nil {
		return err
	}
	return action.Authorize(q.caller, relation)
}

func isRefusal(err error) bool {
	code := domain.CodeOf(err)
	return code == domain.CodeNotFound || code == domain.CodeForbidden
}

// asDenied replaces the error of an invalid request if the caller does not have the right to
// the call: rights are checked before the rules of a body.
func (r *request) asDenied(wrong error) error {
	if r.rightCheck == nil {
		return wrong
	}
	if err := r.rightCheck.refused(true); isRefusal(err) {
		return err
	}
	return wrong
}

// authorize checks another right on the object of the call.
func (s *Server) authorize(ctx context.Context, action domain.Action) error {
	if q := requestOf(ctx).rightCheck; q != nil {
		return q.authorize(action)
	}
	return domain.Internal(nil, "A right was checked outside a call.")
}

// authorizeOf checks a right on an object that a body names.
func (s *Server) authorizeOf(ctx context.Context, action domain.Action, key domain.Key) error {
	right, _ := action.Right()
	relation, err := s.Rights.Relation(ctx, callerOf(ctx), right.Noun, key)
	if err != nil {
		return err
	}
	return action.Authorize(callerOf(ctx), relation)
}
