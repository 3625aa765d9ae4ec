package protocol_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"parley.dev/parley/actors/protocol"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

func TestAnnotationData_Assumptions(t *testing.T) {
	t.Parallel()
	out, err := json.Marshal(protocol.AnnotationData(&domain.Annotation{Assumptions: []domain.Assumption{
		{
			Source: 7, Table: "accounts", Column: "mrr", Step: meaning.Month,
			Taken:  domain.Statement{Field: meaning.FieldDefault, Value: "last"},
			Others: []domain.Statement{{Field: meaning.FieldAdds, Value: "amount"}},
		},
		{
			Source: 7, Table: "staff", Taken: domain.Statement{Field: meaning.FieldTime, Value: "hired"},
			Others: []domain.Statement{{Field: meaning.FieldTime, Value: "left"}},
		},
	}}))
	require.NoError(t, err)
	require.JSONEq(t, `{"assumptions":[
		{"source":7,"table":"accounts","column":"mrr","step":"month","taken":{"field":"default","value":"last"},
			"others":[{"field":"adds","value":"amount"}]},
		{"source":7,"table":"staff","taken":{"field":"time","value":"hired"},"others":[{"field":"time","value":"left"}]}]}`, string(out))
	out, err = json.Marshal(protocol.AnnotationData(&domain.Annotation{Part: domain.PartAnswer}))
	require.NoError(t, err)
	require.JSONEq(t, `{"part":"answer"}`, string(out))
}
