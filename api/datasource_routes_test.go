package api_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"parley.dev/parley/api/internal/fakes"
	"parley.dev/parley/domain"
	"parley.dev/parley/domain/meaning"
)

const (
	allSources = v1 + "/memory/datasources"
	oneSource  = allSources + "/100" // fakes.SourceID
	oneTable   = v1 + "/memory/dataresources/1000"
)

// TestRoutes_DataSources contains the rows about data sources that the API answers by itself
// or with what people are shown.
func TestRoutes_DataSources(t *testing.T) {
	t.Parallel()
	const all, one, table = allSources, oneSource, oneTable
	runScenarios(t, []scenario{
		{"OK", "GET", all, "reader", "", 200, []string{
			`"id":100`, `"ownerId":1`, `"edit":false`, `"download":true`, `"favorite":true`, `"lastUsedAt":null`, `"version":1`, `"canSync":true`,
			`"projectLabels":[{"id":1,"name":"Launch","color":"Royal Blue"}]`,
		}, nil, ""},
		{"owner", "GET", all, "owner", "", 200, []string{
			`"edit":true`, `"delete":true`, `"manageAccess":true`, `"archive":true`,
			`"replaceFile":true`, `"sync":true`, `"isDeletable":true`,
		}, nil, ""},
		{"nothing", "GET", all, "foreigner", "", 200, []string{`"results":[]`, `"count":0`}, nil, "DataSources"},
		{"D02 unknown order", "GET", all + "?sort=size", "owner", "", 422, []string{`"field":"sort"`}, nil, ""},
		{
			"D07", "GET", all + "?filter=name:like:x", "owner", "", 422,
			[]string{`{"field":"filter","message":"Operation \"like\" currently not supported"}`},
			nil, "",
		},
		{
			"D07 second of two", "GET", all + "?filter=name:eq:x&filter=size:between:1", "owner", "", 422,
			[]string{`Operation \"between\" currently not supported`},
			nil, "",
		},
		{"D06 boolean", "GET", all + "?project_label[]=true", "owner", "", 422, []string{`"field":"projectLabel"`}, nil, ""},
		{
			"D06 commas", "GET", all + "?project_label=" + strings.Repeat("1,", 5000), "owner", "", 422,
			[]string{"There are too many values."},
			nil, "",
		},
		{
			"D06 many", "GET", all + "?" + strings.Repeat("project_label[]=1&", 500), "owner", "", 422,
			[]string{"There are too many values."},
			nil, "",
		},
		{"B16 unknown way to retrieve", "GET", all + "?retrieve_type=everything", "owner", "", 422, nil, nil, ""},
		{"questions of none", "GET", all + "/questions", "reader", "", 200, []string{`"results":[]`}, nil, "UserByIdentity"},
		{"questions D06", "GET", all + "/questions?data_sources=x", "owner", "", 422, []string{`"field":"dataSources"`}, nil, ""},
		{"types", "GET", all + "/type?page_size=1000", "owner", "", 200, []string{
			`"id":"athena","name":"Athena","isUploadable":false`, `"id":"csv","name":"CSV","isUploadable":true`, `"maxSize":209715200`,
			fmt.Sprintf(`"count":%d`, len(domain.DataSourceTypes())),
		}, nil, ""},

		{"OK", "GET", one, "reader", "", 200, []string{
			`"details":"words"`, `"preview":"stored"`, `"permission":"read"`,
			`"permissions":[{"actor":{"id":1,"type":"user"`, `"permission":"owner"},{"actor":`,
		}, nil, "DataSourceGrants"},
		{"regenerated", "GET", one + "?regenerate_preview=true", "reader", "", 200, []string{`"name":"Sales"`}, nil, ""},
		{"G18 stranger", "GET", one + "?regenerate_preview=true", "stranger", "", 404, []string{`"code":"D404"`}, nil, "DataSource"},
		{"foreigner", "GET", one, "foreigner", "", 404, nil, nil, "DataSource"},
		{"facts", "GET", one + "/facts", "reader", "", 200, []string{
			`"status":"measured"`, `{"id":1000,"name":"sales","rows":2,"keys":[{"columns":["region"]}]`, `"by":["shop"],"columns":["city"]`,
			`"entity":["shop"],"period":"month","levels":["stock"]`, `"unmeasured":["distinct"]`, `"toTable":"regions"`, `"other":"Regions"`,
			`"kind":"key_lost"`, `"repeated":3`, `"text":"id no longer identifies each row of sales: 3 values are in several rows."`,
		}, nil, "DataSource"},
		{"facts stranger", "GET", one + "/facts", "stranger", "", 404, []string{`"code":"D404"`}, nil, "DataSource"},
		{"facts of another organisation", "GET", one + "/facts", "foreigner", "", 404, nil, nil, "DataSource"},
		{"meaning", "GET", one + "/meaning", "reader", "", 200, []string{
			`"measured":true`, `{"id":1000,"name":"sales","table":"sales","rows":2,"row":"sale"`, `"kind":"snapshot"`,
			`"rowReason":{"state":"measured","evidence":"region is unique in 2 of 2 rows"}`, `"keys":[{"columns":["region"]}],"isKeysKnown":true`,
			`"snapshot":{"entity":["shop"],"period":"month","step":"month"`, `"words":["turnover"]`, `"words":["pieces"],"verbs":["count"]`,
			`"number":{"adds":"level","default":"last","unit":{"kind":"money","symbol":"USD","column":""},"scale":1`,
			`"barriers":[{"column":"month","of":"months"}]`, `"reasons":[{"of":"adds","state":"said","evidence":"said by Olga"}]`,
			`"links":[{"fromSource":100,"fromTable":"sales","from":["region"],"toSource":7,"toTable":"regions","to":["name"],"other":"Regions"`,
			`"corrections":[{"id":5,"table":"sales","column":"count","field":"adds","value":"level","reason":"a stock","byId":1,"byName":"Olga"`,
			`"abilities":{"correct":false}`,
		}, []string{`"toTable":"b"`}, "Corrections"},
		{"meaning for the owner", "GET", one + "/meaning", "owner", "", 200, []string{`"abilities":{"correct":true}`}, nil, ""},
		{"meaning stranger", "GET", one + "/meaning", "stranger", "", 404, []string{`"code":"D404"`}, nil, "DataSource"},
		{
			"correction of nothing", "DELETE", one + "/corrections", "owner", "", 422, []string{`"field":"correction"`}, nil, "",
		},
		{"correction reader B05", "POST", one + "/corrections", "reader", `{}`, 403, nil, nil, "Relation connector"},
		{"correction stranger", "POST", one + "/corrections", "stranger", `{}`, 404, nil, nil, "Relation connector"},
		{
			"correction D01", "POST", one + "/corrections", "owner", `{"table":7,"field":"row","value":"x"}`, 422,
			[]string{`"field":"table"`},
			nil, "",
		},
		{"no number", "GET", all + "/abc", "owner", "", 404, nil, nil, ""},

		{"D01", "PUT", one, "owner", `{"name":7}`, 422, []string{`"field":"name"`}, nil, ""},
		{"D01 labels", "PUT", one, "owner", `{"projectLabels":["x"]}`, 422, []string{`"field":"projectLabels[0]"`}, nil, ""},
		{
			"D01 project without id", "PUT", one, "owner", `{"projectLabels":[{"name":"Launch"}]}`, 422,
			[]string{`"field":"projectLabels[0]"`},
			nil, "",
		},
		{"missing", "PUT", one + "/favorite", "reader", `{}`, 422, []string{`"field":"isFavorite"`}, nil, ""},
		{
			"B06 owner", "PUT", one + "/actors", "owner", `{"users":[{"id":3,"permission":"owner"}]}`, 422,
			[]string{`"field":"users[0].permission"`},
			nil, "",
		},
		{
			"B06 organization", "PUT", one + "/actors", "owner", `{"organizations":[{"id":1,"permission":"read"}]}`, 422,
			[]string{`"Sharing with an organization is not available"`},
			nil, "",
		},
		{"B06 twice", "PUT", one + "/actors", "owner", `{"users":[{"id":3},{"id":3}]}`, 422, []string{`"field":"users[1].id"`}, nil, ""},
		{
			"B06 many", "PUT", one + "/actors", "owner", `{"users":[` + strings.TrimSuffix(strings.Repeat(`{"id":3},`, 10_000), ",") + `]}`, 422,
			[]string{`"field":"users"`},
			nil, "",
		},

		// A call with a body is refused before the service is called, by the right of the
		// call.
		{"reader B05", "PUT", one, "reader", `{"name":"New"}`, 403, nil, nil, "Relation connector"},
		{"stranger", "PUT", one, "stranger", `{"name":"New"}`, 404, nil, nil, "Relation connector"},
		{"reader B05", "PATCH", table, "reader", `{"details":"x"}`, 403, nil, nil, "Relation table"},
		{"stranger B04", "PATCH", table, "stranger", `{"details":"x"}`, 404, nil, nil, "Relation table"},
		{"reader B05", "PUT", one + "/actors", "reader", `{"organizations":[{"id":1}]}`, 403, nil, nil, "Relation connector"},
		{"stranger", "PUT", one + "/actors", "stranger", `{"users":[{"id":3}]}`, 404, nil, nil, "Relation connector"},
		{"stranger", "PUT", one + "/favorite", "stranger", `{"isFavorite":true}`, 404, nil, nil, "Relation connector"},
		{"reader B05", "PUT", one + "/file", "reader", `{}`, 403, nil, nil, "Relation connector"},
		{"stranger", "PUT", one + "/file", "stranger", `{}`, 404, nil, nil, "Relation connector"},
		// A call without a body that reads a file is refused because of the right in the data
		// source that it reads first.
		{"reader B05", "POST", one + "/sync", "reader", "", 403, nil, nil, "DataSource"},
		{"stranger G18", "POST", one + "/sync", "stranger", "", 404, nil, nil, "DataSource"},
		{"not a form", "PUT", one + "/file", "owner", `{}`, 415, nil, nil, ""},

		{"OK", "GET", one + "/file", "reader", "", 200, []string{"region,count\nNorth,1\n"}, nil, "DataSource"},
		{"original", "GET", one + "/file?format=original", "reader", "", 200, []string{"region,count\nNorth,1\n"}, nil, ""},
		{
			"E12 exported in its own format", "GET", one + "/file?format=CSV", "reader", "", 200,
			[]string{"region,count\n'=North,1\nSouth,2.5\n"},
			nil, "",
		},
		{
			"a table of it", "GET", one + "/file?format=csv&resource=1000", "reader", "", 200,
			[]string{"region,count\n'=North,1\nSouth,2.5\n"},
			nil, "",
		},
		{"B04 table of another", "GET", one + "/file?format=csv&resource=7", "reader", "", 404, nil, nil, ""},
		{
			"unknown format", "GET", one + "/file?format=hyper", "reader", "", 422,
			[]string{`"field":"format"`, "currently not supported"},
			nil,
			"",
		},
		{"stranger", "GET", one + "/file", "stranger", "", 404, nil, nil, "DataSource"},
	})
}

