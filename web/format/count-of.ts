export function countOf(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count.toLocaleString('en')}\u00a0${count === 1 ? noun : nouns}`
}
