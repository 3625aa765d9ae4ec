package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// No connector may reach the services that the node itself uses, on the port that they really have.
func TestNode_Endpoints(t *testing.T) {
	t.Parallel()
	n := &node{c: &config{
		addr: ":8080", operatorAddr: ":8081", clusterAddr: ":8082",
		databaseURL: "postgres://db.example/parley", redisURL: "redis://cache.example:6380",
		openAIURL: "http://model.example/v1", oidcIssuer: "https://sign-in.example/realm",
	}}
	require.Equal(t, []string{
		":8080", ":8081", ":8082", "db.example:5432", "cache.example:6380", "model.example:80", "sign-in.example:443",
	}, n.endpoints())
}
