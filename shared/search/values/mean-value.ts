import { type Status, type StatusScale, statusScales } from './status-scales.ts'

/**
 * The mean worth of several grades of one state. Only grades that could be read have a worth; ExACT counts the others as the
 * lowest, or as −1 where none could be read.
 *
 * @param statuses - at least one
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), multi-agent debate: the mean over the judge's samples in both orders
 * @example
 * meanStatus(['A', 'B'], 'debate') // 0.85
 */
export function meanStatus(statuses: readonly Status[], scale: StatusScale): number {
  if (statuses.length === 0) throw new RangeError('Without a grade there is no value.')
  return statuses.reduce((sum, status) => sum + statusScales[scale][status], 0) / statuses.length
}
