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
