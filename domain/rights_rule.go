package domain

// The rules of the table. The right to see an object is a rule like any other.

// everybody is who is signed in.
func everybody() Rule { return Rule{"everybody", func(Caller, Standing) bool { return true }} }

func nobody() Rule { return Rule{"nobody", func(Caller, Standing) bool { return false }} }

func superusers() Rule {
	return Rule{"superusers", func(c Caller, _ Standing) bool { return c.IsSuperuser }}
}

// keepers may give secrets to the server.
func keepers() Rule {
	return Rule{"people with the flag uploadCredentials", func(c Caller, _ Standing) bool { return c.Flags.UploadCredentials }}
}

// readers have some permission on the thing.
func readers() Rule {
	return Rule{"its owner and who it is shared with", func(_ Caller, s Standing) bool { return s.Permission.CanRead() }}
}

// writers may change the words of a thing that is shared for writing.
func writers() Rule {
	return Rule{"its owner, and who it is shared with for writing", func(_ Caller, s Standing) bool {
		return s.Permission == PermissionWrite || s.Permission == PermissionOwner
	}}
}

func owners() Rule {
	return Rule{"its owner", func(_ Caller, s Standing) bool { return s.Permission == PermissionOwner }}
}

// ownersAnd are owners, and superusers where the other rule holds.
func ownersAnd(who string, also func(Standing) bool) Rule {
	return Rule{who, func(c Caller, s Standing) bool {
		return s.Permission == PermissionOwner || c.IsSuperuser && also(s)
	}}
}

func always(Standing) bool { return true }

// called is the same rule by another name.
func (r Rule) called(who string) Rule {
	r.Who = who
	return r
}

// or is a need with what is said to whom it keeps out.
func (r Rule) or(refusal string) []Need { return []Need{{r, refusal}} }

// orNotThere is a need that hides what it keeps people from.
func (r Rule) orNotThere() []Need { return []Need{{Rule: r}} }
