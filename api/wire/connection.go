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
	Kind         string            `json:"kind" maxLength:"40" doc:"A kind with parameters, such as postgres."`
	Params       map[string]string `json:"params" doc:"Values by the names of the kind's parameters, without the secret."`
	Secret       string            `json:"secret,omitempty" maxLength:"65536" doc:"What the kind's secret parameter asks for. It is encrypted, and no call gives it back."`
	CredentialID *uuid.UUID        `json:"credentialId,omitempty" format:"uuid" doc:"A stored secret of the caller (GET memory/secrets), instead of one in this request."`
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
	Description    string     `json:"description,omitempty" doc:"At most {characters} characters; left out, one is made of what is found there."`
	Scope          string     `json:"scope,omitempty" enum:"organization,user,conversation" doc:"user when left out."`
	ConversationID *uuid.UUID `json:"conversationId,omitempty" format:"uuid" doc:"With the scope conversation."`
}

// TransformSchema implements huma.SchemaTransformer.
func (ConnectionRequest) TransformSchema(_ huma.Registry, s *huma.Schema) *huma.Schema {
	return limited(s, new(domain.NewDataSource).Limits())
}

// DataSourceParam is one value that a person enters about a connection.
type DataSourceParam struct {
	Name      string   `json:"name" doc:"Its name in params."`
	Label     string   `json:"label" doc:"What people call it."`
	Kind      string   `json:"kind" enum:"text,number,choice,secret" doc:"A number is whole. A secret is sent as secret, or kept before and named by credentialId."`
	Required  bool     `json:"required" doc:"Whether it must be given."`
	Default   string   `json:"default" doc:"What is taken where nothing is entered."`
	Choices   []string `json:"choices" nullable:"false" doc:"The values of a choice."`
	Min       int      `json:"min" doc:"The least number."`
	Max       int      `json:"max" doc:"The greatest number; of texts and secrets the most characters."`
	Multiline bool     `json:"multiline" doc:"Whether a text may have several lines."`
	Help      string   `json:"help" doc:"A sentence for who fills in the form."`
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
