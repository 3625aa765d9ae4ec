package mailbox

import "github.com/asynkron/protoactor-go/actor"

// Door is a shortcut to one actor of this node that receives many messages. A PID looks its
// actor up for each message, over three pointers; with thousands of actors their targets are
// not in the processor's cache. A message that is sent after the actor has stopped is lost,
// even if another actor has the same name now.
type Door struct {
	pid     *actor.PID
	process actor.Process
}

// DoorTo looks the actor up. If there is no such actor, all messages become dead letters.
func DoorTo(system *actor.ActorSystem, pid *actor.PID) Door {
	process, _ := system.ProcessRegistry.Get(pid) // the process for dead letters, if there is no such actor
	return Door{pid: pid, process: process}
}

// Send posts a message without a sender. A message that is sent repeatedly should be an
// *actor.MessageEnvelope, so that converting it to an interface allocates only once.
func (d Door) Send(message any) { d.process.SendUserMessage(d.pid, message) }
