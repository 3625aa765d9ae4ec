// Package auth finds out who sent a bearer. It accepts access tokens for this API that are
// signed by a key of the issuer with one of the allowed algorithms. It refuses ID tokens,
// because they are intended for the browser and not for an API. Then it looks up the person
// in the app. The result is cached for at most 5 seconds, so that a disabled person loses
// access within that time.
//
// A token is sent in the Authorization header or, for a websocket of a browser, in its
// subprotocol. It never appears in a URL or in a log.
package auth
