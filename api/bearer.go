package api

import (
	"github.com/gofiber/fiber/v2"

	"parley.dev/parley/api/auth"
	"parley.dev/parley/domain"
)

func errTwoBearers() error {
	return domain.Errorf(domain.CodeBadRequest, "The request has two bearers")
}

// bearerOf takes the bearer out of the Authorization header; empty when there is
// none. A request that carries one in a second place as well is refused: whoever
// stands before us may have looked at the other one. By itself no other place counts.
func bearerOf(c *fiber.Ctx) (string, error) {
	headers := c.Request().Header.PeekAll(fiber.HeaderAuthorization)
	switch {
	case len(headers) == 0:
		return "", nil
	case len(headers) > 1, c.Get("X-Api-Key") != "", c.Query("access_token") != "":
		return "", errTwoBearers()
	}
	return auth.Bearer(c.Get(fiber.HeaderAuthorization)), nil
}
