import { showControls } from './show-controls.ts'

const fence = '```python\n'
const fenceStart = /^```[a-z]*\n?/
const fenceEnd = /\n?```\s*$/

/**
 * Shortens a text to one line for labels. Control characters become visible, and a fenced code block is reduced to
 * its code.
 *
 * @example
 * shortText('craft 4\nplanks', 9) // 'craft 4 …'
 */
export function shortText(text: string, most: number): string {
  // A text can be megabytes long, and its beginning is enough.
  const line = showControls(
    text
      .slice(0, most * 4 + fence.length)
      .replace(fenceStart, '')
      .replace(fenceEnd, ''),
  )
    .replaceAll(/\s+/g, ' ')
    .trim()
  const letters = [...line]
  return letters.length <= most ? line : `${letters.slice(0, most - 1).join('')}…`
}
