package persistence_test

import (
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"parley.dev/parley/domain"
	"parley.dev/parley/persistence/persistencetest"
)

// G4: a repeated creation, from any node, creates nothing.
func TestStore_Idempotency(t *testing.T) {
	t.Parallel()
	s, url := openURL(t)
	ctx := t.Context()
	anna := persistencetest.Caller(t, s, persistencetest.Anna)
	key := domain.IdempotencyKey{Key: "k1", Body: [32]byte{1}}

	t.Run("ManyAtOnceMakeOne", func(t *testing.T) {
		second := persistencetest.OpenURL(t, url)
		var (
			mu   sync.Mutex
			ids  = make(map[uuid.UUID]bool)
			wait sync.WaitGroup
		)
		for i := range 30 {
			wait.Go(func() {
				store := s
				if i%2 == 0 {
					store = second
				}
				c, err := store.Conversations.CreateConversation(ctx, anna, domain.NewConversation{Name: "Once", Key: key})
				if assertNoError(t, err) {
					mu.Lock()
					ids[c.ID] = true
					mu.Unlock()
				}
			})
		}
		wait.Wait()
		require.Len(t, ids, 1)
		list, err := s.Conversations.Conversations(ctx, anna, domain.ConversationFilter{})
		require.NoError(t, err)
		require.Equal(t, 1, list.Count)
		events, _, err := s.Sessions.UserEvents(ctx, anna.UserID, 0, 100)
		require.NoError(t, err)
		require.Len(t, events, 1)
	})
	t.Run("ErrInvalidOtherBody", func(t *testing.T) {
		_, err := s.Conversations.CreateConversation(ctx, anna,
			domain.NewConversation{Name: "Other", Key: domain.IdempotencyKey{Key: "k1", Body: [32]byte{2}}})
		requireCode(t, domain.CodeInvalid, err)
		_, err = createSource(t, s, anna, domain.NewDataSource{Name: "n", Description: "d", Type: domain.DataSourceCSV, Key: key})
		requireCode(t, domain.CodeInvalid, err)
	})
	t.Run("KeyOfAnotherPerson", func(t *testing.T) {
		_, err := s.Conversations.CreateConversation(ctx, persistencetest.Caller(t, s, persistencetest.Ben),
			domain.NewConversation{Name: "Bens", Key: domain.IdempotencyKey{Key: "k1"}})
		require.NoError(t, err)
	})
	t.Run("FailedOneLeavesTheKeyFree", func(t *testing.T) {
		key := domain.IdempotencyKey{Key: "k2"}
		_, err := s.Conversations.CreateConversation(ctx, anna, domain.NewConversation{DataSources: []int64{1 << 40}, Key: key})
		requireCode(t, domain.CodeInvalid, err)
		_, err = s.Conversations.CreateConversation(ctx, anna, domain.NewConversation{Key: key})
		require.NoError(t, err)
	})
	t.Run("AnswersWhenWhatItNeededIsGone", func(t *testing.T) {
		s := openTasks(t)
		key := func(name string) domain.IdempotencyKey { return domain.IdempotencyKey{Key: name, Body: [32]byte{1}} }
		talk, err := s.StartBlueprint(ctx, s.ben, s.blueprint.ID, domain.BlueprintStart{})
		require.NoError(t, err)
		creations := map[string]func(domain.IdempotencyKey) (any, error){
			"task": func(key domain.IdempotencyKey) (any, error) {
				in := s.input()
				in.Key = key
				made, err := s.store.Tasks.CreateTask(ctx, s.ben, in)
				if err != nil {
					return nil, err
				}
				return made.ID, nil
			},
			"copy": func(key domain.IdempotencyKey) (any, error) {
				made, err := s.CopyBlueprint(ctx, s.ben, s.blueprint.ID, "Copy", key)
				if err != nil {
					return nil, err
				}
				return made.ID, nil
			},
			"start": func(key domain.IdempotencyKey) (any, error) {
				return s.StartBlueprint(ctx, s.ben, s.blueprint.ID, domain.BlueprintStart{Key: key})
			},
			"from": func(key domain.IdempotencyKey) (any, error) {
				made, err := s.BlueprintFromConversation(ctx, s.ben, talk.Conversation, domain.BlueprintDraft{Key: key})
				if err != nil {
					return nil, err
				}
				return made.ID, nil
			},
		}
		first := map[string]any{}
		for name, create := range creations {
			made, err := create(key(name))
			require.NoError(t, err, name)
			first[name] = made
		}
		require.NoError(t, s.DeleteBlueprint(ctx, s.ben, s.blueprint.ID))
		s.exec(t, "UPDATE conversation SET deleted_at = clock_timestamp() WHERE id = $1", talk.Conversation)
		for name, create := range creations {
			again, err := create(key(name))
			require.NoError(t, err, name)
			require.Equal(t, first[name], again, name)
			_, err = create(domain.IdempotencyKey{Key: name, Body: [32]byte{2}})
			requireCode(t, domain.CodeInvalid, err)
			_, err = create(key(name + " new"))
			require.Error(t, err, "it creates nothing new")
		}
	})
	t.Run("ADayLaterItIsNew", func(t *testing.T) {
		first, err := s.Conversations.CreateConversation(ctx, anna, domain.NewConversation{Name: "Once", Key: key})
		require.NoError(t, err)
		_, err = persistencetest.Connect(t, url, "parley_engine").Exec(ctx, "UPDATE idempotency SET created_at = created_at - "+
			"interval '24 hours'")
		require.NoError(t, err)
		next, err := s.Conversations.CreateConversation(ctx, anna,
			domain.NewConversation{Name: "Twice", Key: domain.IdempotencyKey{Key: "k1", Body: [32]byte{9}}})
		require.NoError(t, err)
		require.NotEqual(t, first.ID, next.ID)
	})
}

