package wire

import (
	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// Conversation is a thread of turns, as the caller sees it.
type Conversation struct {
	ID                   uuid.UUID             `json:"id" format:"uuid" doc:"Its id."`
	Name                 string                `json:"name" doc:"What people call it."`
	Description          string                `json:"description" doc:"What people should know of it."`
	Owner                protocol.Person       `json:"owner" doc:"Whose it is; null where it belongs to the product."`
	OwnerStatus          string                `json:"ownerStatus" enum:"owner,shared" doc:"shared means read-only."`
	Status               string                `json:"status" enum:"active,archived" doc:"The caller's own."`
	IsFavorite           bool                  `json:"isFavorite" doc:"The caller's own."`
	UnreadMessages       int                   `json:"unreadMessages" doc:"The caller's own."`
	IsStreaming          bool                  `json:"isStreaming" doc:"A turn runs now."`
	Credits              float64               `json:"credits" doc:"Credits used so far."`
	DataSources          []int64               `json:"dataSources" nullable:"false" doc:"Connectors, by their ids."`
	ProjectLabels        []int64               `json:"projectLabels" nullable:"false" doc:"The projects that it belongs to, by their ids."`
	CurrentStatusSummary string                `json:"currentStatusSummary" doc:"What it has come to: the beginning of its latest summary."`
	Head                 int64                 `json:"head" doc:"The seq of the last event of the log: subscribe from here."`
	Epoch                int64                 `json:"epoch" doc:"The number of the activation that wrote it. Drop frames of a lower epoch."`
	Generation           int64                 `json:"generation" doc:"Counts the rewinds."`
	MessageSet           []protocol.Message    `json:"messageSet" nullable:"false" doc:"Oldest first, with the text so far; empty in lists."`
	EarlierMessages      int64                 `json:"earlierMessages,omitempty" doc:"The messages_before that asks for the messages before those of messageSet; left out where there are none (message_page_size)."`
	DataSourceSet        []NestedDataSource    `json:"dataSourceSet,omitempty" doc:"With include_nested_objects."`
	ProjectLabelSet      []NestedProjectLabel  `json:"projectLabelSet,omitempty" doc:"With include_nested_objects."`
	Abilities            ConversationAbilities `json:"abilities" doc:"What the caller may do."`
	CreatedAt            protocol.Time         `json:"createdAt"`
	UpdatedAt            protocol.Time         `json:"updatedAt"`
}

// NestedDataSource names a connector.
type NestedDataSource struct {
	ID   int64  `json:"id" doc:"Its id."`
	Name string `json:"name" doc:"What people call it."`
	Type string `json:"type" doc:"The kind of connector."`
}

// NestedProjectLabel names a project.
type NestedProjectLabel struct {
	ID    int64  `json:"id" doc:"Its id."`
	Name  string `json:"name" doc:"What people call it."`
	Color string `json:"color" doc:"#rrggbb, or one of the six named colours."`
}

// NestedConversation converts conversations and names what they refer to.
func NestedConversation(caller domain.Caller, n *domain.Nested) func(*domain.Conversation) Conversation {
	return func(c *domain.Conversation) Conversation {
		out := newConversation(caller, c)
		for _, id := range c.DataSources {
			if d, ok := n.DataSources[id]; ok {
				out.DataSourceSet = append(out.DataSourceSet, NestedDataSource{ID: d.ID, Name: d.Name, Type: d.Kind})
			}
		}
		for _, id := range c.ProjectLabels {
			if l, ok := n.ProjectLabels[id]; ok {
				out.ProjectLabelSet = append(out.ProjectLabelSet, NestedProjectLabel{ID: l.ID, Name: l.Name, Color: l.Kind})
			}
		}
		return out
	}
}

// ConversationAbilities says what the caller may do. The client never computes this itself.
type ConversationAbilities struct {
	Send         bool `json:"send" doc:"May send prompts."`
	Stop         bool `json:"stop" doc:"May stop an answer."`
	Rewind       bool `json:"rewind" doc:"May cut it at a message."`
	Rename       bool `json:"rename" doc:"May rename it."`
	Delete       bool `json:"delete" doc:"May delete it."`
	ManageAccess bool `json:"manageAccess" doc:"May change who sees it; everybody who reads it may look at the list."`
	AddToProject bool `json:"addToProject" doc:"May put it into projects."`
	Archive      bool `json:"archive" doc:"May archive and restore it."`
	Favorite     bool `json:"favorite" doc:"May mark it as a favourite."`
	Duplicate    bool `json:"duplicate" doc:"May duplicate it."`
}

// ConversationPage is a page of conversations, with its position in the caller's own log.
type ConversationPage struct {
	Page[Conversation]
	LogHead int64 `json:"logHead" doc:"The seq of the newest entry of the caller's own log at the moment of this list: events of the stream up to it are in the list already, later ones are not."`
}

// NewConversation converts a conversation for a caller.
func NewConversation(caller domain.Caller) func(*domain.Conversation) Conversation {
	return func(c *domain.Conversation) Conversation { return newConversation(caller, c) }
}

func newConversation(caller domain.Caller, c *domain.Conversation) Conversation {
	may := func(action domain.Action) bool { return action.May(caller, c.Relation(caller)) }
	ownerStatus := "shared"
	if c.Permission == domain.PermissionOwner {
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
		EarlierMessages:      c.Earlier,
		Abilities: ConversationAbilities{
			Send: may(domain.SendPrompt), Stop: may(domain.StopTurn), Rewind: may(domain.RewindConversation), Rename: may(domain.ChangeConversation),
			Delete: may(domain.DeleteConversation), ManageAccess: may(domain.ShareConversation), AddToProject: may(domain.ChangeConversation),
			Archive: may(domain.UseConversation), Favorite: may(domain.UseConversation), Duplicate: may(domain.UseConversation),
		},
		CreatedAt: protocol.Time(c.CreatedAt),
		UpdatedAt: protocol.Time(c.UpdatedAt),
	}
}

// NewConversationRequest makes a conversation. The other fields that the
// specification lists (owner, messageSet and the times) are accepted and have
// no effect.
type NewConversationRequest struct {
	_             struct{} `additionalProperties:"true"`
	Name          string   `json:"name,omitempty" doc:"Cut to {characters} characters; left out, New Conversation."`
	Description   string   `json:"description,omitempty" doc:"What people should know of it."`
	DataSources   []int64  `json:"dataSources,omitempty" maxItems:"100" doc:"Connectors, by their ids."`
	ProjectLabels []int64  `json:"projectLabels,omitempty" maxItems:"100" doc:"The projects that it goes into."`
}

// TransformSchema implements huma.SchemaTransformer.
func (NewConversationRequest) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return limited(s, new(domain.NewConversation).Limits())
}

