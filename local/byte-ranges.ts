/** The part of a body that a `Range` header asks for, from the first byte up to and with the last. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Reads a `Range` header for a body of `size` bytes.
 *
 * @returns `unsatisfiable` where the range lies outside the body (416); null where the whole body is to be sent, as for
 * several ranges at once and for headers that are no range, both of which HTTP allows a server to ignore.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  const [, from = '', to = ''] = match ?? []
  if (from === '' && to === '') return null
  if (from === '') {
    const length = Math.min(Number(to), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(from)
  const end = to === '' ? size - 1 : Math.min(Number(to), size - 1)
  if (to !== '' && Number(to) < start) return null
  return start >= size ? 'unsatisfiable' : { start, end }
}
