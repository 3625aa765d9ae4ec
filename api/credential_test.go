package api_test

import (
	"bytes"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

func TestSecrets(t *testing.T) {
	t.Parallel()
	const canary = "canary-5f0e-private-key"
	const path = v1 + "/memory/secrets"
	post := func(t *testing.T, b *bundle, who *domain.User, content string, fields ...string) reply {
		t.Helper()
		body, kind := formOf(t, "file", canary+".pem", content, fields...)
		return b.send(t, http.MethodPost, path, body, "Content-Type", kind, "Authorization", "Bearer "+b.token(t, who), "Idempotency-Key",
			"k-"+who.FullName)
	}
	flagged := func(t *testing.T) *bundle {
		t.Helper()
		b := setup(t)
		b.world.SetFlags(b.world.Owner.Email, domain.UserFlags{UploadCredentials: true})
		return b
	}
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		b := flagged(t)
		got := post(t, b, &b.world.Owner, "-----BEGIN PRIVATE KEY-----\n"+canary, "name", " Warehouse ")
		require.Equal(t, 201, got.status, got.body)
		require.Equal(t, []string{"createdAt", "id", "name"}, sortedKeys(got.json(t)))
		require.Equal(t, "Warehouse", got.json(t)["name"])
		asked := func() domain.NewCredential {
			n, ok := b.world.Asked("CreateCredential").(domain.NewCredential)
			require.True(t, ok)
			return n
		}
		first := asked()
		require.Equal(t, []string{"Warehouse", "-----BEGIN PRIVATE KEY-----\n" + canary, "k-owner"},
			[]string{first.Name, string(first.Content), first.Key.Key})
		require.Equal(t, 201, post(t, b, &b.world.Owner, "-----BEGIN PRIVATE KEY-----\n"+canary, "name", "Warehouse").status)
		require.Equal(t, first, asked(), "D11")
		require.Equal(t, 201, post(t, b, &b.world.Owner, "another", "name", "Warehouse").status)
		require.NotEqual(t, first.Key.Body, asked().Key.Body, "D11")
		require.Empty(t, b.files.Keys())
		for _, ask := range []string{http.MethodPut, http.MethodDelete, http.MethodPatch} {
			require.Equal(t, 405, b.call(t, &b.world.Owner, ask, path, "").status, "there is no other call")
		}
		require.Equal(t, 200, b.call(t, &b.world.Owner, http.MethodGet, path, "").status, "only the names")
		require.Equal(t, 404, b.call(t, &b.world.Owner, http.MethodGet, path+"/1", "").status)
	})
	t.Run("ErrInvalid", func(t *testing.T) {
		t.Parallel()
		b := flagged(t)
		for _, row := range []struct {
			content string
			fields  []string
			has     []string
		}{
			{canary, nil, []string{`{"field":"name","message":"Please enter a valid name"}`}},
			{canary, []string{"name", strings.Repeat("x", 81)}, []string{`{"field":"name","message":"Please enter a valid name"}`}},
			{canary, []string{"name", " \u200b"}, []string{`"Please enter a valid name"`}},
			{strings.Repeat("x", domain.CredentialMax+1), []string{"name", "N"}, []string{`"The file is larger than 64 kB"`}},
			{"", nil, []string{`"Please select a file"`, `"Please enter a valid name"`}},
		} {
			got := post(t, b, &b.world.Owner, row.content, row.fields...)
			require.Equal(t, 422, got.status, got.body)
			for _, text := range row.has {
				require.Contains(t, got.body, text)
			}
		}
		require.Equal(t, 201, post(t, b, &b.world.Owner, strings.Repeat("x", domain.CredentialMax), "name", "N").status)
	})
	t.Run("ErrForbiddenB14", func(t *testing.T) {
		t.Parallel()
		b := flagged(t)
		got := post(t, b, &b.world.Reader, canary, "name", "N")
		require.Equal(t, 403, got.status)
		require.Equal(t, "forbidden", got.code(t))
		require.NotContains(t, strings.Join(b.world.Calls(), " "), "CreateCredential")
	})
	t.Run("CanaryG13", func(t *testing.T) {
		t.Parallel()
		b := flagged(t)
		b.world.Fail("CreateCredential", domain.Internal(nil, "The store failed."))
		answers := []reply{
			post(t, b, &b.world.Owner, canary, "name", "N"), post(t, b, &b.world.Owner, canary), post(t, b, &b.world.Reader, canary, "name", "N"),
			post(t, b, &b.world.Owner, strings.Repeat(canary, 5000), "name", "N"),
		}
		body, kind := formOf(t, "file", canary, canary)
		answers = append(answers, b.send(t, http.MethodPost, path, bytes.NewReader(body.Bytes()[:body.Len()-20]), "Content-Type", kind,
			"Authorization", "Bearer "+b.token(t, &b.world.Owner)))
		for _, got := range answers {
			require.GreaterOrEqual(t, got.status, 400)
			require.NotContains(t, got.body, "canary")
		}
		require.Contains(t, b.log.String(), "call failed")
		require.NotContains(t, b.log.String(), "canary")
	})
}

func sortedKeys(object map[string]any) []string { return slices.Sorted(maps.Keys(object)) }
