package mailbox

import "github.com/asynkron/protoactor-go/actor"

// Door is a shortcut to one actor of this node that gets many messages. A PID finds its
// actor again for each message, over three pointers; with thousands of actors none of
// what they point to is in the processor's cache. A message sent after the actor's end is
// lost, even if another actor has its name by then.
type Door struct {
	pid     *actor.PID
	process actor.Process
}

// DoorTo finds the actor. If it is not there, all that is sent becomes dead letters.
func DoorTo(system *actor.ActorSystem, pid *actor.PID) Door {
	process, _ := system.ProcessRegistry.Get(pid) // that of dead letters, where there is none
	return Door{pid: pid, process: process}
}

// Send posts a message without a sender. One that is used again and again is best an
// *actor.MessageEnvelope, so that it is boxed once.
func (d Door) Send(message any) { d.process.SendUserMessage(d.pid, message) }