// TestRoutes_DataSourcesArguments checks all arguments that the service gets from each call.
func TestRoutes_DataSourcesArguments(t *testing.T) {
	t.Parallel()
	const all, one, table = allSources, oneSource, oneTable
	list := func(change func(*domain.DataSourceFilter)) domain.DataSourceFilter {
		f := domain.DataSourceFilter{Conditions: domain.Filters{}, Labels: []int64{}, Page: domain.Page{Number: 1, Size: 600}}
		change(&f)
		return f
	}
	same := func(*domain.DataSourceFilter) {}
	change := func(u domain.DataSourceUpdate) fakes.SourceChange {
		return fakes.SourceChange{ID: fakes.SourceID, Update: u}
	}
	row := func(method, name, call, path, who, body string, status int, has string, asked any) serviceRow {
		return serviceRow{scenario{name, call, path, who, body, status, []string{has}, nil, ""}, method, nil, asked}
	}
	runServiceRows(t, []serviceRow{
		row("DataSources", "all", "GET", all+"?favorite_scope=all&retrieve_type=all", "owner", "", 200, `"count":1`, list(same)),
		row("DataSources", "filters", "GET", all+"?filter=name:contains:sal&filter=project_labels:in:1,2", "owner", "", 200, "",
			list(func(f *domain.DataSourceFilter) {
				f.Conditions = domain.Filters{
					{Field: "name", Op: "contains", Values: []any{"sal"}},
					{Field: "projectLabels", Op: "in", Values: []any{1.0, 2.0}},
				}
			})),
		row("DataSources", "scopes together", "GET", all+"?favorite_scope=true&retrieve_type=owned&scope=recent", "owner", "", 200, "",
			list(func(f *domain.DataSourceFilter) {
				f.Scopes = []string{"favorite", "recent", "owned"}
			})),
		row("DataSources", "favorite", "GET", all+"?favorite_scope=favorite", "owner", "", 200, "", list(func(f *domain.DataSourceFilter) {
			f.Scopes = []string{"favorite"}
		})),
		row("DataSources", "sorted", "GET", all+"?sort=-createdAt&recent=true", "owner", "", 200, "", list(func(f *domain.DataSourceFilter) {
			f.Scopes, f.Sort = []string{"recent"}, "-created_at"
		})),
		row("DataSources", "D06 number", "GET", all+"?project_labels[]=1e3&project_label=2,2", "owner", "", 200, "",
			list(func(f *domain.DataSourceFilter) {
				f.Labels = []int64{2, 1000}
			})),
		row("DataSources", "B16 all", "GET", all+"?retrieve_type=all&include_nested_objects=true", "foreigner", "", 200, "",
			list(func(f *domain.DataSourceFilter) {
				f.Nested = true
			})),
		row("DataSources", "archived ones", "GET", all+"?status=archived&search=x&page=2&page_size=7", "owner", "", 200, "",
			list(func(f *domain.DataSourceFilter) {
				f.Archived, f.Search, f.Page = true, "x", domain.Page{Number: 2, Size: 7}
			})),
		row("Readable", "questions", "GET", all+"/questions?data_sources[]=100&page_size=3", "owner", "", 200,
			`{"text":"What is in Sales?","dataSourceId":100}`, fakes.SourcesFor{Organisation: 1, User: 1, IDs: []int64{100}}),
		row("Readable", "questions of others' B11", "GET", all+"/questions?data_sources=100", "foreigner", "", 200, `"results":[]`,
			fakes.SourcesFor{Organisation: 2, User: 4, IDs: []int64{100}}),
		row("DataSource", "OK", "GET", one, "owner", "", 200, `"id":100`, int64(fakes.SourceID)),
		row("OfConversation", "OK", "GET", v1+"/discourse/conversations/{c}/data-sources", "reader", "", 200, `"results":[]`,
			func(c *domain.Conversation) any {
				return c.ID
			}),

		row("UpdateDataSource", "OK", "PUT", one, "owner", `{"name":" New ","description":"D","project_labels":[1],"scope":"user","version":1}`,
			200, `"permissions":[{"actor":{"id":1`, change(domain.DataSourceUpdate{
				Name: new("New"), Description: new("D"), ProjectLabels: &[]int64{1}, Scope: new(domain.ScopeUser), Version: 1,
			})),
		row("UpdateDataSource", "B07", "PUT", one, "owner", `{"owner":4,"ownerId":4,"orgId":2,"id":9,"createdAt":"1999-01-01",`+
			`"isFavorite":true,"type":"pptx","isDeletable":false}`, 200, `"id":100`, change(domain.DataSourceUpdate{})),
		row("UpdateDataSource", "scope B07", "PUT", one, "owner", `{"scope":"organization"}`, 200, "",
			change(domain.DataSourceUpdate{Scope: new(domain.ScopeOrganisation)})),
		row("UpdateDataSource", "as it was read", "PUT", one, "owner", `{"name":"New","projectLabels":[{"id":1,"name":"Launch",`+
			`"color":"Royal Blue"}]}`, 200, "", change(domain.DataSourceUpdate{
			Name: new("New"), ProjectLabels: &[]int64{1},
		})),
		row("UpdateDataSource", "blank", "PUT", one, "owner", `{"name":" ","description":""}`, 200, "",
			change(domain.DataSourceUpdate{Name: new(""), Description: new("")})),
		row("DeleteDataSource", "OK", "DELETE", one, "owner", "", 204, "", int64(fakes.SourceID)),
		row("SetDataSourceArchived", "OK", "POST", one+"/archive", "owner", "", 200, `"permissions":[`, fakes.Mark{ID: fakes.SourceID, On: true}),
		row("SetDataSourceArchived", "back", "POST", one+"/archive", "owner", `{"is_archived":false}`, 200, "", fakes.Mark{ID: fakes.SourceID}),
		row("SetDataSourceFavorite", "OK", "PUT", one+"/favorite", "reader", `{"favorite":true}`, 204, "",
			fakes.Mark{ID: fakes.SourceID, On: true}),
		row("SetDataSourceFavorite", "off", "PUT", one+"/favorite", "reader", `{"is_favorite":false}`, 204, "", fakes.Mark{ID: fakes.SourceID}),
		row("SetDictionary", "OK", "PATCH", table, "owner", `{"details":"region: where"}`, 200, `"id":100`,
			fakes.Dictionary{Table: fakes.TableID, Details: "region: where"}),
		row("SetDictionary", "by its data source", "PATCH", one+"/details", "owner", `{"id":1000,"text":""}`, 200, `"permissions":[`,
			fakes.Dictionary{Source: fakes.SourceID, Table: fakes.TableID}),
		row("Correct", "OK", "POST", one+"/corrections", "owner",
			`{"table":"sales","column":"count","field":"adds","value":"level","reason":"a stock","byId":9,"at":"1999-01-01"}`, 201,
			`"id":5,"table":"sales","column":"count","field":"adds","value":"level"`, fakes.Said{Source: fakes.SourceID, New: domain.NewCorrection{
				Table: "sales", Column: "count", Field: meaning.FieldAdds, Value: "level", Reason: "a stock",
			}}),
		row("WithdrawCorrection", "OK", "DELETE", one+"/corrections?correction=5", "owner", "", 204, "",
			fakes.Withdrawn{Source: fakes.SourceID, Correction: 5}),
		row("DataSourceGrants", "OK", "GET", one+"/actors", "reader", "", 200, `"count":2`, int64(fakes.SourceID)),
		row("SetDataSourceGrants", "OK", "PUT", one+"/actors", "owner", `{"users":[{"id":3,"permission":"write"},{"id":2,`+
			`"permission":"remove"}],"teams":[{"id":7}]}`, 200, `"count":2`, fakes.Grants{
			ID: fakes.SourceID, Grants: []domain.Grant{
				{Grantee: domain.Grantee{ID: 3, Type: domain.GranteeUser}, Permission: domain.PermissionWrite},
				{Grantee: domain.Grantee{ID: 2, Type: domain.GranteeUser}, Permission: domain.PermissionRemove},
				{Grantee: domain.Grantee{ID: 7, Type: domain.GranteeTeam}, Permission: domain.PermissionRead},
			},
		}),
	})
}

