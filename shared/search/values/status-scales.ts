/** How a judge grades a state: from A, finished, through B, C and D to E, no progress. */
export type Status = 'A' | 'B' | 'C' | 'D' | 'E'

/**
 * What grades are worth: `rubric` for a single judge with or without a rubric, `debate` for a judge of two opinions, and
 * `desktop`, the scale that ExACT uses in OSWorld.
 *
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), its code: CoTwRubricValueFunction, ReinforcedDebateValueFunction, and
 * the value functions for OSWorld
 */
export const statusScales = {
  rubric: { A: 1, B: 0.9, C: 0.5, D: 0.2, E: 0 },
  debate: { A: 1, B: 0.7, C: 0.5, D: -0.2, E: -1 },
  desktop: { A: 1, B: 0.5, C: 0.2, D: -0.2, E: -1 },
} as const satisfies Record<string, Record<Status, number>>

export type StatusScale = keyof typeof statusScales
