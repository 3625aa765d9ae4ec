package wire

import (
	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
)

// Conversation is a thread of turns, as the caller sees it.
type Conversation struct {
	ID                   uuid.UUID             `json:"id" format:"uuid" doc:"The id."`
	Name                 string                `json:"name" doc:"The name."`
	Description          string                `json:"description" doc:"The description."`
	Owner                protocol.Person       `json:"owner" doc:"The owner; null if it belongs to the product."`
	OwnerStatus          string                `json:"ownerStatus" enum:"owner,shared" doc:"shared: the caller may only read it."`
	Status               string                `json:"status" enum:"active,archived" doc:"The status in the caller's own lists."`
	IsFavorite           bool                  `json:"isFavorite" doc:"Whether it is a favourite of the caller."`
	UnreadMessages       int                   `json:"unreadMessages" doc:"The number of messages that the caller has not read."`
	IsStreaming          bool                  `json:"isStreaming" doc:"Whether a turn is running."`
	Credits              float64               `json:"credits" doc:"The credits that were used so far."`
	DataSources          []int64               `json:"dataSources" nullable:"false" doc:"Ids of connectors."`
	ProjectLabels        []int64               `json:"projectLabels" nullable:"false" doc:"Ids of the projects that it belongs to."`
	CurrentStatusSummary string                `json:"currentStatusSummary" doc:"The beginning of the latest summary."`
	Head                 int64                 `json:"head" doc:"The seq of the last event in the log. Subscribe to the stream from this position."`
	Epoch                int64                 `json:"epoch" doc:"The number of the activation that wrote it. Ignore frames of a lower epoch."`
	Generation           int64                 `json:"generation" doc:"The generation: it starts at 1 and increases by 1 with each rewind."`
	MessageSet           []protocol.Message    `json:"messageSet" nullable:"false" doc:"The messages, oldest first, each with its text so far. Empty in lists."`
	EarlierMessages      int64                 `json:"earlierMessages,omitempty" doc:"The value of messages_before that returns the messages before those in messageSet. Only with message_page_size; missing if there are no earlier messages."`
	DataSourceSet        []NestedDataSource    `json:"dataSourceSet,omitempty" doc:"Only with include_nested_objects."`
	ProjectLabelSet      []NestedProjectLabel  `json:"projectLabelSet,omitempty" doc:"Only with include_nested_objects."`
	Abilities            ConversationAbilities `json:"abilities" doc:"What the caller may do with it."`
	CreatedAt            protocol.Time         `json:"createdAt"`
	UpdatedAt            protocol.Time         `json:"updatedAt"`
}

// NestedDataSource names a connector.
type NestedDataSource struct {
	ID   int64  `json:"id" doc:"The id."`
	Name string `json:"name" doc:"The name."`
	Type string `json:"type" doc:"The type of the connector." example:"csv"`
}

// NestedProjectLabel names a project.
type NestedProjectLabel struct {
	ID    int64  `json:"id" doc:"The id."`
	Name  string `json:"name" doc:"The name."`
	Color string `json:"color" doc:"#rrggbb, or the name of a colour."`
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
	Send         bool `json:"send" doc:"Whether the caller may send prompts."`
	Stop         bool `json:"stop" doc:"Whether the caller may stop an answer."`
	Rewind       bool `json:"rewind" doc:"Whether the caller may rewind it."`
	Rename       bool `json:"rename" doc:"Whether the caller may rename it."`
	Delete       bool `json:"delete" doc:"Whether the caller may delete it."`
	ManageAccess bool `json:"manageAccess" doc:"Whether the caller may change who has access. Everybody with access may read the list."`
	AddToProject bool `json:"addToProject" doc:"Whether the caller may add it to projects."`
	Archive      bool `json:"archive" doc:"Whether the caller may archive and restore it."`
	Favorite     bool `json:"favorite" doc:"Whether the caller may mark it as a favourite."`
	Duplicate    bool `json:"duplicate" doc:"Whether the caller may duplicate it."`
}

// ConversationPage is a page of conversations, with its position in the caller's own log.
type ConversationPage struct {
	Page[Conversation]
	LogHead int64 `json:"logHead" doc:"The seq of the last event in the caller's own log that this list includes. Later events of the stream are not included."`
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
	Name          string   `json:"name,omitempty" doc:"A longer name is shortened to {characters} characters. The default is New Conversation."`
	Description   string   `json:"description,omitempty" doc:"The description."`
	DataSources   []int64  `json:"dataSources,omitempty" maxItems:"100" doc:"Ids of connectors."`
	ProjectLabels []int64  `json:"projectLabels,omitempty" maxItems:"100" doc:"Ids of the projects that it is added to."`
}

// TransformSchema implements huma.SchemaTransformer.
func (NewConversationRequest) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return Limited(s, new(domain.NewConversation).Limits())
}

// ConversationChanges are the fields that change.
type ConversationChanges struct {
	_             struct{} `additionalProperties:"true"`
	Name          *string  `json:"name,omitempty" doc:"1 to {characters} characters."`
	Description   *string  `json:"description,omitempty" doc:"The description."`
	DataSources   *[]int64 `json:"dataSources,omitempty" maxItems:"100" doc:"Ids of connectors."`
	ProjectLabels *[]int64 `json:"projectLabels,omitempty" maxItems:"100" doc:"Ids of the projects that it belongs to."`
	Status        *string  `json:"status,omitempty" enum:"active,archived" doc:"Changes only the caller's own lists, like PATCH user/me/conversations/{id}/status, and needs the same right."`
	IsFavorite    *bool    `json:"isFavorite,omitempty" doc:"Changes only the caller's own lists, like PUT discourse/conversations/{id}/favorite, and needs the same right."`
}

// TransformSchema implements huma.SchemaTransformer.
func (ConversationChanges) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return Limited(s, new(domain.ConversationUpdate).Limits())
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
	MessageID uuid.UUID `json:"messageId" format:"uuid" doc:"The id of the message."`
}

// Rewound is the answer to a rewind.
type Rewound struct {
	Text       string             `json:"text" doc:"The text of the removed prompt, for the draft."`
	MessageSet []protocol.Message `json:"messageSet" nullable:"false" doc:"The remaining messages, oldest first."`
	Generation int64              `json:"generation" doc:"The generation of the conversation: it starts at 1 and increases by 1 with each rewind. Ignore frames of a lower generation."`
	Head       int64              `json:"head" doc:"The seq of the last event in the log."`
}

// NewRewound converts the result of a rewind.
func NewRewound(r *domain.RewindResult) Rewound {
	return Rewound{Text: r.Text, MessageSet: NewMessages(r.Messages), Generation: r.Generation, Head: r.Head}
}
