package api

import (
	"bytes"
	"context"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"parley.dev/parley/api/auth"
	"parley.dev/parley/api/stream"
	"parley.dev/parley/domain"
)

// findTime is the maximum time to find the person of a bearer.
const findTime = 30 * time.Second

// stream opens the live stream of a person, as a websocket or as server-sent events.
// Everything is checked before the upgrade, while an answer can still say what is wrong.
//
// A page must have an allowed origin. A client that sends no Origin is not a browser; it
// needs a bearer in the Authorization header, which a page cannot make a browser send.
func (s *Server) stream(c *fiber.Ctx) error {
	socket := stream.Wants(c)
	bearer, err := bearerOf(c)
	if err != nil {
		return err
	}
	origins := c.Request().Header.PeekAll(fiber.HeaderOrigin)
	origin := string(bytes.Join(origins, []byte(", "))) // two headers become one text, which is never an allowed origin
	offered, bearers := "", 0
	if socket {
		// Several headers are one list, so that a proxy and this server read the same bearer.
		protocols := string(bytes.Join(c.Request().Header.PeekAll("Sec-WebSocket-Protocol"), []byte(",")))
		offered, bearers = auth.ProtocolBearer(protocols), auth.ProtocolBearers(protocols)
	}
	// A request without any bearer is asked to sign in before its origin is checked.
	if origin == "" && bearer == "" && offered != "" || origin != "" && !s.sockets.Allows(origin) {
		return domain.Errorf(domain.CodeForbidden, "Connections from this origin are not allowed")
	}
	if bearers > 1 || bearers > 0 && bearer != "" {
		return errTwoBearers()
	}
	if bearer == "" {
		bearer = offered
	}
	arrived, err := s.sockets.Arrive(c.UserContext())
	if err != nil {
		return err
	}
	defer arrived()
	ctx, cancel := context.WithTimeout(c.UserContext(), findTime)
	defer cancel()
	// Pages reopen streams by themselves, so opening one does not show that the person is active.
	signedIn, err := s.people.Find(ctx, bearer, false)
	if err != nil {
		return err
	}
	caller := signedIn.User.Caller()
	var relation domain.Relation
	if key, ok := domain.NounStream.Key(c.Params("uuid")); ok && key.ID == caller.UserUUID {
		relation = domain.Relation{Found: true, Permission: domain.PermissionOwner}
	}
	if err := domain.FollowStream.Authorize(caller, relation); err != nil {
		return err
	}
	if !socket && !strings.Contains(c.Get(fiber.HeaderAccept), "text/event-stream") {
		c.Set(fiber.HeaderUpgrade, "websocket")
		return fiber.ErrUpgradeRequired
	}
	if socket {
		return s.sockets.Upgrade(c, caller, signedIn.SignIn.SignInKey, signedIn.Expires)
	}
	return s.sockets.Events(c, caller, signedIn.SignIn.SignInKey, signedIn.Expires)
}
