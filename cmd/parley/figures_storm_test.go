package main

// The figure of a storm: a node of three is killed, and the clients of its sockets come back at the other
// two, through the balancer of deploy/haproxy.

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/cmd/parley/loadtest"
	"parley.dev/parley/internal/processtest"
)

const (
	// socketsEach is how many sockets go through one balancer: each takes two of its open files, of which a
	// process often may have 20,000.
	socketsEach = 5000
	// rampEach is how many sockets are opened in a second before the storm.
	rampEach = 150
)

// TestFigures_Storm opens PARLEY_TEST_STORM sockets, each of another person who follows a conversation, kills
// one of three nodes, and prints when those that were lost with it were back with all that they follow
// (make chaos/figures). Each of them must then hear of an event in its conversation once.
//
//nolint:paralleltest // its times are those of a machine that does nothing else
func TestFigures_Storm(t *testing.T) {
	sockets := setting(t, "PARLEY_TEST_STORM", 0)
	if sockets == 0 {
		t.Skip("make chaos/figures measures")
	}
	program := processtest.HAProxy(t)
	b := newBedOf(t, bedding{direct: true, env: []string{
		"PARLEY_SCRIPTED_PEOPLE=" + strconv.Itoa(sockets), "PARLEY_SOCKETS_PER_ADDRESS=1000000", "PARLEY_TRUSTED_PROXIES=127.0.0.1",
	}})
	var urls []string
	for range (sockets + socketsEach - 1) / socketsEach {
		urls = append(urls, b.balancer(t, program))
	}
	began, victim := time.Now(), b.members[len(b.members)-1]
	report, err := loadtest.Storm(t.Context(), loadtest.Config{
		URLs: urls, Tokens: b.bearers(t, sockets), Agent: loadAnalyst, Sockets: sockets, AtOnce: 256,
		Ramp: time.Duration(sockets) * time.Second / rampEach, Duration: 2 * time.Second,
		Progress: func(format string, a ...any) {
			t.Logf("%4.0f s: "+format, append([]any{time.Since(began).Seconds()}, a...)...)
		},
		Lose: func(ctx context.Context) error {
			before := len(victim.ends())
			victim.keepAway(true)
			return errors.Join(victim.signal(syscall.SIGKILL), expectEnd(ctx, victim, before, killed))
		},
	})
	victim.keepAway(false)
	require.NoError(t, err)
	var table bytes.Buffer
	require.NoError(t, report.WriteTable(&table))
	t.Logf("\n%s", &table)
	back := &report.Resumes
	t.Logf("storm    all    : %d sockets, %d lost with one node of three, all back after %.2f s, p50 %4.0f ms, p99 %4.0f ms",
		report.Clients, report.Lost, back.Seconds, back.Time.P50, back.Time.P99)
	require.Zero(t, report.Errors, "%s", report.Samples)
	require.NotZero(t, report.Lost)
	require.Equal(t, report.Lost, back.N)
}

// balancer starts HAProxy in front of the nodes, and returns its URL. It ends with the test.
func (b *bed) balancer(t *testing.T, program string) string {
	t.Helper()
	address := processtest.FreeAddress(t)
	config := filepath.Join("..", "..", "deploy", "haproxy", "haproxy.cfg")
	cmd := exec.Command(program, "-db", "-n", strconv.Itoa(socketsEach+500), "-f", config)
	cmd.Env = append(os.Environ(), "PARLEY_BALANCER="+address, "PARLEY_BALANCER_PAGE="+processtest.FreeAddress(t))
	for i, m := range b.members {
		_, health, err := net.SplitHostPort(m.server.operator)
		require.NoError(t, err)
		node := "PARLEY_NODE" + strconv.Itoa(i+1)
		cmd.Env = append(cmd.Env, node+"="+strings.TrimPrefix(m.url, "http://"), node+"_HEALTH="+health)
	}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // nobody uses it any more
		_ = cmd.Wait()
		if t.Failed() {
			lines := bytes.Split(said.Bytes(), []byte("\n"))
			t.Logf("%s", bytes.Join(lines[max(0, len(lines)-20):], []byte("\n")))
		}
	})
	base := "http://" + address
	require.True(t, waitUntil(t.Context(), func() bool { return answersOK(t.Context(), base+"/config.json") }), "the balancer does not serve")
	return base
}

// bearers returns a bearer for each of the first people of the load tester. To sign them all in by password would
// take minutes, so one of them signs in, and the bearers of the others are made from that one's with the key of
// the embedded issuer.
func (b *bed) bearers(t *testing.T, n int) []string {
	t.Helper()
	first, err := bearerOf(t.Context(), b.members[0].url, loadPerson(0).email, demoPassword)
	require.NoError(t, err)
	payload, err := base64.RawURLEncoding.DecodeString(strings.Split(first, ".")[1])
	require.NoError(t, err)
	claims := map[string]any{}
	numbers := json.NewDecoder(bytes.NewReader(payload))
	numbers.UseNumber()
	require.NoError(t, numbers.Decode(&claims))
	var stored []byte
	require.NoError(t, b.db.QueryRow(t.Context(), "SELECT body FROM secret WHERE name = $1", secretKeys).Scan(&stored))
	var keys struct{ SigningKey *jose.JSONWebKey }
	require.NoError(t, json.Unmarshal(stored, &keys))
	require.NotNil(t, keys.SigningKey)
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.SignatureAlgorithm(keys.SigningKey.Algorithm), Key: keys.SigningKey},
		(&jose.SignerOptions{}).WithType("at+jwt"))
	require.NoError(t, err)
	all := make([]string, n)
	for i := range all {
		p := loadPerson(i)
		claims["sub"], claims["email"], claims["name"], claims["sid"] = p.uuid.String(), p.email, p.name, rand.Text()
		text, err := json.Marshal(claims)
		require.NoError(t, err)
		signed, err := signer.Sign(text)
		require.NoError(t, err)
		all[i], err = signed.CompactSerialize()
		require.NoError(t, err)
	}
	return all
}