// TestRoutes_DataSourcesRefused checks how the API answers a refusal of the service. Which
// requests the service refuses is tested in domain and, with the whole product, in
// internal/integration.
func TestRoutes_DataSourcesRefused(t *testing.T) {
	t.Parallel()
	const all, one, table = allSources, oneSource, oneTable
	forbidden, missing, conflict := refusal(domain.CodeForbidden), refusal(domain.CodeNotFound), refusal(domain.CodeConflict)
	long := domain.ValidateDictionary(strings.Repeat("x", domain.DataDictionaryMax+1))
	fault := errors.New("a secret of the database")
	row := func(name, method string, refuse error, call, path, who, body string, status int, has string) serviceRow {
		return serviceRow{scenario{name, call, path, who, body, status, []string{has}, []string{"secret"}, ""}, method, refuse, nil}
	}
	runServiceRows(t, []serviceRow{
		row("fault", "DataSources", fault, "GET", all, "owner", "", 500, `"code":"I500"`),
		row("fault", "Readable", fault, "GET", all+"/questions?data_sources=100", "owner", "", 500, `"code":"I500"`),
		row("fault", "DataSourceGrants", fault, "GET", one, "owner", "", 500, `"code":"I500"`),
		row("field", "UpdateDataSource", domain.Invalid("scope", "The scope of a connector cannot be changed"), "PUT", one, "owner",
			`{"scope":"organization"}`, 422, `"field":"scope"`),
		row("D12", "UpdateDataSource", conflict, "PUT", one, "owner", `{"name":"New","version":7}`, 409, `"code":"conflict"`),
		row("reader B05", "DeleteDataSource", forbidden, "DELETE", one, "reader", "", 403, `"code":"forbidden"`),
		row("stranger", "DeleteDataSource", missing, "DELETE", one, "stranger", "", 404, `"code":"D404"`),
		row("reader B05", "SetDataSourceArchived", forbidden, "POST", one+"/archive", "reader", "", 403, `"code":"forbidden"`),
		row("kind", "SetDataSourceArchived", domain.Errorf(domain.CodeInvalid, "It cannot be archived"), "POST", one+"/archive", "owner",
			`{"is_archived":true}`, 422, "It cannot be archived"),
		row("gone", "SetDataSourceFavorite", missing, "PUT", one+"/favorite", "reader", `{"isFavorite":true}`, 404, `"code":"D404"`),
		row("B04", "SetDictionary", missing, "PATCH", one+"/details", "owner", `{"id":7,"text":"x"}`, 404, `"code":"D404"`),
		row("the text by its name here", "SetDictionary", long, "PATCH", table, "owner", `{"details":"x"}`, 422,
			`{"field":"details","message":"The data dictionary is too long."}`),
		row("the text by its name there", "SetDictionary", long, "PATCH", one+"/details", "owner", `{"id":1000,"text":"x"}`, 422,
			`{"field":"text","message":"The data dictionary is too long."}`),
		row("does not fit", "Correct", domain.Invalid("column", "This table has no column with this name."), "POST", one+"/corrections", "owner",
			`{"table":"sales","column":"x","field":"adds","value":"level"}`, 422,
			`{"field":"column","message":"This table has no column with this name."}`),
		row("fault", "Corrections", fault, "GET", one+"/meaning", "owner", "", 500, `"code":"I500"`),
		row("taken back already", "WithdrawCorrection", domain.NotFound("Correction"), "DELETE", one+"/corrections?correction=5", "owner", "",
			404, `"code":"D404"`),
		row("stranger", "DataSourceGrants", missing, "GET", one+"/actors", "stranger", "", 404, `"code":"D404"`),
		row("B06 removing the owner", "SetDataSourceGrants", domain.Invalid("users", "The owner's access cannot be changed"), "PUT",
			one+"/actors", "owner", `{"users":[{"id":1,"permission":"remove"}]}`, 422, `"field":"users"`),
		row("B04", "OfConversation", missing, "GET", v1+"/discourse/conversations/{c}/data-sources", "foreigner", "", 404, `"code":"D404"`),
		row("another file meanwhile", "ResyncDataSource", conflict, "POST", one+"/sync", "owner", "", 409, `"code":"conflict"`),
	})
}
