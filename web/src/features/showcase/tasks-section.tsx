import { Flex } from '@radix-ui/themes';
import { FeedbackNote } from '@/components/feedback/feedback-note';
import { CalendarToggle } from '@/components/task/calendar-toggle';
import { RunTable, type ShownRun } from '@/components/task/run-table';
import { ScheduleNote } from '@/components/task/schedule-note';
import { scheduleSentence } from '@/lib/schedule-sentence';
import { runOf } from '@/testing/fixtures/tasks';

const times = ['Mon, Nov 30, 2026, 9:30 AM GMT+1', 'Mon, Dec 7, 2026, 9:30 AM GMT+1'];
const sentence = scheduleSentence({
  frequencyType: 'weekly',
  timeZone: 'Europe/Paris',
  time: '09:30',
  dayOfWeek: 1,
});
const long = 'The blueprint uses a connector that is not available. '.repeat(4);

const runs: readonly ShownRun[] = (
  ['running', 'complete', 'skipped', 'stopped', 'interrupted', 'failed'] as const
).map((status, index) => ({
  ...runOf({
    status,
    dueAt: `2026-11-${20 - index}T08:30:00.000Z`,
    reason: status === 'failed' ? long : '',
    ...(status === 'running' && { endedAt: null }),
  }),
  to: status === 'skipped' ? null : '/conversations',
}));

/**
 * Scheduled work and feedback: a schedule in words, its history with every outcome, and the feedback on an answer.
 */
export function TasksSection() {
  return (
    <Flex direction="column" gap="4">
      <Flex>
        <CalendarToggle />
      </Flex>
      <ScheduleNote sentence={null} coming={null} />
      <ScheduleNote sentence={sentence} coming={null} />
      <ScheduleNote sentence={sentence} coming={times} />
      <RunTable runs={runs} timeZone="Europe/Paris" />
      <FeedbackNote
        sentiment="Dislike"
        labels={['Wrong numbers']}
        comments={[{ id: 1, text: long }]}
        user="Ben Ames"
        createdAt="2026-11-20T08:00:00.000Z"
      />
      <FeedbackNote
        sentiment="Like"
        labels={[]}
        comments={[]}
        user="Ada Lindqvist"
        createdAt="2026-11-20T08:00:00.000Z"
      />
    </Flex>
  );
}
