import { clipText } from '../../shared/core/contracts/well-formed.ts'
import { withoutControls } from '../fit-text.ts'

export const longestAnswer = 16_000

/**
 * One page of a tool's answer, without control characters. A page ends with a line of the text unless the line is longer
 * than a page; the note below it has the offset of the next one.
 */
export function pageOfText(text: string, offset = 0): string {
  const clean = text.toWellFormed().split('\n').map(withoutControls).join('\n')
  if (clean.length <= longestAnswer && offset === 0) return clean
  if (offset >= clean.length)
    return `The answer has ${clean.length} characters: nothing is at offset ${offset}.`
  const page = clipText(clean.slice(offset), longestAnswer)
  const isLast = offset + page.length >= clean.length
  const end = isLast ? -1 : page.lastIndexOf('\n')
  const shown = end > 0 ? page.slice(0, end) : page
  const next = offset + shown.length + (end > 0 ? 1 : 0)
  if (isLast) return shown
  return `${shown}\n\n[Characters ${offset} to ${next} of ${clean.length}. Go on with "offset": ${next}.]`
}
