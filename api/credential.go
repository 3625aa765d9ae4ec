package api

// The calls on secrets with which a connector signs in to a database. The content is encrypted
// before it is stored (persistence/secret.go), and there is no call that answers it: the right to
// read it again belongs to nobody.

import (
	"bytes"
	"context"
	"encoding/hex"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// credentialRoutes registers the calls on secrets.
func (s *Server) credentialRoutes(a huma.API) {
	register(a, s.log, huma.Operation{
		Method: http.MethodPost, Path: "/memory/secrets", Tags: []string{"connectors"}, DefaultStatus: http.StatusCreated,
		Summary: "Store a secret with which a connector signs in",
		Description: domain.LimitsIn("For people with the flag uploadCredentials. The file has at most {bytes}. It is encrypted, and no call "+
			"gives it back.",
			"file", new(domain.NewCredential).Limits()),
	}, needs(domain.MakeCredential), s.createCredential)

	register(a, s.log, huma.Operation{
		Method: http.MethodGet, Path: "/memory/secrets", Tags: []string{"connectors"},
		Summary:     "The names of the caller's stored secrets",
		Description: "No response contains their content.",
	}, needs(domain.ListCredentials), func(ctx context.Context, _ *struct{}) (*body[wire.Page[wire.Credential]], error) {
		list, err := s.Credentials.Credentials(ctx, callerOf(ctx))
		if err != nil {
			return nil, err
		}
		return answer(wire.Whole(list, wire.NewCredential)), nil
	})
}

// createCredential keeps the file in memory only: its bytes are never written to a file, a
// log or an error.
func (s *Server) createCredential(ctx context.Context, in *newUpload) (*body[wire.Credential], error) {
	caller := callerOf(ctx)
	if err := s.uploads.allow(ctx, caller.UserID); err != nil {
		return nil, err
	}
	var content bytes.Buffer
	f, err := in.readSecret(&content)
	if err != nil {
		return nil, err
	}
	// The rules of the name and the content are checked before the content is hashed for the key.
	n := domain.NewCredential{Name: f.fieldOr("name", ""), Content: content.Bytes()}
	if err := n.Validate(); err != nil {
		return nil, err
	}
	// The hash of the file stands for its bytes, so the stored key contains nothing of the secret.
	n.Key, err = idempotency(in.IdempotencyKey, map[string]any{"name": n.Name, "file": hex.EncodeToString(f.hash[:])})
	if err != nil {
		return nil, err
	}
	c, err := s.Credentials.CreateCredential(ctx, caller, n)
	if err != nil {
		return nil, err
	}
	return answer(wire.NewCredential(c)), nil
}

// readSecret reads the form into memory. A file that is too large is refused as soon as the
// limit is exceeded; the rest of it is not read.
func (u *upload) readSecret(into *bytes.Buffer) (*form, error) {
	return u.readForm(func(r io.Reader) (int64, error) {
		// One byte more than the limit is read, so that a file of exactly the limit is accepted.
		n, err := io.Copy(into, io.LimitReader(r, domain.CredentialMax+1))
		if err == nil && n > domain.CredentialMax {
			err = domain.Invalid("file", "The file is larger than "+sizeOf(domain.CredentialMax))
		}
		return n, err
	})
}
