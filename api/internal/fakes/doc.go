// Package fakes are the services behind the API, in memory, for its tests.
//
// They are recorders: they note what they are asked (World.Asked, SignIns.Entered) and answer
// what they were told (World.Show, World.ShowSource, World.ShowAnalyst, World.ChangeConversation,
// SignIns.End, World.Fail), so that a test of the API cannot pass by a rule that stands in a
// fake. The rules are tested where they are, in domain, actors and persistence, and on the whole
// product in internal/integration.
package fakes
