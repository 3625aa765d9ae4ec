package openai_test

import (
	"net/http"
	"testing"

	"parley.dev/parley/analyst"
	"parley.dev/parley/analyst/provider/openai"
	"parley.dev/parley/analyst/provider/providertest"
)

func TestProvider_Vendors(t *testing.T) {
	t.Parallel()
	providertest.Vendors(t, func(baseURL string, client *http.Client) analyst.Provider {
		return openai.New(openai.Config{BaseURL: baseURL, APIKey: "key", Model: "small", Client: client})
	})
}
