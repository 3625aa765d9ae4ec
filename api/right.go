package api

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"

	"parley.dev/parley/domain"
)

// need is the right that a call needs, of the table in domain/rights.go. Each call
// names one where it is registered.
type need struct {
	action domain.Action
	// invalid is asked in its place of a request that is not valid.
	invalid domain.Action
	// named is the field that names the thing where the path does not.
	named string
}

// needs is the right on the thing whose id is in the path, or one of the caller alone.
func needs(action domain.Action) need { return need{action: action} }

// by says that the thing is named by a field of the body or the query, so that it is
// known only when that was read: the service that is called asks for the right.
func (n need) by(field string) need {
	n.named = field
	return n
}

// butInvalid is for a call of which it depends on the body how much right it needs.
// The handler asks for the greater one; a body that cannot be read is answered as one
// that needs it.
func (n need) butInvalid(action domain.Action) need {
	n.invalid = action
	return n
}

const (
	needOfCall = "need"
	// rightExtension is where the published description names the right of a call.
	rightExtension = "x-right"
)

// into writes the right into the description of a call. It panics for what only a
// programmer can have left so: a call without a right, or one whose thing has no name.
func (n need) into(op *huma.Operation) {
	right, ok := n.action.Right()
	switch {
	case !ok:
		panic(fmt.Sprintf("api: %s %s names no right; see domain/rights_action.go", op.Method, op.Path))
	case !right.Lone && n.named == "" && !strings.Contains(op.Path, "{id}"):
		panic(fmt.Sprintf("api: nothing in the path of %s %s names a %s", op.Method, op.Path, right.Noun))
	}
	op.Metadata = map[string]any{needOfCall: n}
	op.Extensions = map[string]any{rightExtension: string(n.action)}
	if words := right.Words(); words != "" {
		before, after, more := strings.Cut(op.Summary, ";")
		op.Summary = before + " (" + words + ")"
		if more {
			op.Summary += ";" + after
		}
	}
}

// asking is the question of one request whether its caller may make it.
type asking struct {
	need  need
	right domain.Right
	// standing reads how the caller stands to the thing, once however often it is asked.
	standing func() (domain.Standing, error)
	// repeated tells whether the request repeats one that was answered before.
	repeated func() (bool, error)
	caller   domain.Caller
	// nameless: what stands in the place of the id can be none, or the thing is named elsewhere.
	nameless bool
}

// askFor prepares the question. Nothing is read yet.
func (s *Server) askFor(c *fiber.Ctx, op *huma.Operation) *asking {
	ctx := c.UserContext()
	n, _ := op.Metadata[needOfCall].(need) // of every operation: see register
	right, _ := n.action.Right()
	q := &asking{need: n, right: right, caller: requestOf(ctx).caller}
	key, ok := right.Noun.Key(c.Params("id"))
	q.nameless = !ok || n.named != ""
	q.standing = sync.OnceValues(func() (domain.Standing, error) {
		if right.Lone {
			return domain.Standing{}, nil
		}
		return s.Rights.Standing(ctx, q.caller, right.Noun, key)
	})
	once := c.Get(headerKey)
	q.repeated = func() (bool, error) {
		if once == "" || len(once) > keyMax || !domain.Storable(once) {
			return false, nil
		}
		return s.Rights.Repeated(ctx, q.caller, once)
	}
	return q
}

// early tells whether the answer is needed before the request is read any further. A
// call without a body is asked by its service alone, under its lock, and what is only
// read is asked by the reading: neither costs a query more than it would without rights.
func (q *asking) early(c *fiber.Ctx) bool {
	return q.right.Lone || c.Method() != http.MethodGet && c.Request().Header.ContentLength() != 0
}

// refused answers what stands in the caller's way. invalid says that the request was
// found to be wrong.
func (q *asking) refused(invalid bool) error {
	if q.nameless && !q.right.Lone {
		return nil
	}
	action := q.need.action
	if invalid && q.need.invalid != "" {
		action = q.need.invalid
	}
	err := q.ask(action)
	if !isRefusal(err) {
		return err
	}
	// The service answers what it answered the first time.
	again, failed := q.repeated()
	if failed != nil {
		return failed
	}
	if again {
		return nil
	}
	return err
}

// ask is the table's answer about the thing of the call.
func (q *asking) ask(action domain.Action) error {
	standing, err := q.standing()
	if err != nil {
		return err
	}
	return action.Ask(q.caller, standing)
}

func isRefusal(err error) bool {
	code := domain.CodeOf(err)
	return code == domain.CodeNotFound || code == domain.CodeForbidden
}

// asDenied gives, for what is wrong with a request, that the caller may not make it
// at all, where that is so: rights come before the rules of a body.
func (r *request) asDenied(wrong error) error {
	if r.asking == nil {
		return wrong
	}
	if err := r.asking.refused(true); isRefusal(err) {
		return err
	}
	return wrong
}

// ask asks for another right on the thing of the call.
func (s *Server) ask(ctx context.Context, action domain.Action) error {
	if q := requestOf(ctx).asking; q != nil {
		return q.ask(action)
	}
	return domain.Internal(nil, "A right was asked for outside a call.")
}

// askOf asks for a right on a thing that a body names.
func (s *Server) askOf(ctx context.Context, action domain.Action, key domain.Key) error {
	right, _ := action.Right()
	standing, err := s.Rights.Standing(ctx, callerOf(ctx), right.Noun, key)
	if err != nil {
		return err
	}
	return action.Ask(callerOf(ctx), standing)
}
