package wire

import (
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// User is the signed-in person.
type User struct {
	ID           int64         `json:"id" doc:"The id."`
	UUID         uuid.UUID     `json:"uuid" format:"uuid" doc:"The UUID of the person, which identifies the stream."`
	FullName     string        `json:"fullName" doc:"First and last name."`
	Email        string        `json:"email" doc:"The e-mail address of the person's sign-in."`
	Picture      string        `json:"picture" doc:"A data URL or a path on this server; empty if there is none, and a client then shows initials."`
	Organization Organization  `json:"organization" doc:"The organization of the person. All calls return only its data."`
	IsSuperuser  bool          `json:"isSuperuser" doc:"Whether the person is a superuser of the organization."`
	Flags        UserFlags     `json:"flags" doc:"Optional features that are enabled for the person."`
	Abilities    UserAbilities `json:"abilities" doc:"What the person may do that belongs to no object."`
	LogHead      int64         `json:"logHead" doc:"The seq of the last event in the person's own log. A client that opens the stream with it as cursor.user, and requests its lists after this call, misses no event and needs no list twice."`
}

// Organization is the organization of a person.
type Organization struct {
	ID   int64  `json:"id" doc:"The id."`
	Name string `json:"name" doc:"The name."`
}

// OwnOrganization is one of the caller's organizations.
type OwnOrganization struct {
	ID        int64  `json:"id" doc:"The id."`
	Name      string `json:"name" doc:"The name."`
	IsCurrent bool   `json:"isCurrent" doc:"Whether the caller works in this organization."`
}

// NewOwnOrganization converts the organisation that the caller works in.
func NewOwnOrganization(o *domain.Organisation) OwnOrganization {
	return OwnOrganization{ID: o.ID, Name: o.Name, IsCurrent: true}
}

// UserFlags give access to restricted areas.
type UserFlags struct {
	ScheduledTaskView bool `json:"scheduledTaskView" doc:"Whether the person may use scheduled tasks."`
	UploadCredentials bool `json:"uploadCredentials" doc:"Whether the person may upload secrets."`
}

// UserAbilities says what the person may do, apart from what they may do with an object.
type UserAbilities struct {
	Cluster bool `json:"cluster" doc:"See the nodes of the server and their figures."`
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
		Abilities:    UserAbilities{Cluster: domain.SeeCluster.May(u.Caller(), domain.Relation{})},
		LogHead:      logHead,
	}
}

// NewPerson converts the fields that other people see.
func NewPerson(p *domain.Person) protocol.Person {
	return protocol.Person{ID: p.ID, UUID: p.UUID, FullName: p.FullName, Picture: p.Picture}
}

// ShareableEntity is a person or a team with whom an object can be shared.
type ShareableEntity struct {
	ID      int64  `json:"id" doc:"The id of the person or the team, as PUT …/actors accepts it."`
	Type    string `json:"type" enum:"user,team,organization" doc:"user or team."`
	Name    string `json:"name" doc:"The name."`
	Picture string `json:"picture" doc:"A picture as a data URL; empty if there is none."`
}

// NewShareableEntity converts a grantee.
func NewShareableEntity(g *domain.Grantee) ShareableEntity {
	return ShareableEntity{ID: g.ID, Type: string(g.Type), Name: g.Name, Picture: g.Picture}
}
