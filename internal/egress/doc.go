// Package egress decides which addresses of the network a connector may reach, and
// makes the connections to them.
//
// People write the name of a host into a form, so a name may lead anywhere: to this
// machine, to its neighbours, to a cloud's service of credentials. Three things stand
// against that. A name is accepted only in its plain form (Host). It is resolved for each
// connection, and the address that is then connected to is the one that was checked, so a
// name that changes its address gains nothing. And the address is checked, never the name:
// public addresses are reached, all others only if an operator allows them.
//
// Nothing here follows redirects or reads URLs.
package egress
