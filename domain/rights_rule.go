package domain

// The rules of the table. The right to see an object is a rule like any other.

// Everybody describes all signed-in people.
const Everybody = "everybody"

func everybody() Rule { return Rule{Everybody, func(Caller, Relation) bool { return true }} }

func nobody() Rule { return Rule{"nobody", func(Caller, Relation) bool { return false }} }

func superusers() Rule {
	return Rule{"superusers", func(c Caller, _ Relation) bool { return c.IsSuperuser }}
}

// operators allows the people who run the server. An organisation's superusers administer that
// organisation, and the figures of the nodes count what all organisations do.
func operators() Rule {
	return Rule{"superusers of the organization that operates the server", func(c Caller, _ Relation) bool { return c.IsOperator }}
}

// keepers allows people who may upload secrets.
func keepers() Rule {
	return Rule{"people with the flag uploadCredentials", func(c Caller, _ Relation) bool { return c.Flags.UploadCredentials }}
}

// readers allows people who have any permission on the object.
func readers() Rule {
	return Rule{"its owner and those it is shared with", func(_ Caller, s Relation) bool { return s.Permission.CanRead() }}
}

// writers allows the owner and the people whom the object is shared with for writing.
func writers() Rule {
	return Rule{"its owner and those it is shared with for writing", func(_ Caller, s Relation) bool {
		return s.Permission == PermissionWrite || s.Permission == PermissionOwner
	}}
}

func owners() Rule {
	return Rule{"its owner", func(_ Caller, s Relation) bool { return s.Permission == PermissionOwner }}
}

// ownersAnd allows the owner, and superusers if the given condition holds.
func ownersAnd(who string, also func(Relation) bool) Rule {
	return Rule{who, func(c Caller, s Relation) bool {
		return s.Permission == PermissionOwner || c.IsSuperuser && also(s)
	}}
}

func always(Relation) bool { return true }

// called returns the same rule under another name.
func (r Rule) called(who string) Rule {
	r.Who = who
	return r
}

// or returns a need whose refusal is the given text.
func (r Rule) or(refusal string) []Need { return []Need{{r, refusal}} }

// orNotThere returns a need that hides the object from the people it refuses.
func (r Rule) orNotThere() []Need { return []Need{{Rule: r}} }
