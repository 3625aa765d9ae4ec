import { onDemand } from '@/lib/on-demand';

/** What renders a tooltip and computes its position. */
export const tooltips = onDemand(async () => (await import('./tooltip-bubble')).TooltipBubble);