// ConversationChanges are the fields that change.
type ConversationChanges struct {
	_             struct{} `additionalProperties:"true"`
	Name          *string  `json:"name,omitempty" doc:"1 to {characters} characters."`
	Description   *string  `json:"description,omitempty" doc:"What people should know of it."`
	DataSources   *[]int64 `json:"dataSources,omitempty" maxItems:"100" doc:"Connectors, by their ids."`
	ProjectLabels *[]int64 `json:"projectLabels,omitempty" maxItems:"100" doc:"The projects that it belongs to, by their ids."`
	Status        *string  `json:"status,omitempty" enum:"active,archived" doc:"For the caller alone, as PATCH user/me/conversations/{id}/status; everybody who reads the conversation may."`
	IsFavorite    *bool    `json:"isFavorite,omitempty" doc:"For the caller alone, as PUT discourse/conversations/{id}/favorite; everybody who reads the conversation may."`
}

// TransformSchema implements huma.SchemaTransformer.
func (ConversationChanges) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return limited(s, new(domain.ConversationUpdate).Limits())
}

// Own reports whether something changes that belongs only to the caller.
func (c *ConversationChanges) Own() bool { return c.Status != nil || c.IsFavorite != nil }

// Shared reports whether something changes for all people who see the conversation.
func (c *ConversationChanges) Shared() bool {
	return c.Name != nil || c.Description != nil || c.DataSources != nil || c.ProjectLabels != nil
}

// StatusChange archives a conversation or restores it, only for the caller.
type StatusChange struct {
	_      struct{} `additionalProperties:"true"`
	Status string   `json:"status" enum:"active,archived" doc:"active or archived."`
}

// Rewind names the first message that is removed.
type Rewind struct {
	_         struct{}  `additionalProperties:"true"`
	MessageID uuid.UUID `json:"messageId" format:"uuid" doc:"The message's id."`
}

// Rewound is the answer to a rewind.
type Rewound struct {
	Text       string             `json:"text" doc:"The removed prompt, for the draft."`
	MessageSet []protocol.Message `json:"messageSet" nullable:"false" doc:"The messages left, oldest first."`
	Generation int64              `json:"generation" doc:"The number of rewinds so far, from 1. Drop frames of a lower generation."`
	Head       int64              `json:"head" doc:"The seq, that is the position, of the last event of the log."`
}

// NewRewound converts the result of a rewind.
func NewRewound(r *domain.RewindResult) Rewound {
	return Rewound{Text: r.Text, MessageSet: NewMessages(r.Messages), Generation: r.Generation, Head: r.Head}
}
