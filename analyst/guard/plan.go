package guard

// The engine's plan in its serialized form. Only the fields that the walk reads are decoded. A worker that has read files of
// untrusted origin writes the JSON, so nothing in it is trusted: every index is checked where it is used.

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// maxNodes is the maximum number of operators of a plan. A common table expression is walked once for each use.
const maxNodes = 2000

// possibleMax is the maximum number of columns of a remote table of which pairs are taken for possible keys.
const possibleMax = 24

type planDocument struct {
	Error bool    `json:"error"`
	Plans []*node `json:"plans"`
}

// node is one operator.
type node struct {
	Type     string  `json:"type"`
	Children []*node `json:"children"`

	// of scans
	Names      []string      `json:"names"`
	Name       string        `json:"name"`
	Function   *scanFunction `json:"function_data"`   //nolint:tagliatelle // the engine's own name
	Indexes    []columnIndex `json:"column_indexes"`  //nolint:tagliatelle // the engine's own name
	Projected  []int         `json:"projection_ids"`  //nolint:tagliatelle // the engine's own name
	Lateral    []int         `json:"projected_input"` //nolint:tagliatelle // the engine's own name
	ChunkTypes []typeID      `json:"chunk_types"`     //nolint:tagliatelle // the engine's own name

	// Expressions is a list of expressions; for a VALUES list it is a list of such lists.
	Expressions json.RawMessage `json:"expressions"`
	Groups      []*expr         `json:"groups"`
	Sets        [][]int         `json:"grouping_sets"`      //nolint:tagliatelle // the engine's own name
	Grouping    [][]int         `json:"grouping_functions"` //nolint:tagliatelle // the engine's own name
	Projections []int           `json:"projections"`
	Projection  []int           `json:"projection_map"` //nolint:tagliatelle // the engine's own name
	Orders      []order         `json:"orders"`

	// of joins
	JoinType     string      `json:"join_type"`            //nolint:tagliatelle // the engine's own name
	LeftColumns  []int       `json:"left_projection_map"`  //nolint:tagliatelle // the engine's own name
	RightColumns []int       `json:"right_projection_map"` //nolint:tagliatelle // the engine's own name
	Conditions   []condition `json:"conditions"`
	// Eliminated are the outer values that a correlated subquery uses.
	Eliminated []*expr `json:"duplicate_eliminated_columns"` //nolint:tagliatelle // the engine's own name
	Condition  *expr   `json:"condition"`
	Predicate  *expr   `json:"predicate"`

	// of DISTINCT, LIMIT and common table expressions
	DistinctType string     `json:"distinct_type"`    //nolint:tagliatelle // the engine's own name
	Targets      []*expr    `json:"distinct_targets"` //nolint:tagliatelle // the engine's own name
	Limit        *limitRows `json:"limit_val"`        //nolint:tagliatelle // the engine's own name
	TableIndex   int        `json:"table_index"`      //nolint:tagliatelle // the engine's own name
	CTEIndex     int        `json:"cte_index"`        //nolint:tagliatelle // the engine's own name
	ColumnCount  int        `json:"column_count"`     //nolint:tagliatelle // the engine's own name
	CTEName      string     `json:"ctename"`
}

type scanFunction struct {
	Catalog string `json:"catalog"`
	Schema  string `json:"schema"`
	Table   string `json:"table"`
}

type columnIndex struct {
	// Index is the index of a column in Names, or one of the engine's special numbers above them, such as rowNumber.
	Index uint64 `json:"index"`
}

// rowNumber is the index of the row number. A scan that needs no column reads only this one.
const rowNumber = math.MaxUint64

type typeID struct {
	ID   string    `json:"id"`
	Info *typeInfo `json:"type_info"` //nolint:tagliatelle // the engine's own name
}

// typeInfo is the precision of a decimal type.
type typeInfo struct {
	Width int `json:"width"`
	Scale int `json:"scale"`
}

type condition struct {
	Left       *expr  `json:"left"`
	Right      *expr  `json:"right"`
	Comparison string `json:"comparison"`
}

type limitRows struct {
	Type     string `json:"type"`
	Constant int64  `json:"constant_integer"` //nolint:tagliatelle // the engine's own name
}

// expr is one expression.
type expr struct {
	Class    string       `json:"expression_class"` //nolint:tagliatelle // the engine's own name
	Type     string       `json:"type"`
	Returns  typeID       `json:"return_type"` //nolint:tagliatelle // the engine's own name
	Index    int          `json:"index"`
	Name     string       `json:"name"`
	Children []*expr      `json:"children"`
	Child    *expr        `json:"child"`
	Left     *expr        `json:"left"`
	Right    *expr        `json:"right"`
	Value    *value       `json:"value"`
	Cases    []caseBranch `json:"case_checks"` //nolint:tagliatelle // the engine's own name
	Else     *expr        `json:"else_expr"`   //nolint:tagliatelle // the engine's own name
	Input    *expr        `json:"input"`
	TryCast  bool         `json:"try_cast"`    //nolint:tagliatelle // the engine's own name
	Operator bool         `json:"is_operator"` //nolint:tagliatelle // the engine's own name
	Lower    *expr        `json:"lower"`
	Upper    *expr        `json:"upper"`

	// of aggregates and windows
	Kind       string  `json:"aggregate_type"` //nolint:tagliatelle // the engine's own name
	Filter     *expr   `json:"filter"`
	Filters    *expr   `json:"filters"`
	Partitions []*expr `json:"partitions"`
	Orders     []order `json:"orders"`
	Distinct   bool    `json:"distinct"`
	// Sorted is the ORDER BY inside an aggregate.
	Sorted json.RawMessage `json:"order_bys"` //nolint:tagliatelle // the engine's own name
}

type caseBranch struct {
	When *expr `json:"when_expr"` //nolint:tagliatelle // the engine's own name
	Then *expr `json:"then_expr"` //nolint:tagliatelle // the engine's own name
}

type order struct {
	Expression *expr `json:"expression"`
}

type value struct {
	Type  typeID          `json:"type"`
	Null  bool            `json:"is_null"` //nolint:tagliatelle // the engine's own name
	Value json.RawMessage `json:"value"`
}

// errPlan: the plan has a form that this package does not support.
var errPlan = errors.New("the plan has another form")

// decode reads a plan.
func decode(plan []byte) (*node, error) {
	var d planDocument
	if err := json.Unmarshal(plan, &d); err != nil {
		return nil, fmt.Errorf("read a plan: %w", err)
	}
	if d.Error || len(d.Plans) != 1 || d.Plans[0] == nil {
		return nil, errPlan
	}
	return d.Plans[0], nil
}

// list returns the expressions of an operator; nil if their form is not supported.
func (n *node) list() []*expr {
	var out []*expr
	if len(n.Expressions) == 0 || json.Unmarshal(n.Expressions, &out) != nil {
		return nil
	}
	for _, e := range out {
		if e == nil {
			return nil
		}
	}
	return out
}

// rows returns the rows of a VALUES list.
func (n *node) rows() [][]*expr {
	var out [][]*expr
	if json.Unmarshal(n.Expressions, &out) != nil {
		return nil
	}
	return out
}

// parts returns the direct operands of an expression.
func (e *expr) parts() []*expr {
	out := make([]*expr, 0, len(e.Children)+4)
	add := func(list ...*expr) {
		for _, p := range list {
			if p != nil {
				out = append(out, p)
			}
		}
	}
	add(e.Children...)
	add(e.Child, e.Left, e.Right, e.Input, e.Lower, e.Upper, e.Else)
	for _, c := range e.Cases {
		add(c.When, c.Then)
	}
	return out
}
