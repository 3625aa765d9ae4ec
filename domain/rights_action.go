package domain

// Action is something that is done with a thing of one noun. Its text names the right
// in the published description (x-right).
type Action string

// The actions on conversations. To use one is all that changes it for the caller
// alone: to mark it, to archive it for oneself, to copy it.
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
	// AttachDataSource makes a data source that belongs to the conversation.
	AttachDataSource Action = "conversation.attach"
)

// The actions on what is in conversations.
const (
	SeeMessage       Action = "message.see"
	GiveFeedback     Action = "message.feedback"
	SeeDisplayObject Action = "object.see"
	SeeFeedback      Action = "feedback.see"
	CommentFeedback  Action = "feedback.comment"
)

// The actions on blueprints and their steps. To use one is to start, to copy or to mark it.
const (
	MakeBlueprint    Action = "blueprint.make"
	SeeBlueprint     Action = "blueprint.see"
	UseBlueprint     Action = "blueprint.use"
	ChangeBlueprint  Action = "blueprint.change"
	ShareBlueprint   Action = "blueprint.share"
	ArchiveBlueprint Action = "blueprint.archive"
	DeleteBlueprint  Action = "blueprint.delete"
	MakeStep         Action = "step.make"
	SeeStep          Action = "step.see"
	ChangeStep       Action = "step.change"
)

// The actions on data sources and their tables. To use one is to ask, to download or
// to mark it.
const (
	MakeDataSource    Action = "datasource.make"
	PublishDataSource Action = "datasource.publish"
	// ConnectDataSource has the server sign in to a database elsewhere, which is to give
	// it secrets.
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

// The actions on an organisation and on what is one's own in it.
const (
	// BeMember is all that everybody may who is signed in: to read lists, words and
	// reports, of which they get what they may see, and to do what is for themselves.
	BeMember       Action = "organization.member"
	FollowStream   Action = "stream.follow"
	MakeCredential Action = "secret.make"
	// ListCredentials gives the names of one's own.
	ListCredentials Action = "secret.list"
	SeeCredential   Action = "secret.see"
)
