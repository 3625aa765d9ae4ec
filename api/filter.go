package api

import (
	"strings"

	"parley.dev/parley/api/wire"
	"parley.dev/parley/domain"
)

// Filtered are the filters of a list. It is exported because huma reads only exported
// embedded structs.
type Filtered struct {
	Filter []string `query:"filter,explode" doc:"A filter as field:operation:value, such as name:contains:sales. The parameter can be repeated; an entry must match all filters. Operations: eq, neq, contains, gt, lt, and in (values separated by commas)."`
}

// filters parses the conditions for a list that has these fields. For an unknown operation it
// returns CodeInvalid with the specification's text.
func (f Filtered) filters(fields domain.FilterFields) (domain.Filters, error) {
	given := make([]string, len(f.Filter))
	for i, text := range f.Filter {
		// A field has two spellings here as everywhere.
		field, rest, found := strings.Cut(text, ":")
		given[i] = wire.Camel(field)
		if found {
			given[i] += ":" + rest
		}
	}
	return domain.ParseFilters(given, fields)
}

// Scoped narrows a list by the relation of its entries to the caller; all given scopes must
// hold. It is exported for the same reason as Filtered.
type Scoped struct {
	Scope         string `query:"scope" enum:"all,favorite,only_favorites,organization,conversation,owned,shared,recent" default:"all" doc:"Narrows the list. conversation: connectors of a conversation; not valid (422) for agents. Entries must also match the parameters below."`
	RetrieveType  string `query:"retrieveType" enum:"all,favorite,only_favorites,organization,conversation,owned,shared,recent" default:"all" doc:"Narrows the list in the same way as scope. Entries must match both."`
	FavoriteScope string `query:"favoriteScope" enum:"all,favorite,only_favorites,true,false" default:"all" doc:"favorite, only_favorites and true are the same as scope=favorite."`
	Favorite      bool   `query:"favorite" doc:"The same as scope=favorite."`
	OnlyFavorites bool   `query:"onlyFavorites" doc:"The same as scope=favorite."`
	Recent        bool   `query:"recent" doc:"The same as scope=recent: what the caller's latest conversations used, newest first."`
}

// scopes returns the scopes that must all hold.
func (in Scoped) scopes() []string {
	var all []string
	if in.Favorite || in.OnlyFavorites || onlyFavorites(in.FavoriteScope) {
		all = append(all, "favorite")
	}
	if in.Recent {
		all = append(all, "recent")
	}
	for _, scope := range []string{in.Scope, in.RetrieveType} {
		switch {
		case onlyFavorites(scope):
			all = append(all, "favorite")
		case scope != "all":
			all = append(all, scope)
		}
	}
	return all
}

// Labelled narrows a list to projects. It is exported for the same reason as Filtered.
type Labelled struct {
	ProjectLabel  []string `query:"projectLabel,explode" doc:"Only entries in at least one of these projects. Ids, as project_label=1, project_label=1,2 or project_label[]=1."`
	ProjectLabels []string `query:"projectLabels,explode" doc:"The same as projectLabel."`
}

// labels reads the ids.
func (l Labelled) labels() ([]int64, error) {
	raw := make([]string, 0, len(l.ProjectLabel)+len(l.ProjectLabels))
	return domain.ParseIDs("projectLabel", append(append(raw, l.ProjectLabel...), l.ProjectLabels...))
}
