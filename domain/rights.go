package domain

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
)

// Noun is a kind of thing about which there are rights. Its text is the word that
// people read, such as in "Scheduled task not found".
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

// Missing is the error for a thing of this kind that is not there, or that the caller
// may not see: the two are answered alike.
func (n Noun) Missing() *Error { return NotFound(strings.ToUpper(string(n[:1])) + string(n[1:])) }

// Key names one thing of a noun: by a number, or by a UUID where the noun has those.
type Key struct {
	Number int64
	ID     uuid.UUID
}

// Key reads a key of this noun as it stands in a path. False for a text that can be
// none: it names nothing.
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

// Standing is how a caller stands to one thing: all that the rules of the table read
// besides the caller. Zero is of a thing that is not there.
type Standing struct {
	// Found says that the thing is there, in the caller's organisation.
	Found bool
	// Permission is the caller's: as the owner, by a share, by a team, or, of what is
	// part of another thing, on that.
	Permission Permission
	// Scope is of a data source.
	Scope DataSourceScope
	// IsLibrary is of a blueprint, IsDefault of an agent, IsEnabled of an agent or a memory.
	IsLibrary bool
	IsDefault bool
	IsEnabled bool
	// HasFeedback says of a conversation that somebody gave feedback in it.
	HasFeedback bool
}

// Rule says which people may do something. The field Who describes them, as in "Delete a
// blueprint (its owner)".
type Rule struct {
	Who   string
	holds func(Caller, Standing) bool
}

// Need is a rule, and what is said to who does not fulfil it. Without a refusal the
// thing is not there for them.
type Need struct {
	Rule
	Refusal string
}

// Right is a row of the table: what is done with one kind of thing, and what it needs.
type Right struct {
	Action Action
	Noun   Noun
	// Does goes on after "may", for the documentation.
	Does string
	// Lone is of an action on no thing that is there, such as making one: the caller
	// alone decides, and nothing is read to know it.
	Lone bool
	// Needs must all hold. They are asked in this order, after those of the noun:
	// the area must be open to the caller, and the caller must see the thing.
	Needs []Need

	// gate is of an area that is open to some people only, seen of who sees the thing.
	gate, seen *Need
}

// Who describes the people who may do it: everybody who sees the object, if no rule
// narrows that.
func (r *Right) Who() string {
	who := r.Words()
	switch {
	case who != "":
	case r.seen != nil:
		who = r.seen.Who
	default:
		who = everybody().Who
	}
	if r.gate != nil {
		who = r.gate.Who + ": " + who
	}
	return who
}

// Words is Who for a summary of a call: empty where it is nothing more than to see
// the thing, or to be signed in.
func (r *Right) Words() string {
	var words []string
	for _, n := range r.Needs {
		if n.Who != "" {
			words = append(words, n.Who)
		}
	}
	return strings.Join(words, "; ")
}

// ask answers what stands in the caller's way.
func (r *Right) ask(c Caller, s Standing) error {
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

// Right is the row of an action; false for a text that is none.
func (a Action) Right() (Right, bool) {
	r, ok := table[a]
	return r, ok
}

// Ask answers whether the caller may do it with a thing to which they stand so: nil,
// CodeForbidden where they see the thing, or CodeNotFound where they do not.
func (a Action) Ask(c Caller, s Standing) error {
	r, ok := table[a]
	if !ok {
		return Internal(nil, "There is no right "+string(a)+".")
	}
	return r.ask(c, s)
}

// May is Ask for abilities: whether the caller may do it.
func (a Action) May(c Caller, s Standing) bool { return a.Ask(c, s) == nil }

// Rights is the table of who may do what, noun by noun. Services ask it under their
// locks, the API before it reads a body, and abilities, the words of the published
// description and docs/rights.md are made from it.
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

// rights gives the rows their noun and what is needed to see a thing of it.
func (n Noun) rights(seen Rule, rows ...Right) []Right {
	see := Need{Rule: Rule{seen.Who, func(c Caller, s Standing) bool { return s.Found && seen.holds(c, s) }}}
	for i := range rows {
		rows[i].Noun = n
		if !rows[i].Lone {
			rows[i].seen = &see
		}
	}
	return rows
}

// behind puts a need in front of all others of some rows: that of an area which is
// open to some people only.
func behind(gate Need, rows []Right) []Right {
	for i := range rows {
		rows[i].gate = &gate
	}
	return rows
}

// RightsService reads how people stand to things.
type RightsService interface {
	// Standing reads, by the key of the thing, how the caller stands to it: at most one
	// bounded query. What is not there, or in another organisation, is no error.
	Standing(ctx context.Context, caller Caller, noun Noun, key Key) (Standing, error)
	// Repeated tells whether the caller's idempotency key has made or changed
	// something already. The repetition of a request is answered as the first one was,
	// whatever became of the rights since.
	Repeated(ctx context.Context, caller Caller, key string) (bool, error)
}
