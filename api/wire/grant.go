package wire

import (
	"strconv"

	"parley.dev/parley/domain"
)

// refusal returns the text why a permission is not accepted.
func refusal(n domain.Noun, p domain.Permission) string {
	switch p {
	case domain.PermissionOwner:
		return "The owner cannot be changed"
	case domain.PermissionWrite:
		return capital(n) + " can be shared for viewing only"
	case domain.PermissionNone, domain.PermissionRead, domain.PermissionRemove:
	}
	return "The permission is not valid"
}

// capital returns the noun as the beginning of a sentence.
func capital(n domain.Noun) string {
	if n == domain.NounAnalyst {
		return "An agent"
	}
	return "A " + string(n)
}

// Actors changes who may see an object.
type Actors struct {
	_             struct{}     `additionalProperties:"true"`
	Users         []ActorGrant `json:"users,omitempty" maxItems:"200" doc:"People, by their user ids."`
	Teams         []ActorGrant `json:"teams,omitempty" maxItems:"200" doc:"Teams, by their ids."`
	Organizations []ActorGrant `json:"organizations,omitempty" maxItems:"200" doc:"Must be empty: sharing with the organization is not available."`
}

// ActorGrant gives a permission to a person or a team, or removes it.
type ActorGrant struct {
	_          struct{} `additionalProperties:"true"`
	ID         int64    `json:"id" doc:"The id of the person, team or organization."`
	Permission string   `json:"permission,omitempty" enum:"read,write,owner,remove" doc:"The default is read. write is only valid for connectors, and owner is never valid."`
}

// Grants checks the entries by the rules of the noun and converts them. The store checks
// whether a grantee is the owner, or exists at all.
func (a *Actors) Grants(noun domain.Noun) ([]domain.Grant, error) {
	var c domain.Checks
	c.Require(len(a.Organizations) == 0, "organizations", "Sharing with an organization is not available")
	// Lists that are present and empty change nothing; a body without any list is an error.
	c.Require(a.Users != nil || a.Teams != nil || a.Organizations != nil, "users", "Please select at least one user or team")
	limit := domain.Limit{Field: "users", Most: domain.GrantsMax, Unit: domain.Entries}
	c.Require(len(a.Users)+len(a.Teams) <= limit.Most, limit.Field, limit.In("At most {entries} people and teams can be changed at once"))
	grants := make([]domain.Grant, 0, len(a.Users)+len(a.Teams))
	grants = appendGrants(noun, grants, &c, "users", domain.GranteeUser, a.Users)
	grants = appendGrants(noun, grants, &c, "teams", domain.GranteeTeam, a.Teams)
	if err := c.Err(); err != nil {
		return nil, err
	}
	return grants, nil
}

func appendGrants(
	n domain.Noun, out []domain.Grant, c *domain.Checks, field string, kind domain.GranteeType, entries []ActorGrant,
) []domain.Grant {
	seen := make(map[int64]bool, len(entries))
	for i, entry := range entries {
		permission := domain.Permission(entry.Permission)
		if permission == domain.PermissionNone {
			permission = domain.PermissionRead
		}
		at := field + "[" + strconv.Itoa(i) + "]"
		c.Require(n.Takes(permission), at+".permission", refusal(n, permission))
		c.Require(!seen[entry.ID], at+".id", "The same entry is given twice")
		seen[entry.ID] = true
		out = append(out, domain.Grant{Grantee: domain.Grantee{ID: entry.ID, Type: kind}, Permission: permission})
	}
	return out
}

// PermissionEntry is one line of Manage access.
type PermissionEntry struct {
	Actor      ShareableEntity `json:"actor" doc:"The person, team or organization."`
	Permission string          `json:"permission" enum:"read,write,owner" doc:"read: may see it. write: may also edit it. owner: owns it."`
}

// NewPermissionEntry converts a grant.
func NewPermissionEntry(g *domain.Grant) PermissionEntry {
	return PermissionEntry{Actor: NewShareableEntity(&g.Grantee), Permission: string(g.Permission)}
}
