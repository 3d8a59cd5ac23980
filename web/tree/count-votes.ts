export function countVotes(
  votes: readonly { value: number | null }[],
): { value: number | null; count: number }[] {
  const counts = new Map<number | null, number>()
  for (const { value } of votes) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((left, right) => {
      if (left.value === null || right.value === null) return left.value === null ? 1 : -1
      return right.value - left.value
    })
}
