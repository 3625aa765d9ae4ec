package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/connectors/workbench"
	"parley.dev/parley/domain"
)

// secret is a text that no query may ever show. It is in files that a query must not read.
const secret = "canary-7f3a9"

// outcome is the expected result of a statement in the table below.
type outcome int

const (
	refused  outcome = iota // CodeInvalid
	complete                // an answer that was not cut
	cut                     // an answer that says that it was cut
)

// TestSandbox_Statements tests section Q of the attacks by number: Q01 to Q39.
func TestSandbox_Statements(t *testing.T) {
	t.Parallel()
	b := setup(t, func(c *workbench.Config) {
		c.Workers, c.Queue, c.Wait, c.Deadline = 2, 1000, 10*time.Minute, 10*time.Second
	})
	source, _ := b.prepare(t, "t.csv", "a,b\n1,x\n2,y\n")
	other := filepath.Join(b.dir, "other.csv")
	require.NoError(t, os.WriteFile(other, []byte("a\n"+secret+"\n"), 0o644))
	deep := strings.Repeat("(", 30_000) + "1" + strings.Repeat(")", 30_000)

	rows := []struct {
		number string
		want   outcome
		sql    []string
	}{
		{"Q01", refused, []string{"SELECT * FROM read_csv('/etc/passwd')", "SELECT * FROM read_csv_auto('/etc/passwd')"}},
		{"Q02", refused, []string{"FROM '/etc/passwd'", "SELECT * FROM '" + other + "'", "FROM '0.duckdb'", `FROM "./0.duckdb"`}},
		{"Q03", refused, []string{"SELECT * FROM read_text('/proc/self/environ')", "SELECT content FROM read_text('" + other + "')"}},
		{"Q04", refused, []string{"SELECT * FROM read_blob('/etc/passwd')"}},
		{"Q05", refused, []string{"FROM sniff_csv('/etc/passwd')", "FROM sniff_csv('0.duckdb')"}},
		{"Q06", refused, []string{"FROM glob('/etc/*')", "FROM glob('*')"}},
		{"Q07", refused, []string{"FROM read_json_auto('/etc/passwd')", "FROM read_json('x')", "FROM read_ndjson_objects('x')"}},
		{"Q08", refused, []string{"FROM read_parquet('x')", "FROM parquet_scan('x')"}},
		{"Q09", refused, []string{"FROM parquet_metadata('x')", "FROM parquet_schema('x')", "FROM parquet_kv_metadata('x')"}},
		{"Q10", refused, []string{"FROM read_duckdb('0.duckdb')", "FROM read_duckdb('/etc/passwd', table_name := 't')"}},
		{"Q11", refused, []string{"FROM 'file:///etc/passwd'", "FROM read_text('file:///etc/passwd')"}},
		{"Q12", refused, []string{"FROM 'a/../secret.csv'", "FROM '../../etc/passwd'", `FROM '..\secret.csv'`}},
		{"Q13", refused, []string{"FROM '" + other + "'", "FROM read_csv('../other.csv')"}},
		{"Q14", refused, []string{"COPY (SELECT 1) TO 'out.csv'", "COPY t TO '" + b.dir + "/out.csv'"}},
		{"Q15", refused, []string{"COPY (SELECT 1) TO '/dev/stdout'"}},
		{"Q16", refused, []string{"COPY (SELECT -1000) TO '/proc/self/oom_score_adj'", "COPY t FROM '/etc/passwd'"}},
		{"Q17", refused, []string{"EXPORT DATABASE 'x'", "IMPORT DATABASE 'x'"}},
		{"Q18", refused, []string{"ATTACH '0.duckdb' AS again", "ATTACH '" + source.WorkKey + "' AS again"}},
		{"Q19", refused, []string{"ATTACH 'dbname=x' AS p (TYPE postgres)", "ATTACH 'x.db' (TYPE sqlite)"}},
		{"Q20", refused, []string{"ATTACH ':memory:' AS m", "DETACH s1"}},
		{"Q21", refused, []string{"INSTALL httpfs"}},
		{"Q22", refused, []string{"LOAD httpfs", "LOAD '/tmp/x.duckdb_extension'"}},
		{"Q23", refused, []string{"INSTALL x FROM community", "FORCE INSTALL x FROM 'http://x'", "UPDATE EXTENSIONS"}},
		{"Q24", refused, []string{"FROM read_csv('http://169.254.169.254/latest/meta-data')", "FROM 'http://169.254.169.254/x.csv'"}},
		{"Q25", refused, []string{"FROM 'https://example.com/x.parquet'", "FROM 's3://bucket/x.csv'", "FROM read_text('https://example.com')"}},
		{"Q26", refused, []string{
			"SET memory_limit='100GB'", "RESET memory_limit", "PRAGMA memory_limit='100GB'", "SET threads=64",
			"PRAGMA threads=64",
		}},
		{"Q27", refused, []string{"SET temp_directory='/tmp'", "SET allowed_directories=['/']", "RESET temp_directory"}},
		{"Q28", refused, []string{
			"SET lock_configuration=false", "SET enable_external_access=true", "SET profiling_output='/tmp/x'",
			"PRAGMA enable_profiling='json'", "PRAGMA profiling_output='/tmp/x'", "RESET lock_configuration",
			"SELECT set_config('threads','64',false)",
		}},
		{"Q29", refused, []string{
			"SELECT getenv('HOME')", "SELECT 'HOME'.getenv()", "SELECT * FROM t WHERE b = getenv('PATH')",
			"SELECT system.main.getenv('HOME')",
		}},
		{"Q30", refused, []string{"CREATE SECRET s (TYPE s3)", "FROM duckdb_secrets()", "FROM which_secret('s3://x','s3')"}},
		{"Q31", refused, []string{"SELECT 1; SELECT 2", "SELECT 1; DROP VIEW t", ";;", "", "   ", "-- nothing"}},
		{"Q32", refused, []string{
			"CREATE TABLE x (a int)", "CREATE TEMP TABLE x AS SELECT 1", "CREATE MACRO m() AS 1", "PREPARE p AS SELECT 1",
			"SET VARIABLE v = 1", "CALL enable_logging()", "USE s1", "CHECKPOINT", "VACUUM", "INSERT INTO t VALUES (3,'z')",
			"UPDATE t SET a = 1", "DELETE FROM t", "DROP VIEW t", "ALTER TABLE t ADD COLUMN c int", "EXECUTE p", "BEGIN",
			"EXPLAIN ANALYZE SELECT 1", "WITH d AS (DELETE FROM t RETURNING *) FROM d", "CREATE VIEW v AS SELECT 1",
			"FROM enable_logging()", "FROM checkpoint()", "SELECT write_log('x')", "SELECT nextval('s')",
		}},
		{"Q33", refused, []string{
			"FROM query('SELECT 1')", "FROM query('FROM ''/etc/passwd''')", "FROM query_table('t')",
			"WITH x AS (FROM read_text('/etc/passwd')) FROM x", "SELECT (SELECT content FROM read_text('/etc/passwd'))",
			"SELECT * FROM t JOIN LATERAL (FROM read_csv('/etc/passwd')) ON true",
			"SELECT list_transform([1], x -> getenv('HOME'))",
			"FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))",
			"SELECT * FROM t WHERE a IN (SELECT 1 FROM glob('*'))",
			"SELECT a FROM t ORDER BY (SELECT count(*) FROM glob('*'))",
			"SELECT a FROM t GROUP BY a HAVING count(*) > (SELECT count(*) FROM glob('*'))",
			"SELECT sum(a) OVER (ORDER BY (SELECT count(*) FROM glob('*'))) FROM t",
			"SELECT a FROM t LIMIT (SELECT count(*) FROM glob('*'))",
			"SELECT 1 UNION ALL SELECT 1 FROM read_text('x')", "VALUES ((SELECT 1 FROM glob('*')))",
			"PIVOT (FROM read_csv('/etc/passwd')) ON x IN (1) USING sum(y)",
			"FROM histogram('t', a)", "FROM histogram_values('0.duckdb', a)", "SELECT * FROM histogram('/etc/passwd', a)",
			"SELECT (SELECT count(*) FROM histogram(t, a))",
			"SUMMARIZE FROM read_csv('/etc/passwd')", "DESCRIBE FROM read_csv('/etc/passwd')",
		}},
		{"Q34", refused, []string{
			"PRAGMA database_list", "FROM duckdb_settings()", "FROM duckdb_databases()", "FROM duckdb_databases",
			"SELECT * FROM pragma_database_list", "FROM pg_catalog.pg_settings", "FROM sqlite_master", "SELECT current_setting('temp_directory')",
			"FROM histogram('duckdb_databases', path)", "FROM histogram_values('pragma_database_list', file)", "FROM system.main.duckdb_databases",
			"SELECT pg_sleep(1)",
			"FROM duckdb_extensions()", "FROM duckdb_temporary_files()", "FROM duckdb_memory()",
		}},
		{"Q35", refused, []string{
			"SELECT count(*) FROM range(1000000) a, range(1000000) b", "SELECT count(*) FROM range(100000000000000)",
			"WITH RECURSIVE r AS (SELECT 1 n UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r",
		}},
		{"Q36", refused, []string{
			"SELECT list(range) FROM range(2000000000)", "SELECT string_agg(repeat('x', 1000000), '') FROM range(100000)",
			"SELECT range(2000000000)", "SELECT array_agg(repeat('x', 1000000)) FROM range(100000)",
		}},
		{"Q37", refused, []string{
			"SELECT repeat('x', 4000000000)", "SELECT length(repeat(repeat('x', 100000000), 10))",
			"SELECT lpad('x', 2000000000, 'y')",
		}},
		{"Q38", refused, []string{"SELECT * FROM range(100000000) ORDER BY hash(range)", "SELECT DISTINCT hash(range) FROM range(100000000)"}},
		{"Q38", cut, []string{"SELECT * FROM range(100000000)", "SELECT repeat('x', 10000) FROM range(9000)", "SELECT repeat('x', 1000000)"}},
		{"Q39", complete, []string{"SELECT regexp_matches(repeat('a', 30000) || 'b', '^(a+)+$')"}},
		{"Q39", refused, []string{
			"SELECT " + deep, "SELECT '" + strings.Repeat("x", 10<<20) + "'", "SELECT 1 " + strings.Repeat("+ 1", 20_000),
			strings.Repeat("SELECT * FROM (", 3000),
		}},
	}
	for _, row := range rows {
		for i, sql := range row.sql {
			t.Run(fmt.Sprintf("%s/%d %.40s", row.number, i, sql), func(t *testing.T) {
				t.Parallel()
				result, err := b.bench.Query(t.Context(), []domain.DataSource{source}, sql)
				if row.want == refused {
					require.Error(t, err, "got %v", result)
					require.Equal(t, domain.CodeInvalid, domain.CodeOf(err), "%v", err)
					for _, leak := range []string{secret, "root:", b.dir, "/tmp/", "PATH=", "goroutine"} {
						if !strings.Contains(sql, leak) {
							require.NotContains(t, err.Error(), leak)
						}
					}
					return
				}
				require.NoError(t, err)
				require.Equal(t, row.want == cut, result.Truncated)
			})
		}
	}
}

