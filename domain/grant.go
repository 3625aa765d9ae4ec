package domain

// GrantsMax is the maximum number of entries of one change of access.
const GrantsMax = 200

// GranteeType is the type of the receiver of a grant.
type GranteeType string

// The grantee types.
const (
	GranteeUser         GranteeType = "user"
	GranteeTeam         GranteeType = "team"
	GranteeOrganisation GranteeType = "organization" // refused everywhere for now
)

// Grantee is a person or a team in Manage access.
type Grantee struct {
	ID      int64
	Type    GranteeType
	Name    string
	Picture string
}

// Permission is what a grantee may do. Each includes the ones before it.
type Permission string

// The permissions.
const (
	PermissionNone  Permission = ""
	PermissionRead  Permission = "read"
	PermissionWrite Permission = "write"
	PermissionOwner Permission = "owner"
	// PermissionRemove takes a grant away; it is never stored.
	PermissionRemove Permission = "remove"
)

// CanRead reports whether the permission allows reading the object.
func (p Permission) CanRead() bool {
	return p == PermissionRead || p == PermissionWrite || p == PermissionOwner
}

// Grant gives a grantee a permission on one object.
type Grant struct {
	Grantee    Grantee
	Permission Permission
}

// Takes reports whether an object of this noun can be shared with the permission. Sharing
// never changes the owner, and only data sources can be changed by others.
func (n Noun) Takes(p Permission) bool {
	switch p {
	case PermissionRead, PermissionRemove:
		return true
	case PermissionWrite:
		return n == NounDataSource
	case PermissionOwner, PermissionNone:
	}
	return false
}

// ownership returns the permission on an object that cannot be shared.
func ownership(owner int64, c Caller) Permission {
	if owner == c.UserID {
		return PermissionOwner
	}
	return PermissionNone
}
