import * as z from 'zod/mini';
import { limitsOfCommentRequest } from '@/api/limits.gen';
import { feedbackForm as t } from '@/messages/feedback-form';
import type { FeedbackValues } from './feedback';

/** The maximum length of a comment, in characters. */
export const commentMax = limitsOfCommentRequest.text.characters;

/** The rules for feedback: a reason or a comment, with the message of the specification. */
export const feedbackSchema: z.ZodMiniType<FeedbackValues, FeedbackValues> = z
  .object({ labels: z.array(z.number()), comment: z.string() })
  .check(
    z.refine(({ labels, comment }) => labels.length > 0 || comment.trim() !== '', {
      error: t('problem'),
      path: ['comment'],
    }),
  );
