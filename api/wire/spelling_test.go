package wire_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

func TestCamel(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"page_size": "pageSize", "pageSize": "pageSize", "ice_breaker_id": "iceBreakerId", "_private": "_private", "trailing_": "trailing_",
		"a__b": "a_b", "": "", "_": "_", "x_1": "x1", "dataSources": "dataSources", "ünder_score": "ünderScore", "a_ü": "aü",
	} {
		require.Equal(t, want, wire.Camel(given), given)
	}
}

func TestNormaliseJSON(t *testing.T) {
	t.Parallel()

	t.Run("OK", func(t *testing.T) {
		t.Parallel()
		for given, want := range map[string]string{
			`{"page_size":1,"a":[{"b_c":null}],"d":"x_y"}`: `{"pageSize":1,"a":[{"bC":null}],"d":"x_y"}`,
			` [ 1 , 2.50 , true , "\u00e4" ] `:             `[1,2.50,true,"ä"]`,
			`["\ud83d\ude00","\ufffd","\\ud800\ufffd","\"\\\"\ufffd"]`: `["😀","` + "\uFFFD" + `","\\ud800` + "\uFFFD" + `","\"\\\"` + "\uFFFD" +
				`"]`,
			`12345678901234567890`:      `12345678901234567890`,
			`{}`:                        `{}`,
			`{"a":{"b":1},"c":{"b":1}}`: `{"a":{"b":1},"c":{"b":1}}`,
		} {
			got, err := wire.NormaliseJSON([]byte(given))
			require.NoError(t, err)
			require.Equal(t, want, string(got))
		}
	})

	t.Run("ErrInvalid", func(t *testing.T) {
		t.Parallel()
		for given, field := range map[string]string{
			`{"a":1,"a":2}`: "a", `{"m":{"a_b":1,"aB":2}}`: "m.aB", `{"a":["\u0000"]}`: "a[0]",
			`{"a":[{"b":1},{"b":["x","\u0000"]}]}`: "a[1].b[1]", `{"a":1e400}`: "a",
			`{"a":"x\ud800"}`: "a", `{"a":"\udc00x"}`: "a", `{"a":"\ud800\ud800"}`: "a", `{"a":["\"\ud83dx\\"]}`: "a[0]",
			`{"a":"\ufffd\ud83d\u0041"}`:                      "a",
			strings.Repeat("[", 40) + strings.Repeat("]", 40): "",
		} {
			_, err := wire.NormaliseJSON([]byte(given))
			var d *domain.Error
			require.ErrorAs(t, err, &d, given)
			require.Equal(t, domain.CodeInvalid, d.Code)
			require.Equal(t, field, d.Fields[0].Field)
		}
	})

	t.Run("ErrMalformed", func(t *testing.T) {
		t.Parallel()
		for _, given := range []string{
			"", " ", "{", `{"a"}`, `{"a":}`, "[1,]", "{}{}", "nul", "\xff", `"` + "\xff" + `"`, `{a:1}`, `{1:1}`,
			"]", `{"a":1]`,
		} {
			_, err := wire.NormaliseJSON([]byte(given))
			require.Equal(t, domain.CodeBadRequest, domain.CodeOf(err), given)
		}
	})
}

// The standard library can read the result, and it has the same content.
func FuzzNormaliseJSON(f *testing.F) {
	for _, seed := range []string{`{"a_b":[1,{"c":null}]}`, `"x"`, `[[[]]]`, `{"a":1,"a":2}`, `{"\u0000":1}`, `1e5`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, given []byte) {
		clean, err := wire.NormaliseJSON(given)
		if err != nil {
			require.Contains(t, []domain.Code{domain.CodeInvalid, domain.CodeBadRequest}, domain.CodeOf(err))
			return
		}
		var before, after any
		require.NoError(t, json.Unmarshal(given, &before))
		require.NoError(t, json.Unmarshal(clean, &after))
		again, err := wire.NormaliseJSON(clean)
		require.NoError(t, err)
		require.Equal(t, string(clean), string(again))
	})
}

func TestNormaliseJSON_Case(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`{"name":1,"NAME":2}`, `{"steps":[{"code":1,"Code":2}]}`, `{"data_sources":1,"dataSOURCES":2}`,
		`{"steps":1,"ſteps":2}`, `{"key":1,"\u212aey":2}`,
	} {
		_, err := wire.NormaliseJSON([]byte(body))
		require.Equal(t, domain.CodeInvalid, domain.CodeOf(err), body)
		require.ErrorContains(t, err, "given twice", body)
	}
	clean, err := wire.NormaliseJSON([]byte(`{"inputs":{"Region":1,"region":2}}`))
	require.NoError(t, err, "the inputs of a blueprint keep the names that its author has chosen")
	require.JSONEq(t, `{"inputs":{"Region":1,"region":2}}`, string(clean))
}

func TestNormaliseQuery(t *testing.T) {
	t.Parallel()
	got, err := wire.NormaliseQuery("page_size=1&pageSize=2&dataSources[]=3&data_sources[]=4&x=")
	require.NoError(t, err)
	require.Equal(t, "2", got.Get("pageSize"))
	require.Equal(t, []string{"3", "4"}, got["dataSources"])
	for range 20 { // the order of a map would be different sometimes
		got, err = wire.NormaliseQuery("&project_label=1,2&project_label[]=3&%70roject_label%5B%5D=4&project_label=5&&")
		require.NoError(t, err)
		require.Equal(t, url.Values{"projectLabel": {"1,2", "5", "3", "4"}}, got)
	}
	_, err = wire.NormaliseQuery("%zz")
	require.Equal(t, domain.CodeBadRequest, domain.CodeOf(err))
	_, err = wire.NormaliseQuery("a=%00")
	require.Equal(t, domain.CodeInvalid, domain.CodeOf(err))
}
