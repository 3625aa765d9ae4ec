// Package providertest is what every provider must pass, whatever answers behind it.
//
//	Contract   what holds for all: order, one end, cancelling, what was used
//	Vendors    what holds for those that speak the form of OpenAI's chat completions:
//	           streams as the servers really send them, played over a socket
//
// The streams are written by hand after the vendors' own documentation and what their
// users report of them; each names its server and what is peculiar about it.
package providertest
