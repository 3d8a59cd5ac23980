/** How a run's episodes follow each other: first those that learn, then rounds of the others. */
export interface RoundPlan {
  /** Learning episodes: round 0. */
  learning: number
  /** Episodes of each round after that; null: all are one round. */
  round_size: number | null
}

/** The index at which the round of an episode begins. */
export function roundStart(index: number, { learning, round_size }: RoundPlan): number {
  if (index < learning) return 0
  return round_size === null ? learning : index - ((index - learning) % round_size)
}

/** The index at which the round after that of an episode begins. */
export function roundEnd(index: number, { learning, round_size }: RoundPlan): number {
  if (index < learning) return learning
  return round_size === null
    ? Number.POSITIVE_INFINITY
    : roundStart(index, { learning, round_size }) + round_size
}
