/** A count and its noun, joined by a no-break space: `1 task`, `2,500 tasks`. */
export function countOf(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count.toLocaleString('en')}\u00a0${count === 1 ? noun : nouns}`
}
