package auth_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api/auth"
)

// This checks A10 below the HTTP server, which would refuse such a token because of the
// size of the headers: the verifier does not split such a token, so the number of
// allocations does not grow with its length.
//
//nolint:paralleltest // allocations are counted for the whole process
func TestVerifier_A10(t *testing.T) {
	v := auth.NewVerifier(auth.Config{Issuer: "https://id.test", Audiences: []string{"parley"}})
	for what, token := range map[string]string{
		"1 MB of dots": strings.Repeat(".", 1<<20), "1 MB between two dots": "a." + strings.Repeat("b", 1<<20) + ".c",
		"half a million parts": strings.Repeat("a.", 1<<19),
	} {
		allocations := testing.AllocsPerRun(100, func() {
			if _, err := v.Verify(t.Context(), token); err == nil {
				t.Error("the token was accepted")
			}
		})
		require.Less(t, allocations, 20.0, what)
	}
}

// BenchmarkVerifier_A10 measures the cost of such a token: neither time nor memory should
// depend on its length.
func BenchmarkVerifier_A10(b *testing.B) {
	v := auth.NewVerifier(auth.Config{Issuer: "https://id.test", Audiences: []string{"parley"}})
	for _, size := range []int{16 << 10, 1 << 20, 16 << 20} {
		token := strings.Repeat(".", size)
		b.Run(strconv.Itoa(size>>10)+"kB", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := v.Verify(b.Context(), token); err == nil {
					b.Fatal("the token was accepted")
				}
			}
		})
	}
}
