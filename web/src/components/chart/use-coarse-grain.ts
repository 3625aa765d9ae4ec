import { useEffect, useMemo, useState } from 'react';
import { onDemand } from '@/lib/on-demand';
import type { ChartModel } from './chart-model';
import { type CoarseChart, measured } from './point-room';

const grains = onDemand(async () => (await import('./coarse-grain')).coarseGrain);

/**
 * The chart as it is drawn at a width; null until what combines points is loaded, which only charts with more points
 * than there is space for need.
 */
export function useCoarseGrain(chart: ChartModel, width: number, onFailure: () => void): CoarseChart | null {
  const sizes = useMemo(() => measured(chart, width), [chart, width]);
  const [coarse, setCoarse] = useState(() => grains.now());
  const isMissing = sizes.isFull && coarse === null;
  useEffect(() => {
    if (!isMissing) return;
    let isGone = false;
    grains.load().then(
      (loaded) => {
        if (!isGone) setCoarse(() => loaded);
      },
      () => {
        if (!isGone) onFailure();
      },
    );
    return () => {
      isGone = true;
    };
  }, [isMissing, onFailure]);
  return useMemo(() => {
    if (!sizes.isFull) return { chart, note: null };
    return coarse === null ? null : coarse(chart, width, sizes);
  }, [chart, width, sizes, coarse]);
}