func TestStore_CreateConversation(t *testing.T) {
	t.Parallel()
	s := persistencetest.Open(t)
	ctx := t.Context()
	anna := persistencetest.Caller(t, s, persistencetest.Anna)
	var told []domain.UserEvent
	s.AnnounceTo(func(events []domain.UserEvent) { told = append(told, events...) })

	t.Run("OK", func(t *testing.T) {
		sources, err := s.DataSources.DataSources(ctx, anna, domain.DataSourceFilter{})
		require.NoError(t, err)
		id := sources.Results[0].ID
		c, err := s.Conversations.CreateConversation(ctx, anna, domain.NewConversation{
			Name:        "A name of more than thirty characters",
			DataSources: []int64{id, id},
		})
		require.NoError(t, err)
		require.Equal(t, "A name of more than thirty", c.Name)
		require.Equal(t, []int64{id}, c.DataSources)
		require.Equal(t, domain.PermissionOwner, c.Permission)
		require.Equal(t, int64(1), c.Head)
		require.Equal(t, "Anna Acme", c.Owner.FullName)
		require.Equal(t, uuid.Version(7), c.ID.Version())
		require.Len(t, told, 1)
		require.Equal(t, domain.EventConversationCreated, told[0].Type)
		events, err := s.ConversationStore.Events(ctx, c.ID, 0, 10)
		require.NoError(t, err)
		require.JSONEq(t, string(told[0].Data), string(events[0].Data))
	})
	t.Run("BlankIsTheDefault", func(t *testing.T) {
		c, err := s.Conversations.CreateConversation(ctx, anna, domain.NewConversation{Name: " \t"})
		require.NoError(t, err)
		require.Equal(t, domain.DefaultConversationName, c.Name)
	})
	t.Run("ErrInvalid", func(t *testing.T) {
		foreign, err := createSource(t, s, persistencetest.Caller(t, s, persistencetest.Ben), domain.NewDataSource{
			Name: "n", Description: "d",
			Type: domain.DataSourceCSV,
		})
		require.NoError(t, err)
		for _, n := range []domain.NewConversation{
			{Name: "a\x00b"},
			{Name: "\xff"},
			{DataSources: []int64{foreign.ID}},
			{DataSources: []int64{-1}},
		} {
			_, err := s.Conversations.CreateConversation(ctx, anna, n)
			requireCode(t, domain.CodeInvalid, err)
		}
	})
}
