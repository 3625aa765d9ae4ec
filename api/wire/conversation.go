package wire

import (
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// Conversation is a thread of turns, as the caller sees it.
type Conversation struct {
	ID                   uuid.UUID             `json:"id" format:"uuid"`
	Name                 string                `json:"name"`
	Description          string                `json:"description"`
	Owner                protocol.Person       `json:"owner"`
	OwnerStatus          string                `json:"ownerStatus" enum:"owner,shared" doc:"shared means read-only."`
	Status               string                `json:"status" enum:"active,archived" doc:"The caller's own."`
	IsFavorite           bool                  `json:"isFavorite" doc:"The caller's own."`
	UnreadMessages       int                   `json:"unreadMessages" doc:"The caller's own."`
	IsStreaming          bool                  `json:"isStreaming" doc:"A turn runs now."`
	Credits              float64               `json:"credits"`
	DataSources          []int64               `json:"dataSources" nullable:"false"`
	ProjectLabels        []int64               `json:"projectLabels" nullable:"false"`
	CurrentStatusSummary string                `json:"currentStatusSummary"`
	Head                 int64                 `json:"head" doc:"The seq of the last event of the log: subscribe from here."`
	Epoch                int64                 `json:"epoch"`
	Generation           int64                 `json:"generation" doc:"Counts the rewinds."`
	MessageSet           []protocol.Message    `json:"messageSet" nullable:"false" doc:"Oldest first, with the text so far; empty in lists."`
	Abilities            ConversationAbilities `json:"abilities"`
	CreatedAt            protocol.Time         `json:"createdAt"`
	UpdatedAt            protocol.Time         `json:"updatedAt"`
}

// ConversationAbilities say what the caller may do. The client never works them out.
type ConversationAbilities struct {
	Send         bool `json:"send"`
	Stop         bool `json:"stop"`
	Rewind       bool `json:"rewind"`
	Rename       bool `json:"rename"`
	Delete       bool `json:"delete"`
	ManageAccess bool `json:"manageAccess" doc:"May change who sees it; everybody who reads it may look at the list."`
	AddToProject bool `json:"addToProject"`
	Archive      bool `json:"archive"`
	Favorite     bool `json:"favorite"`
	Duplicate    bool `json:"duplicate"`
}

// NewConversation converts a conversation.
func NewConversation(c *domain.Conversation) Conversation {
	owner := c.Permission == domain.PermissionOwner
	ownerStatus := "shared"
	if owner {
		ownerStatus = "owner"
	}
	return Conversation{
		ID:                   c.ID,
		Name:                 c.Name,
		Description:          c.Description,
		Owner:                NewPerson(&c.Owner),
		OwnerStatus:          ownerStatus,
		Status:               string(c.Status),
		IsFavorite:           c.IsFavorite,
		UnreadMessages:       c.Unread,
		IsStreaming:          c.IsStreaming,
		Credits:              c.Credits,
		DataSources:          append([]int64{}, c.DataSources...),
		ProjectLabels:        append([]int64{}, c.ProjectLabels...),
		CurrentStatusSummary: c.CurrentStatusSummary,
		Head:                 c.Head,
		Epoch:                c.Epoch,
		Generation:           c.Generation,
		MessageSet:           NewMessages(c.Messages),
		Abilities: ConversationAbilities{
			Send: owner, Stop: owner, Rewind: owner, Rename: owner, Delete: owner, ManageAccess: owner, AddToProject: owner,
			Archive: c.Permission.CanRead(), Favorite: c.Permission.CanRead(), Duplicate: c.Permission.CanRead(),
		},
		CreatedAt: protocol.Time(c.CreatedAt),
		UpdatedAt: protocol.Time(c.UpdatedAt),
	}
}

// NewConversationRequest makes a conversation. The other fields that the
// specification lists (owner, messageSet and the times) are accepted and have
// no effect.
type NewConversationRequest struct {
	_           struct{} `additionalProperties:"true"`
	Name        string   `json:"name,omitempty" doc:"Cut to 30 characters; left out, New Conversation."`
	Description string   `json:"description,omitempty"`
	DataSources []int64  `json:"dataSources,omitempty" maxItems:"100"`
}

// ConversationChanges are the fields that change.
type ConversationChanges struct {
	_             struct{} `additionalProperties:"true"`
	Name          *string  `json:"name,omitempty" doc:"1 to 100 characters."`
	Description   *string  `json:"description,omitempty"`
	DataSources   *[]int64 `json:"dataSources,omitempty" maxItems:"100"`
	ProjectLabels *[]int64 `json:"projectLabels,omitempty" maxItems:"100"`
}

// Favorite is the caller's own mark.
type Favorite struct {
	_          struct{} `additionalProperties:"true"`
	IsFavorite bool     `json:"isFavorite"`
}

// StatusChange archives or brings back, for the caller alone.
type StatusChange struct {
	_      struct{} `additionalProperties:"true"`
	Status string   `json:"status" enum:"active,archived"`
}

// Rewind names the first message that leaves.
type Rewind struct {
	_         struct{}  `additionalProperties:"true"`
	MessageID uuid.UUID `json:"messageId" format:"uuid"`
}

// Rewound is the answer to a rewind.
type Rewound struct {
	Text       string             `json:"text" doc:"The removed prompt, for the draft."`
	MessageSet []protocol.Message `json:"messageSet" nullable:"false" doc:"The messages left, oldest first."`
	Generation int64              `json:"generation"`
	Head       int64              `json:"head"`
}

// NewRewound converts the result of a rewind.
func NewRewound(r *domain.RewindResult) Rewound {
	return Rewound{Text: r.Text, MessageSet: NewMessages(r.Messages), Generation: r.Generation, Head: r.Head}
}

// Actors changes who may see a thing.
type Actors struct {
	_             struct{}     `additionalProperties:"true"`
	Users         []ActorGrant `json:"users,omitempty" maxItems:"200"`
	Teams         []ActorGrant `json:"teams,omitempty" maxItems:"200"`
	Organizations []ActorGrant `json:"organizations,omitempty" maxItems:"200" doc:"Sharing with an organisation is refused for now."`
}

// ActorGrant gives a permission to a person or a team, or takes it away.
type ActorGrant struct {
	_          struct{} `additionalProperties:"true"`
	ID         int64    `json:"id"`
	Permission string   `json:"permission,omitempty" enum:"read,write,owner,remove" doc:"read when left out. Only read and remove are taken for conversations."`
}

// Grants checks the entries by the rules that hold for conversations and converts them.
func (a *Actors) Grants() ([]domain.Grant, error) {
	var c domain.Checks
	c.Require(len(a.Organizations) == 0, "organizations", "Sharing with an organization is not available")
	c.Require(len(a.Users)+len(a.Teams) > 0 || len(a.Organizations) > 0, "users", "Please select at least one user or team")
	grants := make([]domain.Grant, 0, len(a.Users)+len(a.Teams))
	grants = appendGrants(grants, &c, "users", domain.GranteeUser, a.Users)
	grants = appendGrants(grants, &c, "teams", domain.GranteeTeam, a.Teams)
	if err := c.Err(); err != nil {
		return nil, err
	}
	return grants, nil
}

func appendGrants(out []domain.Grant, c *domain.Checks, field string, kind domain.GranteeType, entries []ActorGrant) []domain.Grant {
	seen := make(map[int64]bool, len(entries))
	for _, entry := range entries {
		permission := domain.Permission(entry.Permission)
		if permission == domain.PermissionNone {
			permission = domain.PermissionRead
		}
		c.Require(permission == domain.PermissionRead || permission == domain.PermissionRemove, field, "A conversation can be shared for viewing only")
		c.Require(!seen[entry.ID], field, "The same entry is given twice")
		seen[entry.ID] = true
		out = append(out, domain.Grant{Grantee: domain.Grantee{ID: entry.ID, Type: kind}, Permission: permission})
	}
	return out
}
