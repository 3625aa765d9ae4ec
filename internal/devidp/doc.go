// Package devidp is the OpenID provider of a machine that has none: dex as a
// library, with demo people who sign in by a password that the page shows. It
// is for machines where nobody is configured yet, answers on loopback only,
// and is replaced by setting an issuer of one's own.
//
// # The tokens
//
// Dex itself issues an access token that is an ID token in all but name: the
// same header, claims and audience, with an at_hash over random bytes. Nothing
// could tell one from the other, so this package signs them apart:
//
//	              access token                    ID token
//	header typ    at+jwt (RFC 9068)               JWT
//	aud           Config.Audience (parley-api)    Config.ClientID (parley-web)
//	azp           the client                      absent
//	client_id     the client                      absent
//	nonce         absent                          when the client sent one
//	at_hash       absent                          always
//	c_hash        absent                          when bought with a code
//	both          iss sub iat exp jti email email_verified name sid auth_time
//
// An API that takes bearers checks typ or aud, and refuses a token that
// carries nonce, at_hash or c_hash: those belong to ID tokens of any provider.
//
// In both, sub is the id of the person as Config.People has it, not dex's
// packed form, so that (iss, sub) can be written into seed data.
//
// sid names the sign-in and auth_time says when it began. Refreshed tokens carry
// both unchanged, so an API that ends a sign-in ends all of its tokens.
//
// # What survives what
//
// The signing keys lie in Config.Keys, so bearers outlive a kill of the process
// and are valid on every node that shares the store. Refresh tokens and
// sign-ins in progress are in memory: after a restart a person whose token runs
// out signs in again.
package devidp
