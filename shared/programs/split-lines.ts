import type { Readable } from 'node:stream'

/** More than any observation. */
const longestLine = 16 * 1024 * 1024

/**
 * Hands on a stream line by line, without blank lines; a last line without an end too.
 *
 * @param onTooLong instead of a line that is too long to keep; nothing is handed on after it
 */
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
