// Package fakes are the services behind the API, in memory, for its tests.
//
// They are recorders: they record their calls (World.Asked, SignIns.Entered) and return what a
// test has set (World.Show, World.ShowSource, World.ShowAnalyst, World.ChangeConversation,
// SignIns.End, World.Fail), so that a test of the API cannot pass because of a rule in a fake.
// The rules are tested where they are implemented, in domain, actors and persistence, and with
// the whole product in internal/integration.
package fakes
