import type { Readable } from 'node:stream'

/** More than any observation, in characters. */
const longestLine = 16 * 1024 * 1024

export function splitLines(
  stream: Readable,
  onLine: (line: string) => void,
  onTooLong: () => void = () => undefined,
): void {
  let rest = ''
  const hand = (line: string): void => {
    if (line.trim() !== '') onLine(line)
  }
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    const [first = '', ...others] = chunk.split('\n')
    rest += first
    for (const next of others) {
      hand(rest)
      rest = next
    }
    if (rest.length <= longestLine) return
    rest = ''
    stream.destroy()
    onTooLong()
  })
  stream.on('end', () => hand(rest))
}
