export interface RoundPlan {
  learning: number
  round_size: number | null
}

export function roundStart(index: number, { learning, round_size }: RoundPlan): number {
  if (index < learning) return 0
  return round_size === null ? learning : index - ((index - learning) % round_size)
}

export function roundEnd(index: number, { learning, round_size }: RoundPlan): number {
  if (index < learning) return learning
  return round_size === null
    ? Number.POSITIVE_INFINITY
    : roundStart(index, { learning, round_size }) + round_size
}
