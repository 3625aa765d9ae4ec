// Package connectors defines what a data source can do. Each kind has a package below it. A
// kind is read in one of two ways: a FileReader reads an uploaded file once, and its tables
// are queried in the workbench, a child process; a Warehouse is a remote database that is
// queried directly, in its own SQL.
//
// A new kind of remote database needs, in this order:
//
//   - domain: a row in datasource_kind.go, its parameters in datasource_param.go (serverParams has
//     those of every server), and its Dialect with a label and a hint for models. Rights, flags, the
//     API and the store know a kind by its row.
//   - connectors/<kind>: a Warehouse, as connectors/postgres is one: a Remote with sessions of the
//     kind. Queries only read, and the engine enforces it; the SQL of a model is never trusted to.
//     What all kinds share, as listed below, is not written again.
//   - Warehouse.Query says how names and texts are quoted in every statement. A database that does
//     not read them so is set so for its session; internal/sqltext reads statements by the same rule.
//   - analyst/query: a Dialect, as dialect_postgres.go is one, which querytest checks against an
//     oracle. What the database does not have it refuses, in words. The planner takes it in
//     analyst/provider/builtin/tree_model.go, and a test fails until it does; statement.go,
//     overview.go and cut.go have the few forms of the planner's own.
//   - cmd/parley/warehouses: the list of kinds. A test fails while a kind has parameters in domain
//     and is not in it.
//   - tests: warehousetest.Run, which has what every warehouse must obey; and what is special to the
//     kind, as in connectors/postgres and internal/integration/warehouse_test.go. A real server is
//     best: scripts/doctor fetches it, and a package such as internal/redistest starts it. Where it
//     cannot be fetched, a small fake server in the test that speaks the protocol is enough, and
//     docs/operating.md says that no real server has run the tests.
//   - docs/operating.md ("Remote databases"), docs/dependencies.md for a driver, and the label in
//     web/src/lib/connector-type.ts, which a test compares. docs/test-numbers.md has the attacks G05
//     to G13: a test of the kind that has the number of one in its name (`"G10 insert"`) adds the
//     package to the line of that number. warehousetest has no numbers and needs no line.
//
// All kinds share these parts of this package:
//
//	warehouse_remote.go    the calls: how many, how long, with which errors
//	warehouse_server.go    host, port, encryption and secret, and the connection itself, also a second
//	                       one that cancels a query; internal/egress decides what may be reached
//	warehouse_describe.go  the description, of what the kind reads from its catalogue
//	warehouse_answer.go    rows up to the limits of Caps and of this package
//	warehouse_value.go     cells of databases that send texts
//	warehouse_fault.go     errors for people
//
// Nothing else is needed. There is no migration, because the store keeps a kind by its name and the
// parameters as they are; no `make generate`, because the API lists kinds at run time; and no form in
// the web, which shows only the label of a kind: connections are made over the API (POST
// memory/datasources), and GET memory/datasources/type lists the parameters of each kind.
package connectors
