/** An answer of a model, and how often it came in one call. */
interface GroupedAnswer {
  text: string
  count: number
}

/** Equal answers once, in the order in which they came; the one that was acted on first. */
export function groupAnswers(answers: readonly string[], taken: string | null): GroupedAnswer[] {
  const counts = new Map<string, number>()
  for (const text of answers) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts]
    .map(([text, count]) => ({ text, count }))
    .sort((left, right) => Number(right.text === taken) - Number(left.text === taken))
}
