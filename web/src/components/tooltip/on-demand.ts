import { onDemand } from '@/lib/on-demand';

/** What draws a tooltip, and where it stands. */
export const tooltips = onDemand(async () => (await import('./tooltip-bubble')).TooltipBubble);
