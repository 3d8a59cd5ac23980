import { EspalierError } from '../contracts/errors.ts'

/**
 * The start and length of a range of a body, in bytes. A negative start counts from the end, as `bytes=-500` does in
 * HTTP; a start past the end selects nothing.
 */
export function byteRange(
  size: number,
  range: { start: number; end?: number } | undefined,
): { offset: number; length: number } {
  if (range === undefined) return { offset: 0, length: size }
  const { start, end } = range
  const valid =
    Number.isSafeInteger(start) &&
    (end === undefined || (Number.isSafeInteger(end) && start >= 0 && end >= start))
  if (!valid) {
    throw new EspalierError(
      'invalid_request',
      `The byte range ${start} to ${end ?? 'the end'} is not one: give whole numbers with start <= end, or a negative start alone for the last bytes.`,
    )
  }
  const offset = start < 0 ? Math.max(0, size + start) : Math.min(start, size)
  const stop = end === undefined ? size : Math.min(end + 1, size)
  return { offset, length: Math.max(0, stop - offset) }
}
