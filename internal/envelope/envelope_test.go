package envelope_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/internal/envelope"
)

func ring(t *testing.T, keys ...byte) *envelope.Ring {
	t.Helper()
	var all [][]byte
	for _, k := range keys {
		all = append(all, bytes.Repeat([]byte{k}, envelope.KeyLength))
	}
	r, err := envelope.NewRing(all...)
	require.NoError(t, err)
	return r
}

func TestRing_Seal(t *testing.T) {
	t.Parallel()
	const secret, place = "-----BEGIN PRIVATE KEY----- canary-7f3a", "1/credential/a"
	r := ring(t, 1)
	s, err := r.Seal(place, []byte(secret))
	require.NoError(t, err)

	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		got, err := r.Open(place, s)
		require.NoError(t, err)
		require.Equal(t, secret, string(got))
	})
	t.Run("NothingIsVisible", func(t *testing.T) {
		t.Parallel()
		for _, stored := range [][]byte{s.Body, s.WrappedKey, []byte(s.KeyID)} {
			require.NotContains(t, string(stored), "canary")
			require.NotContains(t, string(stored), string(bytes.Repeat([]byte{1}, 8)))
		}
		require.NotContains(t, fmt.Sprintf("%v %+v %#v %s", r, r, r, r), "\x01\x01")
		again, err := r.Seal(place, []byte(secret))
		require.NoError(t, err)
		require.NotEqual(t, s.Body, again.Body)
		require.NotEqual(t, s.WrappedKey, again.WrappedKey)
	})
	t.Run("ErrDamagedElsewhereG16", func(t *testing.T) {
		t.Parallel()
		for _, other := range []string{"2/credential/a", "1/credential/b", ""} {
			_, err := r.Open(other, s)
			require.ErrorIs(t, err, envelope.ErrDamaged)
		}
	})
	t.Run("ErrDamagedBytes", func(t *testing.T) {
		t.Parallel()
		for i := range s.Body {
			bad := s
			bad.Body = slices.Clone(s.Body)
			bad.Body[i] ^= 1
			_, err := r.Open(place, bad)
			require.ErrorIs(t, err, envelope.ErrDamaged)
		}
		for _, bad := range []envelope.Sealed{
			{KeyID: s.KeyID, WrappedKey: s.Body, Body: s.WrappedKey}, {KeyID: s.KeyID, WrappedKey: s.WrappedKey}, {KeyID: s.KeyID, Body: s.Body},
		} {
			_, err := r.Open(place, bad)
			require.ErrorIs(t, err, envelope.ErrDamaged)
		}
	})
	t.Run("ErrNoKeyG15", func(t *testing.T) {
		t.Parallel()
		_, err := ring(t, 2).Open(place, s)
		require.ErrorIs(t, err, envelope.ErrNoKey)
		require.ErrorContains(t, err, s.KeyID)
		forged := s
		forged.KeyID = ring(t, 2).Current()
		_, err = ring(t, 2).Open(place, forged)
		require.ErrorIs(t, err, envelope.ErrDamaged)
	})
	t.Run("RotationG15", func(t *testing.T) {
		t.Parallel()
		both := ring(t, 2, 1)
		got, err := both.Open(place, s)
		require.NoError(t, err)
		require.Equal(t, secret, string(got))
		moved, err := both.Rewrap(place, s)
		require.NoError(t, err)
		require.Equal(t, both.Current(), moved.KeyID)
		require.Equal(t, s.Body, moved.Body)
		got, err = ring(t, 2).Open(place, moved)
		require.NoError(t, err, "the old key is not needed any more")
		require.Equal(t, secret, string(got))
		same, err := both.Rewrap(place, moved)
		require.NoError(t, err)
		require.Equal(t, moved, same)
		_, err = ring(t, 2).Rewrap(place, s)
		require.ErrorIs(t, err, envelope.ErrNoKey)
	})
}

func TestRing_Mark(t *testing.T) {
	t.Parallel()
	require.Equal(t, ring(t, 1).Mark([]byte("a")), ring(t, 1, 2).Mark([]byte("a")))
	require.NotEqual(t, ring(t, 1).Mark([]byte("a")), ring(t, 2).Mark([]byte("a")))
	require.NotEqual(t, ring(t, 1).Mark([]byte("a")), ring(t, 1).Mark([]byte("b")))
}

func TestParse(t *testing.T) {
	t.Parallel()
	one, two := envelope.Generate(), envelope.Generate()
	require.NotEqual(t, one, two)
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		r, err := envelope.Parse(" " + one + " ,\n" + two)
		require.NoError(t, err)
		first, err := envelope.Parse(one)
		require.NoError(t, err)
		require.Equal(t, first.Current(), r.Current())
		raw, err := base64.StdEncoding.DecodeString(one)
		require.NoError(t, err)
		inURLs, err := envelope.Parse(base64.RawURLEncoding.EncodeToString(raw))
		require.NoError(t, err)
		require.Equal(t, first.Current(), inURLs.Current())
	})
	for name, text := range map[string]string{
		"ErrEmpty": "", "ErrShort": "c2hvcnQ=", "ErrNotBase64": "swordfish swordfish", "ErrTwice": one + "," + one, "ErrTrailingComma": one + ",",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := envelope.Parse(text)
			require.Error(t, err)
			require.NotContains(t, err.Error(), "swordfish")
			require.NotContains(t, err.Error(), one)
		})
	}
}

func TestFile(t *testing.T) {
	t.Parallel()
	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(t.TempDir(), "secret.key")
		// Several programs that start at the same time use one key.
		ids := make([]string, 8)
		var all sync.WaitGroup
		for i := range ids {
			all.Go(func() {
				if r, err := envelope.File(path); err == nil {
					ids[i] = r.Current()
				}
			})
		}
		all.Wait()
		require.NotEmpty(t, ids[0])
		require.Equal(t, slices.Repeat(ids[:1], len(ids)), ids)
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
		left, err := os.ReadDir(filepath.Dir(path))
		require.NoError(t, err)
		require.Len(t, left, 1)
	})
	t.Run("SeveralKeys", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(t.TempDir(), "secret.key")
		one, two := envelope.Generate(), envelope.Generate()
		require.NoError(t, os.WriteFile(path, []byte(one+"\n"+two+"\n"), 0o600))
		r, err := envelope.File(path)
		require.NoError(t, err)
		old, err := envelope.Parse(two)
		require.NoError(t, err)
		require.True(t, r.Has(old.Current()))
		require.NotEqual(t, old.Current(), r.Current())
	})
	t.Run("ErrReadableByOthers", func(t *testing.T) {
		t.Parallel()
		path := filepath.Join(t.TempDir(), "secret.key")
		require.NoError(t, os.WriteFile(path, []byte(envelope.Generate()), 0o644))
		_, err := envelope.File(path)
		require.ErrorContains(t, err, "chmod 600")
	})
	t.Run("ErrLink", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "real"), []byte(envelope.Generate()), 0o600))
		require.NoError(t, os.Symlink("real", filepath.Join(dir, "secret.key")))
		_, err := envelope.File(filepath.Join(dir, "secret.key"))
		require.Error(t, err)
	})
	t.Run("ErrFolder", func(t *testing.T) {
		t.Parallel()
		_, err := envelope.File(filepath.Join(t.TempDir(), "none", strings.Repeat("x", 3)))
		require.Error(t, err)
	})
}
