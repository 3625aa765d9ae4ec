// Package domain defines the objects of Parley, their rules and limits, the interfaces of
// the services that store them, their errors and their events. It imports no other package of
// this module and does not depend on transport, SQL or actors.
package domain
