// Package auth tells who sent a bearer. A token is an access token, signed
// with an algorithm of a fixed list by a key of the issuer, for us; an ID token
// is refused, because it was made for the browser to read and not for an API to
// trust. Who the person is in the app is looked up after that and kept for at
// most 5 seconds, so that a disabled person is out as soon.
//
// A token stands in the Authorization header or, for a websocket of a browser,
// in its subprotocol; never in a URL, and never in a log.
package auth
