// Package fakes are the services behind the API, in memory, for its tests.
//
// They are recorders: they note what they are asked (World.Asked) and answer what they
// were told (World.Show, World.ShowSource, World.ShowAnalyst, World.Fail), so that a test
// of the API cannot pass by a rule that stands in a fake. The rules are tested where they
// stand, in domain, actors and persistence, and on the whole product in internal/integration.
//
// Three keep something, for the API has a part of its own in what depends on it: reading
// a conversation answers those who may see it, with pages of its messages; Users knows who
// is disabled; SignIns ends sign-ins by the limits of domain, which the API's sessions are
// tested with over hours of a clock.
package fakes
