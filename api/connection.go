package api

// The calls that make and read connectors of databases elsewhere. A secret comes in the body, or is
// one that the person keeps (credential.go); no answer contains it. Each call here makes this
// server sign in to a database, so each is counted for a rate limit of the person.

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/google/uuid"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// newConnection is the input of a creation: the key makes it happen once.
type newConnection struct {
	IdempotencyKey string `header:"Idempotency-Key" doc:"A request with the same key within 24 hours returns the first result and creates nothing."`
	Body           wire.ConnectionRequest
}

// checkConnection is the input of a trial. Nothing of it is stored.
type checkConnection struct{ Body wire.ConnectionCheck }

// connectionRoutes registers the calls of this file.
func (s *Server) connectionRoutes(a huma.API, tags []string) {
	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/memory/datasources", Tags: tags, DefaultStatus: http.StatusCreated,
		Summary: "Create a connector for a remote database",
		Description: "Signs in to the database and reads the description of its tables before anything is stored. GET memory/datasources/type " +
			"returns the parameters of each type. No response contains the secret.",
	}, needs(domain.ConnectDataSource).alsoOf("conversationId"), s.createConnection)

	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/memory/datasources/check", Tags: tags, DefaultStatus: http.StatusNoContent,
		Summary:     "Test a connection without storing it",
		Description: "422 if a field is wrong, with its name. 503 if the database does not respond.",
	}, needs(domain.ConnectDataSource), func(ctx context.Context, in *checkConnection) (*none, error) {
		kind, c, err := s.connection(ctx, &in.Body)
		if err != nil {
			return nil, err
		}
		return nil, s.Warehouses.Check(ctx, callerOf(ctx), kind, c)
	})
}

// connection reads a connection and counts it for the caller's rate limit: each attempt makes
// this server sign in to a database.
func (s *Server) connection(ctx context.Context, in *wire.ConnectionCheck) (domain.DataSourceType, domain.Connection, error) {
	kind, c := domain.DataSourceType(strings.TrimSpace(in.Kind)), in.Connection()
	caller := callerOf(ctx)
	// A node may run without any warehouse, then Warehouses is nil.
	if s.Warehouses == nil || !s.Warehouses.Takes(kind) {
		return kind, c, domain.Invalid("kind", "This server does not connect to "+domain.Shorten(domain.Clean(kind.Label()), 40))
	}
	// The parameters are checked before the attempt is counted: a form that is wrong costs nothing.
	c, err := c.Check(kind.Kind())
	if err == nil {
		err = s.uploads.allow(ctx, caller.UserID)
	}
	return kind, c, err
}

// createConnection makes a connector of a remote database. Its tables are described first, outside
// any transaction; only a database that can be read is stored.
func (s *Server) createConnection(ctx context.Context, in *newConnection) (*body[wire.DataSource], error) {
	caller := callerOf(ctx)
	n := domain.NewDataSource{Name: strings.TrimSpace(in.Body.Name), Description: strings.TrimSpace(in.Body.Description)}
	kind, c, wrong := s.connection(ctx, &in.Body.ConnectionCheck)
	var placing error
	n.Scope, n.ConversationID, placing = scopeNamed(in.Body.Scope, in.Body.ConversationID)
	named := n
	// A missing description is not an error here, because one is made from the tables. So a
	// stand-in is validated, together with the other fields.
	if n.Description == "" {
		named.Description = "proposed" // made from the database's tables
	}
	if err := together(wrong, placing, named.Validate()); err != nil {
		return nil, err
	}
	var err error
	if n.Key, err = idempotency(in.IdempotencyKey, in.Body); err != nil {
		return nil, err
	}
	found, err := s.Warehouses.Describe(ctx, caller, kind, c)
	if err != nil {
		return nil, err
	}
	if n.Description == "" {
		n.Description, n.DescriptionGenerated = found.Text, true
	}
	n.Type, n.Connection, n.Resources, n.LeftOut = kind, &c, found.Resources, found.LeftOut
	// A repeated creation describes the database again, but the service answers the stored result
	// of the key and creates nothing.
	d, err := s.DataSources.CreateDataSource(ctx, caller, n)
	if err != nil {
		return nil, err
	}
	return s.showSource(ctx, d)
}

// syncConnection reads the description of a database again.
func (s *Server) syncConnection(ctx context.Context, d *domain.DataSource) (*body[wire.DataSource], error) {
	caller := callerOf(ctx)
	if s.Warehouses == nil {
		// The connector remains usable for people to see; only reading it again needs a warehouse.
		return nil, domain.Errorf(domain.CodeInvalid, "This server does not connect to databases")
	}
	if err := s.reads.allow(ctx, caller.UserID); err != nil {
		return nil, err
	}
	found, err := s.Warehouses.DescribeSource(ctx, d)
	if err != nil {
		return nil, err
	}
	d, err = s.DataSources.ResyncDataSource(ctx, caller, d.ID, domain.DataSourceFile{Resources: found.Resources, LeftOut: found.LeftOut})
	if err != nil {
		return nil, err
	}
	return s.showSource(ctx, d)
}

// scopeNamed parses the scope of a data source.
// It uses the rules of the form of an upload, so that both calls accept the same values.
func scopeNamed(scope string, conversation *uuid.UUID) (domain.DataSourceScope, uuid.UUID, error) {
	f := form{fields: map[string]string{"scope": scope}}
	if conversation != nil {
		f.fields["conversationId"] = conversation.String()
	}
	return scopeOf(&f)
}
