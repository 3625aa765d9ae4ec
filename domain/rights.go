package domain

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// Noun is a kind of object that has rights. Its text is the word that people read, such as
// in "Scheduled task not found".
type Noun string

// The nouns.
const (
	NounConversation  Noun = "conversation"
	NounMessage       Noun = "message"
	NounDisplayObject Noun = "display object"
	NounFeedback      Noun = "feedback"
	NounBlueprint     Noun = "blueprint"
	NounStep          Noun = "step"
	NounDataSource    Noun = "connector"
	NounTable         Noun = "table"
	NounAnalyst       Noun = "agent"
	NounMemory        Noun = "memory"
	NounProjectLabel  Noun = "project"
	NounTask          Noun = "scheduled task"
	NounCredential    Noun = "secret"
	NounStream        Noun = "stream"
	NounOrganisation  Noun = "organization"
)

// Missing returns the error for an object of this kind that does not exist or that the
// caller may not see: the two cases must look the same.
func (n Noun) Missing() *Error { return NotFound(strings.ToUpper(string(n[:1])) + string(n[1:])) }

// Key identifies one object of a noun, by a number or by a UUID, depending on the noun.
type Key struct {
	Number int64
	ID     uuid.UUID
}

// Key parses a key of this noun from a path. It returns false for a text that is not a key.
func (n Noun) Key(text string) (Key, bool) {
	var (
		k   Key
		err error
	)
	switch n {
	case NounConversation, NounMessage, NounDisplayObject, NounTask, NounStream:
		k.ID, err = uuid.Parse(text)
	default:
		k.Number, err = strconv.ParseInt(text, 10, 64)
	}
	return k, err == nil
}

// Relation is the relation of a caller to one object: all that the rules of the table use
// besides the caller. The zero value is for an object that does not exist.
type Relation struct {
	// Found is true if the object exists in the caller's organisation.
	Found bool
	// Permission is the caller's: as the owner, by a share or by a team. For a part of
	// another object it is the permission on that object.
	Permission Permission
	// Scope is set for a data source.
	Scope DataSourceScope
	// IsLibrary is set for a blueprint, IsDefault for an agent, IsEnabled for an agent or a
	// memory.
	IsLibrary bool
	IsDefault bool
	IsEnabled bool
	// HasFeedback is true for a conversation in which somebody gave feedback.
	HasFeedback bool
}

// Rule says which people may do something. The field Who describes them, as in "Delete a
// blueprint (its owner)".
type Rule struct {
	Who   string
	holds func(Caller, Relation) bool
}

// Need is a rule with the error text for people who do not fulfil it. If Refusal is empty,
// they get the same answer as if the object did not exist.
type Need struct {
	Rule
	Refusal string
}

// Right is a row of the table: an action on one kind of object, and its needs.
type Right struct {
	Action Action
	Noun   Noun
	// Does continues a sentence after "may", for the documentation.
	Does string
	// Lone is true for an action that is not on an existing object, such as creating one:
	// it depends only on the caller, and nothing has to be read.
	Lone bool
	// Needs must all hold. They are checked in this order, after gate and seen.
	Needs []Need

	// gate is the need of an area that only some people may enter. seen is the need for
	// seeing the object.
	gate, seen *Need
}

// Who describes the people who may do it: everybody who sees the object, if no rule
// narrows that.
func (r *Right) Who() string {
	words := r.needed()
	switch {
	case len(words) > 0:
	case r.seen != nil:
		words = []string{r.seen.Who}
	default:
		words = []string{Everybody}
	}
	return r.gated(words)
}

// Words returns Who for the summary of a call. It is empty if the caller only has to see
// the object or to be signed in.
func (r *Right) Words() string { return r.gated(r.needed()) }

// needed describes the needs, except for those that have no words.
func (r *Right) needed() []string {
	var words []string
	for _, n := range r.Needs {
		if n.Who != "" {
			words = append(words, n.Who)
		}
	}
	return words
}

// gated adds the gate to a description.
func (r *Right) gated(words []string) string {
	if r.gate != nil {
		words = append(words, r.gate.Who)
	}
	return strings.Join(words, ", ")
}

// authorize returns the error of the first need that the caller does not fulfil.
func (r *Right) authorize(c Caller, s Relation) error {
	for _, n := range []*Need{r.gate, r.seen} {
		if n != nil && !n.holds(c, s) {
			return r.refuse(n)
		}
	}
	for i := range r.Needs {
		if n := &r.Needs[i]; !n.holds(c, s) {
			return r.refuse(n)
		}
	}
	return nil
}

func (r *Right) refuse(n *Need) error {
	if n.Refusal == "" {
		return r.Noun.Missing()
	}
	return Errorf(CodeForbidden, "%s", n.Refusal)
}

// Right returns the row of an action; false for an unknown action.
func (a Action) Right() (Right, bool) {
	r, ok := table[a]
	return r, ok
}

// Authorize returns nil if a caller with this relation may perform the action. Otherwise it
// returns CodeForbidden or CodeNotFound, as the need says that is not fulfilled.
func (a Action) Authorize(c Caller, s Relation) error {
	r, ok := table[a]
	if !ok {
		return Internal(nil, "There is no right "+string(a)+".")
	}
	return r.authorize(c, s)
}

// May reports whether the caller may perform the action.
func (a Action) May(c Caller, s Relation) bool { return a.Authorize(c, s) == nil }

// MayOnOthers reports whether the caller may perform the action on every object of the organisation:
// also on those that are not the caller's, not shared with the caller, and not enabled. A query that
// selects the visible rows gets the answer as a parameter, so that it need not know who superusers
// are and what they see.
func (a Action) MayOnOthers(c Caller) bool { return a.May(c, Relation{Found: true}) }

// Rights returns the table of who may do what, noun by noun. Services check it while they
// hold their locks, and the API before it reads a body. Abilities, the texts of the
// published description and docs/rights.md are generated from it.
func Rights() []Right {
	return slices.Concat(
		rightsOfConversations(), rightsOfMessages(), rightsOfBlueprints(), rightsOfDataSources(),
		rightsOfKnowledge(), rightsOfWork(), rightsOfOrganisations(),
	)
}

var table = byAction(Rights()) //nolint:gochecknoglobals // constant, and asked thousands of times for one list

func byAction(rights []Right) map[Action]Right {
	all := make(map[Action]Right, len(rights))
	for _, r := range rights {
		all[r.Action] = r
	}
	return all
}

// rights sets the noun of the rows and the need for seeing an object of it.
func (n Noun) rights(seen Rule, rows ...Right) []Right {
	see := Need{Rule: Rule{seen.Who, func(c Caller, s Relation) bool { return s.Found && seen.holds(c, s) }}}
	for i := range rows {
		rows[i].Noun = n
		if !rows[i].Lone {
			rows[i].seen = &see
		}
	}
	return rows
}

// behind sets the gate of some rows: the need of an area that only some people may enter.
func behind(gate Need, rows []Right) []Right {
	for i := range rows {
		rows[i].gate = &gate
	}
	return rows
}

// RightsService reads the relation of people to objects.
type RightsService interface {
	// Relation reads the caller's relation to an object, with at most one bounded query. An
	// object that does not exist, or is in another organisation, is not an error.
	Relation(ctx context.Context, caller Caller, noun Noun, key Key) (Relation, error)
	// Repeated reports whether the caller's idempotency key has already created or changed
	// something. A repeated request gets the same answer as the first one, even if the
	// rights have changed since.
	Repeated(ctx context.Context, caller Caller, key string) (bool, error)
}
