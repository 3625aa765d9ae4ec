// Package eval measures the quality of answers: it asks a provider the questions of suites, as people ask
// them, and compares its values with the known ones.
//
// A question goes the way of the product: the pipeline of package analyst, the provider (planner or model)
// with its tools, and the query worker, over files that the worker has prepared. Only the parts that keep
// data for people are missing: database, actors and streams. The suites are folders of the folder eval of
// the repository, whose README.md describes their files.
//
// The values decide, never the wording and never a model: see compare.go for when values are equal, and
// judge.go for the outcomes.
package eval
