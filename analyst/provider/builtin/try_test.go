package builtin

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	"parley.dev/parley/analyst/provider/builtin/corpus"
)

func TestTry(t *testing.T) {
	f, err := os.Open("/tmp/qs.txt")
	if err != nil {
		t.Skip()
	}
	s := bufio.NewScanner(f)
	var sc corpus.Schema
	var asked []string
	for s.Scan() {
		l := strings.TrimSpace(s.Text())
		switch {
		case strings.HasPrefix(l, "# "):
			sc, _ = corpus.SchemaOf(l[2:])
			continue
		case strings.HasPrefix(l, "? "):
			asked = []string{l[2:]}
		case strings.HasPrefix(l, "> "):
			asked = append(asked, l[2:])
		default:
			continue
		}
		r := Read(sc.Tables, corpus.Now(), asked...)
		fmt.Printf("%s\n   %v %s\n   = %s\n", l, r.Understood, strings.TrimPrefix(r.Plan, "I read this as: "), strings.Join(strings.Fields(r.SQL), " "))
		if !r.Understood {
			fmt.Println("   ignored", r.Ignored)
		}
	}
}
