package api

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
)

// Only the mark at the registration decides: a call below the path of one that accepts a form does
// not accept a form by that.
func TestServer_BodyForm(t *testing.T) {
	t.Parallel()
	const path = "/discourse/projectlabels/1"
	marked := withForm(huma.Operation{Path: "/discourse/projectlabels/{id}"})
	below := huma.Operation{Path: "/discourse/projectlabels/{id}/more"}
	app := fiber.New(fiber.Config{DisableStartupMessage: true, StreamRequestBody: true})
	read := func(op *huma.Operation) fiber.Handler {
		return func(c *fiber.Ctx) error {
			content, kind, err := (&Server{}).body(op, c)
			if err != nil {
				return c.Status(http.StatusTeapot).SendString(string(domain.CodeOf(err)))
			}
			raw, err := io.ReadAll(content)
			if err != nil {
				return err
			}
			return c.SendString(kind + " " + string(raw))
		}
	}
	app.Post(apiPrefix+path, read(&marked))
	app.Post(apiPrefix+path+"/more", read(&below))
	for at, answer := range map[string]string{path: `application/json {"name":"N"}`, path + "/more": string(domain.CodeUnsupportedType)} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, apiPrefix+at, strings.NewReader("name=N"))
		r.Header.Set("Content-Type", kindForm)
		got, err := app.Test(r, -1)
		require.NoError(t, err)
		text, err := io.ReadAll(got.Body)
		require.NoError(t, err)
		require.NoError(t, got.Body.Close())
		require.Equal(t, answer, string(text), at)
	}
}
