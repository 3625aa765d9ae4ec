// Package fakes are the services behind the API, in memory, for its tests.
//
// The engine, agents, blueprints, data sources, feedback, memories, projects, scheduled tasks and the
// account of files are recorders: they note what they are asked (World.Asked) and answer what they were
// told (World.Show, World.ShowSource, World.Fail), so that a test of the API cannot pass
// by a rule that stands in a fake. The rules are tested where they stand, in domain and
// persistence, and on the whole product in internal/integration.
// The others keep the rights that the real services keep, by domain's table.
package fakes
