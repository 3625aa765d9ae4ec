package domain

// GranteeType is who a grant goes to.
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

// CanRead tells whether the permission lets one see the thing.
func (p Permission) CanRead() bool {
	return p == PermissionRead || p == PermissionWrite || p == PermissionOwner
}

// Grant gives a grantee a permission on one thing.
type Grant struct {
	Grantee    Grantee
	Permission Permission
}

// Takes tells whether a thing of this noun can be shared with the permission. Owners
// do not change by sharing, and only data sources can be changed by others.
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

// ownership is the permission on a thing that cannot be shared.
func ownership(owner int64, c Caller) Permission {
	if owner == c.UserID {
		return PermissionOwner
	}
	return PermissionNone
}
