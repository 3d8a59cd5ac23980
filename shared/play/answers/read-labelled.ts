import { trimBlanks, undress } from './dress.ts'
import { endOfOpenBlock, unfence } from './fences.ts'
import { closeValue, findLabels, type Label } from './labels.ts'
import { withoutReasoning } from './reasoning.ts'

/**
 * Reads the text after a label, such as `Opinion:`, outside of reasoning. The last such label counts, in any case and
 * decoration. Null if it is missing or nothing follows.
 *
 * @example
 * readLabelled('Sure.\n**Note:** Look before you take.', 'Note') // 'Look before you take.'
 */
export function readLabelled(answer: string, label: string): string | null {
  const text = unfence(withoutReasoning(answer))
  const last = findLabels(text, label).findLast(({ leads }) => leads)
  if (last === undefined) return null
  const end = endOfOpenBlock(text, last.start) ?? text.length
  const [first = '', ...more] = trimBlanks(text.slice(last.end, end)).split('\n')
  const value = trimBlanks([closeValue(first.trimEnd(), last.close), ...more].join('\n'))
  const bare = undress(unfence(closeValue(value, more.length === 0 ? '' : last.close)), ['ticks', 'emphasis'])
  return /^[\s*_`]*$/.test(bare) ? null : bare
}

export interface LabelledLine extends Label {
  value: string
  after: number
}

export function readLabelledLines(
  text: string,
  label: string,
  options?: { equals: boolean },
): LabelledLine[] {
  return findLabels(text, label, options)
    .filter(({ leads }) => leads)
    .map((found) => {
      const rest = text.slice(found.end, found.end + longestLine)
      const start = found.end + (rest.length - rest.trimStart().length)
      const [line = ''] = text.slice(start, start + longestLine).split('\n', 1)
      const value = undress(closeValue(trimBlanks(line), found.close))
      return { ...found, value, after: start + line.length }
    })
}

/** Characters: a verdict or a decision is a few words. */
const longestLine = 4000
