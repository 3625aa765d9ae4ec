package domain

// Action is something that is done with an object of one noun. Its text names the right in
// the published description (x-right).
type Action string

// The actions on conversations. Using a conversation means everything that changes it only
// for the caller: to mark it, to archive it for oneself, to copy it.
const (
	MakeConversation   Action = "conversation.make"
	SeeConversation    Action = "conversation.see"
	ReviewConversation Action = "conversation.review"
	UseConversation    Action = "conversation.use"
	SendPrompt         Action = "conversation.send"
	StopTurn           Action = "conversation.stop"
	RewindConversation Action = "conversation.rewind"
	ChangeConversation Action = "conversation.change"
	ShareConversation  Action = "conversation.share"
	DeleteConversation Action = "conversation.delete"
	// SeeCutMessages is for the messages that rewinds have removed.
	SeeCutMessages Action = "conversation.cut"
	// AttachDataSource makes a data source that belongs to the conversation.
	AttachDataSource Action = "conversation.attach"
)

// The actions on the parts of conversations.
const (
	SeeMessage Action = "message.see"
	// SeeInternalMessages is for the messages of RoleInternal, in addition to the right to the
	// conversation.
	SeeInternalMessages Action = "message.internal"
	GiveFeedback        Action = "message.feedback"
	SeeDisplayObject    Action = "object.see"
	SeeFeedback         Action = "feedback.see"
	CommentFeedback     Action = "feedback.comment"
)

// The actions on blueprints and their steps. Using a blueprint means to start, copy or mark
// it.
const (
	MakeBlueprint    Action = "blueprint.make"
	SeeBlueprint     Action = "blueprint.see"
	UseBlueprint     Action = "blueprint.use"
	ChangeBlueprint  Action = "blueprint.change"
	ShareBlueprint   Action = "blueprint.share"
	ArchiveBlueprint Action = "blueprint.archive"
	DeleteBlueprint  Action = "blueprint.delete"
	// AddQAInstructions means that the web offers a section of QA instructions in a step.
	AddQAInstructions Action = "blueprint.qa"
	MakeStep          Action = "step.make"
	SeeStep           Action = "step.see"
	ChangeStep        Action = "step.change"
)

// The actions on data sources and their tables. Using a data source means to query,
// download or mark it.
const (
	MakeDataSource    Action = "datasource.make"
	PublishDataSource Action = "datasource.publish"
	// ConnectDataSource makes the server sign in to a remote database, for which the caller
	// gives it a secret.
	ConnectDataSource Action = "datasource.connect"
	SeeDataSource     Action = "datasource.see"
	UseDataSource     Action = "datasource.use"
	ChangeDataSource  Action = "datasource.change"
	ReplaceFile       Action = "datasource.replace"
	ShareDataSource   Action = "datasource.share"
	ArchiveDataSource Action = "datasource.archive"
	DeleteDataSource  Action = "datasource.delete"
	SeeTable          Action = "table.see"
	ChangeTable       Action = "table.change"
)

// The actions on agents and memories.
const (
	MakeAnalyst   Action = "agent.make"
	SeeAnalyst    Action = "agent.see"
	UseAnalyst    Action = "agent.use"
	ChangeAnalyst Action = "agent.change"
	ShareAnalyst  Action = "agent.share"
	DeleteAnalyst Action = "agent.delete"
	MakeMemory    Action = "memory.make"
	SeeMemory     Action = "memory.see"
	ChangeMemory  Action = "memory.change"
	DeleteMemory  Action = "memory.delete"
)

// The actions on projects and scheduled work.
const (
	MakeProjectLabel   Action = "project.make"
	SeeProjectLabel    Action = "project.see"
	ChangeProjectLabel Action = "project.change"
	DeleteProjectLabel Action = "project.delete"
	PlanTasks          Action = "task.plan"
	MakeTask           Action = "task.make"
	SeeTask            Action = "task.see"
	ChangeTask         Action = "task.change"
	ArchiveTask        Action = "task.archive"
	DeleteTask         Action = "task.delete"
)

// The actions on an organisation and on the caller's own things in it.
const (
	// BeMember is everything that all signed-in people may do: read lists, words and
	// reports, filtered by what they may see, and change what concerns only themselves.
	BeMember Action = "organization.member"
	// SeeCluster is for the operators of the server.
	SeeCluster     Action = "organization.cluster"
	FollowStream   Action = "stream.follow"
	MakeCredential Action = "secret.make"
	// ListCredentials lists the names of the caller's own secrets.
	ListCredentials Action = "secret.list"
	SeeCredential   Action = "secret.see"
)
