// Package egress decides which network addresses a connector may reach, and opens the
// connections to them.
//
// People enter host names in a form, so a name may resolve to any address: of this machine,
// of its neighbours, of a cloud's metadata service. Three rules prevent abuse. A name is
// accepted only in its plain form (Host). It is resolved for each connection, and the
// address that is checked is the one that is connected to, so DNS rebinding has no effect.
// And the address is checked, not only the name: public addresses are permitted by default,
// all other addresses only if an operator allows them. The caller says whether the
// connection is encrypted; without encryption, too, only what an operator permits is reached.
//
// Nothing here follows redirects or reads URLs.
package egress
