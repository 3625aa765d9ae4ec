// Package connectors defines what a data source can do. Each kind has a package below it. A
// kind is read in one of two ways: a FileReader reads an uploaded file once, and its tables
// are queried in the workbench, a child process; a Warehouse is a remote database that is
// queried directly, in its own SQL.
//
// A new kind of remote database needs, in this order:
//
//   - domain: a row in datasource_kind.go, its parameters in datasource_param.go, and its
//     Dialect with a label. Rights, flags, the API and the store know a kind by its row.
//   - connectors/<kind>: a Warehouse, as connectors/postgres is one, made of the parts that all
//     kinds share: warehouse_call.go (how many calls, how long), warehouse_answer.go (rows up to
//     the limits, the proposed description) and warehouse_fault.go (errors for people). Addresses and encryption
//     are decided by internal/egress (Guard.Dial, MayBePlain), also for a second connection
//     that cancels a query. Queries only read, and the engine enforces it; the SQL of a model
//     is never trusted to. Rows, bytes, cells, columns and time are limited by Caps and this
//     package's limits.
//   - internal/sqltext: its quotes and comments, if they are not those of the standard.
//   - analyst/provider/builtin/dialect.go: the translation of the planner's statements. This is
//     the largest part; a test fails until translated knows the dialect.
//   - cmd/parley/connect.go: the wiring.
//   - tests as those of connectors/postgres and internal/integration/warehouse_test.go, against
//     a real server; scripts/doctor fetches it and a package such as internal/redistest starts
//     it. The attacks G05 to G13 of docs/test-numbers.md apply.
//   - docs/operating.md ("Remote databases"), docs/dependencies.md, and the label in
//     web/src/lib/connector-type.ts.
package connectors