// TestSandbox_Q34_Namesakes: if a connector has the name of a table of the engine, the name refers to the connector, and
// never to the table of the engine.
func TestSandbox_Q34_Namesakes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, name := range []string{"duckdb_databases", "pragma_database_list", "sqlite_master"} {
		one, _ := b.prepare(t, name+".csv", "a\n1\n")
		two, _ := b.prepare(t, name+".csv", "a\n2\n")
		for _, sql := range []string{
			"FROM " + name, "FROM main." + name, "FROM MEMORY.main." + strings.ToUpper(name),
			fmt.Sprintf("FROM s%d.%s", one.ID, name), fmt.Sprintf("FROM s%d.main.%s", one.ID, name),
		} {
			require.Equal(t, "[[1]]", fmt.Sprint(b.query(t, sql, one).Rows), sql)
		}
		for _, sql := range []string{
			"FROM system.main." + name, "FROM system." + name, `FROM "SYSTEM".MAIN.` + name, "FROM temp." + name,
			"FROM pg_catalog." + name,
		} {
			_, err := b.bench.Query(t.Context(), []domain.DataSource{one}, sql)
			require.Equal(t, domain.CodeInvalid, domain.CodeOf(err), "%s: %v", sql, err)
			require.Contains(t, err.Error(), "There is no table", sql)
		}
		// With two connectors of the same name, the short name refers to none of them or to one of them, and not to the engine.
		r, err := b.bench.Query(t.Context(), []domain.DataSource{one, two}, "FROM "+name)
		if err == nil {
			require.Len(t, r.Columns, 1)
			require.Equal(t, "a", r.Columns[0].Name)
		}
	}
}

