package cluster

import (
	"fmt"
	"testing"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/stretchr/testify/require"
)

func TestRemembered(t *testing.T) {
	t.Parallel()
	at := func(address, name string) *actor.PID { return actor.NewPID(address, name) }

	t.Run("Bounded", func(t *testing.T) { // G17
		t.Parallel()
		var r remembered
		r.set("used", at("a:1", "used"))
		for i := range 10 * rememberedMost {
			name := fmt.Sprint(i)
			r.set(name, at("a:1", name))
			require.NotNil(t, r.get("used"), "a used entry stays")
		}
		require.LessOrEqual(t, len(r.young)+len(r.old), 2*rememberedMost)
		require.Nil(t, r.get("0"))
		require.NotNil(t, r.get(fmt.Sprint(10*rememberedMost-1)))
	})

	t.Run("Forgets", func(t *testing.T) {
		t.Parallel()
		var r remembered
		r.set("one", at("a:1", "one"))
		r.set("two", at("a:1", "two"))
		r.set("three", at("b:1", "three"))
		r.forget("one")
		require.Nil(t, r.get("one"))
		require.NotNil(t, r.get("two"))
		r.forgetNode("a:1")
		require.Nil(t, r.get("two"))
		require.NotNil(t, r.get("three"))
	})
}
