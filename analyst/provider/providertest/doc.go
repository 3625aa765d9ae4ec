// Package providertest contains the tests that every provider must pass, whatever answers behind it.
//
//	Contract   rules for all providers: order, one end, cancelling, usage
//	Vendors    rules for providers with the API of OpenAI's chat completions:
//	           streams as the servers really send them, played over a socket
//
// The streams are written by hand after the vendors' own documentation and what their
// users report of them; each names its server and its peculiarity.
package providertest
