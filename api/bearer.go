package api

import (
	"github.com/gofiber/fiber/v2"

	"parley.dev/parley/api/auth"
	"parley.dev/parley/domain"
)

func errTwoBearers() error {
	return domain.Errorf(domain.CodeBadRequest, "The request has two bearers")
}

// bearerOf reads the bearer from the Authorization header; empty when there is none. Two
// credentials in one request are refused: a proxy may have checked the other one. A bearer
// that is sent in any other way, without the header, does not count.
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
