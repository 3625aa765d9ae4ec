package main

import (
	"bytes"
	"net"
	"net/netip"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func env(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}

func TestLoadConfig(t *testing.T) {
	t.Parallel()

	t.Run("OKWithNothingSet", func(t *testing.T) {
		t.Parallel()
		c, err := loadConfig(env(nil))
		require.NoError(t, err)
		require.Equal(t, "http://localhost:8080", c.publicURL)
		require.True(t, c.embeddedIssuer())
		require.Equal(t, "parley-api", c.audience())
		require.Equal(t, []string{"http://127.0.0.1:8080"}, c.origins())
		require.True(t, filepath.IsAbs(c.dataDir))
	})

	t.Run("OKWithAConfiguredProvider", func(t *testing.T) {
		t.Parallel()
		c, err := loadConfig(env(map[string]string{
			"OIDC_ISSUER": "https://id.example/", "OIDC_CLIENT_ID": "web",
			"PARLEY_URL": "https://parley.example/",
		}))
		require.NoError(t, err)
		require.False(t, c.embeddedIssuer())
		require.Equal(t, "web", c.audience())
		require.Equal(t, "https://parley.example", c.publicURL)
		require.Empty(t, c.origins())
	})

	t.Run("ReportsAllErrorsTogether", func(t *testing.T) {
		t.Parallel()
		_, err := loadConfig(env(map[string]string{
			"PARLEY_ADDR": "8080", "DATABASE_URL": "mysql://x", "PARLEY_LOG": "loud", "PARLEY_SENDS_PER_MINUTE": "many",
			"PARLEY_CREDITS_INPUT": "-1", "PARLEY_SCRIPTED": "perhaps", "PARLEY_TRUSTED_PROXIES": "10.0.0.0/8,proxy",
			"PARLEY_PROXY_HEADER": "X-Real-Ip",
		}))
		for _, name := range []string{
			"PARLEY_ADDR", "DATABASE_URL", "PARLEY_LOG", "PARLEY_SENDS_PER_MINUTE", "PARLEY_CREDITS_INPUT",
			"PARLEY_SCRIPTED", "PARLEY_TRUSTED_PROXIES", "PARLEY_PROXY_HEADER",
		} {
			require.ErrorContains(t, err, name)
		}
	})

	t.Run("ErrWithoutThePassword", func(t *testing.T) {
		t.Parallel()
		for _, name := range []string{"DATABASE_URL", "REDIS_URL", "OPENAI_BASE_URL"} {
			for _, url := range []string{"mysql://u:hunter2@db/x", "postgres://u:hunter2@db:port/x%zz", "hunter2"} {
				_, err := loadConfig(env(map[string]string{name: url}))
				require.ErrorContains(t, err, name)
				require.NotContains(t, err.Error(), "hunter2")
			}
		}
	})

	t.Run("OKCollectorOfTheWeb", func(t *testing.T) {
		t.Parallel()
		c, err := loadConfig(env(nil))
		require.NoError(t, err)
		require.Empty(t, c.webCollector)
		require.Empty(t, (&node{c: c}).browser().Collector)
		require.Empty(t, (&node{c: c}).browser().Version)
		for _, dsn := range []string{"https://a1b2@collector.example/1", "http://a1b2@localhost:9000/path/42", "https://a1b2@[::1]:9000/1"} {
			c, err := loadConfig(env(map[string]string{"PARLEY_WEB_COLLECTOR": dsn}))
			require.NoError(t, err)
			require.Equal(t, dsn, (&node{c: c}).browser().Collector)
			require.Equal(t, version, (&node{c: c}).browser().Version)
		}
	})

	t.Run("ErrBadCollector", func(t *testing.T) {
		t.Parallel()
		for _, dsn := range []string{
			"hunter2", "https://collector.example/1", "https://hunter2@collector.example", "https://hunter2@collector.example/project",
			"ftp://hunter2@collector.example/1", "https://hunter2@collector.example/1?x=y", "https://hunter2@a;script-src *.example/1",
		} {
			_, err := loadConfig(env(map[string]string{"PARLEY_WEB_COLLECTOR": dsn}))
			require.ErrorContains(t, err, "PARLEY_WEB_COLLECTOR must be a DSN", dsn)
			require.NotContains(t, err.Error(), "hunter2")
		}
		_, err := loadConfig(env(map[string]string{"PARLEY_WEB_COLLECTOR": "https://a1b2:hunter2@collector.example/1"}))
		require.ErrorContains(t, err, "must be without its secret")
		require.NotContains(t, err.Error(), "hunter2")
		_, err = loadConfig(env(map[string]string{
			"PARLEY_WEB_COLLECTOR": "http://a1b2@collector.example/1", "PARLEY_URL": "https://parley.example", "OIDC_ISSUER": "https://id.example",
		}))
		require.ErrorContains(t, err, "PARLEY_WEB_COLLECTOR must begin with https")
	})

	t.Run("OKBehindAProxy", func(t *testing.T) {
		t.Parallel()
		c, err := loadConfig(env(map[string]string{
			"PARLEY_HOSTS": "inside.example, 10.0.0.7", "PARLEY_TRUSTED_PROXIES": "10.1.2.3/8, 2001:db8::1,::ffff:192.0.2.1",
			"PARLEY_PROXY_HEADER": "forwarded",
		}))
		require.NoError(t, err)
		require.Equal(t, []string{"inside.example", "10.0.0.7"}, c.hosts)
		require.Equal(t, []netip.Prefix{
			netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8::1/128"), netip.MustParsePrefix("192.0.2.1/32"),
		}, c.proxies)
		require.Equal(t, "Forwarded", c.proxyHeader)
	})

	t.Run("ErrEmbeddedSignInForOthers", func(t *testing.T) {
		t.Parallel()
		for _, vars := range []map[string]string{
			{"PARLEY_ADDR": ":8080"},
			{"PARLEY_ADDR": "10.0.0.1:8080"},
			{"PARLEY_URL": "https://parley.example"},
		} {
			_, err := loadConfig(env(vars))
			require.ErrorContains(t, err, "OIDC_ISSUER", vars)
		}
		_, err := loadConfig(env(map[string]string{"PARLEY_ADDR": ":8080", "PARLEY_URL": "http://localhost:8080"}))
		require.NoError(t, err)
	})

	t.Run("ErrModelWithoutAddress", func(t *testing.T) {
		t.Parallel()
		_, err := loadConfig(env(map[string]string{"OPENAI_MODEL": "m"}))
		require.ErrorContains(t, err, "go together")
	})
}

func TestProgram_main(t *testing.T) {
	t.Parallel()
	try := func(getenv func(string) string, args ...string) (code int, stderr string) {
		var out, errs bytes.Buffer
		p := &program{stdout: &out, stderr: &errs, getenv: getenv}
		code = p.exit(p.main(t.Context(), args))
		return code, errs.String()
	}

	t.Run("ErrUnknownCommand", func(t *testing.T) {
		t.Parallel()
		code, text := try(env(nil), "dance")
		require.Equal(t, exitUsage, code)
		require.Contains(t, text, `unknown command "dance"`)
	})

	t.Run("ErrTakenPort", func(t *testing.T) {
		t.Parallel()
		var lc net.ListenConfig
		l, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, l.Close()) })
		for _, name := range []string{"PARLEY_ADDR", "PARLEY_OPERATOR_ADDR", "PARLEY_CLUSTER_ADDR"} {
			set := map[string]string{"PARLEY_ADDR": "127.0.0.1:0", "PARLEY_OPERATOR_ADDR": "127.0.0.1:0", "PARLEY_DATA": t.TempDir()}
			set[name] = l.Addr().String()
			code, text := try(env(set), "serve")
			require.Equal(t, exitFailed, code)
			require.Contains(t, text, l.Addr().String()+" is not free: stop what uses it, or set "+name+" to")
			require.NotContains(t, text, "panic")
		}
	})

	t.Run("ErrUnwritableDataFolder", func(t *testing.T) {
		t.Parallel()
		// No user can create a folder there, not even root.
		code, text := try(env(map[string]string{
			"PARLEY_ADDR": "127.0.0.1:0", "PARLEY_OPERATOR_ADDR": "127.0.0.1:0",
			"PARLEY_DATA": "/proc/parley",
		}), "serve")
		require.Equal(t, exitFailed, code)
		require.Contains(t, text, "set PARLEY_DATA")
	})

	t.Run("ErrTokenWithoutServer", func(t *testing.T) {
		t.Parallel()
		code, text := try(env(nil), "token", "--user", "mara@meridian.example", "--url", "http://127.0.0.1:1")
		require.Equal(t, exitFailed, code)
		require.Contains(t, text, "no server answers at http://127.0.0.1:1")
	})

	t.Run("ErrTokenWithoutUser", func(t *testing.T) {
		t.Parallel()
		code, _ := try(env(nil), "token")
		require.Equal(t, exitUsage, code)
	})

	t.Run("ErrLoadTestWithNothingToDo", func(t *testing.T) {
		t.Parallel()
		code, text := try(env(nil), "loadtest", "--token", "x")
		require.Equal(t, exitUsage, code)
		require.Contains(t, text, "nothing to do")
	})

	t.Run("PrintsTheVariables", func(t *testing.T) {
		t.Parallel()
		var out bytes.Buffer
		require.NoError(t, printVariables(&out))
		for _, v := range variables() {
			require.Contains(t, out.String(), v.name)
		}
	})
}
