package persistence

import "context"

// taskTurnsMost is how many tasks a node claims or fires at the same time: a quarter of the connections of a pool.
const taskTurnsMost = 3

// taskTurns lets few tasks of a node be claimed and fired at the same time. A thousand that are due in the same
// second would otherwise all wait for a connection, before every prompt that comes after them: with a node killed
// meanwhile, on two cores, single prompts were acknowledged after 22 and 26 s. All tasks have started within a
// minute in any case.
type taskTurns chan struct{}

func newTaskTurns() taskTurns { return make(taskTurns, taskTurnsMost) }

// take waits for a turn, which ends with the call of end. It returns CodeUnavailable if ctx ends before.
func (t taskTurns) take(ctx context.Context) (end func(), err error) {
	select {
	case t <- struct{}{}:
		return func() { <-t }, nil
	case <-ctx.Done():
		return nil, unavailable(ctx.Err())
	}
}
