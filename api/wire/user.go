package wire

import (
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// User is the signed-in person.
type User struct {
	ID           int64        `json:"id" doc:"Its id."`
	UUID         uuid.UUID    `json:"uuid" format:"uuid" doc:"Names the person's stream."`
	FullName     string       `json:"fullName" doc:"First and last name."`
	Email        string       `json:"email" doc:"The address by which the sign-in knows the person."`
	Picture      string       `json:"picture" doc:"A data URL or a path of this server; empty shows initials."`
	Organization Organization `json:"organization" doc:"The organization whose data every call sees."`
	IsSuperuser  bool         `json:"isSuperuser" doc:"Whether the person has the superusers' areas of their own organization."`
	Flags        UserFlags    `json:"flags" doc:"Areas that are switched on for the person."`
	LogHead      int64        `json:"logHead" doc:"The seq of the newest entry of the person's own log when this was answered. A client that asks for its lists after this opens its stream with it, as cursor.user: then it misses nothing between the two, and fetches no list twice."`
}

// Organization is the organization of a person.
type Organization struct {
	ID   int64  `json:"id" doc:"Its id."`
	Name string `json:"name" doc:"What people call it."`
}

// OwnOrganization is one of the caller's organizations.
type OwnOrganization struct {
	ID        int64  `json:"id" doc:"Its id."`
	Name      string `json:"name" doc:"What people call it."`
	IsCurrent bool   `json:"isCurrent" doc:"The one that the caller works in."`
}

// NewOwnOrganization converts the organisation that the caller works in.
func NewOwnOrganization(o *domain.Organisation) OwnOrganization {
	return OwnOrganization{ID: o.ID, Name: o.Name, IsCurrent: true}
}

// UserFlags give access to restricted areas.
type UserFlags struct {
	ScheduledTaskView bool `json:"scheduledTaskView" doc:"Whether scheduled tasks are switched on."`
	UploadCredentials bool `json:"uploadCredentials" doc:"Whether credentials may be uploaded."`
}

// NewUser converts a person; logHead is the last seq of the person's own log.
func NewUser(u *domain.User, logHead int64) User {
	return User{
		ID:           u.ID,
		UUID:         u.UUID,
		FullName:     u.FullName,
		Email:        u.Email,
		Picture:      u.Picture,
		Organization: Organization{ID: u.OrganisationID, Name: u.Organisation},
		IsSuperuser:  u.IsSuperuser,
		Flags:        UserFlags(u.Flags),
		LogHead:      logHead,
	}
}

// NewPerson converts the fields that other people see.
func NewPerson(p *domain.Person) protocol.Person {
	return protocol.Person{ID: p.ID, UUID: p.UUID, FullName: p.FullName, Picture: p.Picture}
}

// ShareableEntity is a person or a team with whom an object can be shared.
type ShareableEntity struct {
	ID      int64  `json:"id" doc:"The id of the person or team, as PUT …/actors takes it."`
	Type    string `json:"type" enum:"user,team,organization" doc:"user or team."`
	Name    string `json:"name" doc:"What people call it."`
	Picture string `json:"picture" doc:"A picture as a data URL; empty for none."`
}

// NewShareableEntity converts a grantee.
func NewShareableEntity(g *domain.Grantee) ShareableEntity {
	return ShareableEntity{ID: g.ID, Type: string(g.Type), Name: g.Name, Picture: g.Picture}
}
