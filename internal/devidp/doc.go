// Package devidp is an embedded OpenID provider, for use without an external one: dex
// as a library, with demo people who sign in with a password that the page shows. It is
// for new installations, and answers only on loopback unless Config.AllowRemote is set.
// Configuring another issuer replaces it.
//
// # The tokens
//
// Dex itself issues access tokens that are ID tokens in all but name: they have the
// same header, claims and audience, with an at_hash over random bytes. A receiver
// could not distinguish them, so this package signs them with different contents:
//
//	              access token                    ID token
//	header typ    at+jwt (RFC 9068)               JWT
//	aud           Config.Audience (parley-api)    Config.ClientID (parley-web)
//	azp           the client                      absent
//	client_id     the client                      absent
//	nonce         absent                          if the client sent one
//	at_hash       absent                          always
//	c_hash        absent                          if exchanged for a code
//	both          iss sub iat exp jti email email_verified name sid auth_time
//
// An API that accepts bearers checks typ or aud, and refuses a token that contains
// nonce, at_hash or c_hash: only ID tokens have these claims, with any provider.
//
// In both, sub is the id of the person from Config.People and not dex's packed
// form, so that (iss, sub) can be written into seed data.
//
// sid identifies the sign-in, and auth_time is the time at which it began. Refreshed
// tokens have the same values, so an API that ends a sign-in ends all of its tokens.
//
// # What survives a restart
//
// The signing keys are in Config.Keys, so bearers stay valid after a crash of the process,
// and are valid on every node that shares the store. Refresh tokens and sign-ins in
// progress are in memory: after a restart, a person whose token expires must sign in
// again.
package devidp
