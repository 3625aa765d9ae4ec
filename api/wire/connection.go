package wire

import (
	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"parley.dev/parley/domain"
)

// ConnectionCheck says how to sign in to a remote database. The other fields of the body that
// makes a data source may be sent as well, and have no effect.
type ConnectionCheck struct {
	_            struct{}          `additionalProperties:"true"`
	Kind         string            `json:"kind" maxLength:"40" doc:"The id of a connector type with parameters, such as postgres." example:"postgres"`
	Params       map[string]string `json:"params" doc:"The values of the type's parameters, by their names, except for the secret."`
	Secret       string            `json:"secret,omitempty" maxLength:"65536" doc:"The value of the secret parameter. It is stored encrypted, and no response contains it." example:"correct horse battery staple"`
	CredentialID *uuid.UUID        `json:"credentialId,omitempty" format:"uuid" doc:"The id of a stored secret of the caller (GET memory/secrets), in place of the field secret."`
}

// Connection converts it.
func (c *ConnectionCheck) Connection() domain.Connection {
	out := domain.Connection{Params: c.Params, Secret: c.Secret}
	if c.CredentialID != nil {
		out.CredentialID = *c.CredentialID
	}
	return out
}

// ConnectionRequest makes a data source from a remote database.
type ConnectionRequest struct {
	_ struct{} `additionalProperties:"true"`
	ConnectionCheck
	Name           string     `json:"name" doc:"1 to {characters} characters."`
	Description    string     `json:"description,omitempty" doc:"At most {characters} characters. The default is a description that is made from the tables."`
	Scope          string     `json:"scope,omitempty" enum:"organization,user,conversation" doc:"The default is user."`
	ConversationID *uuid.UUID `json:"conversationId,omitempty" format:"uuid" doc:"Required for the scope conversation."`
}

// TransformSchema implements huma.SchemaTransformer.
func (ConnectionRequest) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return Limited(s, new(domain.NewDataSource).Limits())
}

// DataSourceParam is one value that a person enters about a connection.
type DataSourceParam struct {
	Name      string   `json:"name" doc:"The name of the parameter in params." example:"schema"`
	Label     string   `json:"label" doc:"The name to show to people." example:"Schema"`
	Kind      string   `json:"kind" enum:"text,number,choice,secret" doc:"A number is a whole number. A secret is sent as secret, or stored before and referred to by credentialId."`
	Required  bool     `json:"required" doc:"Whether it is required."`
	Default   string   `json:"default" doc:"The value that is used if none is given." example:"public"`
	Choices   []string `json:"choices" nullable:"false" doc:"The values of a choice." example:"require,verify-full"`
	Min       int      `json:"min" doc:"The minimum of a number."`
	Max       int      `json:"max" doc:"The maximum of a number; for a text or a secret, the maximum number of characters."`
	Multiline bool     `json:"multiline" doc:"Whether a text may have several lines."`
	Help      string   `json:"help" doc:"A help text for people who fill in the form." example:"The schema whose tables are used."`
}

// NewWarehouseType describes a kind of databases that this server connects to.
func NewWarehouseType(t domain.DataSourceType) DataSourceType {
	kind := t.Kind()
	out := NewForeignType(t)
	out.IsConnectable = true
	for i := range kind.Params {
		p := &kind.Params[i]
		out.Params = append(out.Params, DataSourceParam{
			Name: p.Name, Label: p.Label, Kind: string(p.Kind), Required: p.Required, Default: p.Default, Choices: append([]string{}, p.Choices...),
			Min: p.Min, Max: p.Max, Multiline: p.Lines, Help: p.Help,
		})
	}
	return out
}