func TestSandbox_Q40_ColumnNamesAreText(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := b.query(t, `SELECT 1 AS """><img>", 2 AS constructor, 3 AS "__proto__"`)
	require.Equal(t, `"><img>`, r.Columns[0].Name)
	require.Equal(t, "constructor", r.Columns[1].Name)
	require.Equal(t, "__proto__", r.Columns[2].Name)
}

// TestSandbox_Q42_Tenants runs queries of two tenants at the same time: one cannot see the data of the other.
func TestSandbox_Q42_Tenants(t *testing.T) {
	t.Parallel()
	b := setup(t)
	mine, _ := b.prepare(t, "mine.csv", "a\nmine\n")
	theirs, _ := b.prepare(t, "theirs.csv", "a\n"+secret+"\n")
	done := make(chan error, 1)
	go func() {
		for range 20 {
			_, err := b.bench.Query(context.Background(), []domain.DataSource{theirs}, "SELECT * FROM theirs")
			if err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	for range 5 {
		for _, sql := range []string{"FROM theirs", "FROM s2.theirs", "FROM '1.duckdb'", "FROM '../" + filepath.Base(theirs.WorkKey) + "'"} {
			_, err := b.bench.Query(t.Context(), []domain.DataSource{mine}, sql)
			require.Equal(t, domain.CodeInvalid, domain.CodeOf(err), "%s: %v", sql, err)
			require.NotContains(t, err.Error(), secret)
		}
		r := b.query(t, "SELECT table_name FROM information_schema.tables", mine)
		require.NotContains(t, fmt.Sprint(r.Rows), "theirs")
		require.Equal(t, [][]any{{"mine"}}, b.query(t, "FROM mine", mine).Rows)
	}
	require.NoError(t, <-done)
}
