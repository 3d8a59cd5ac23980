import { showControls } from './show-controls.ts'

const fence = '```python\n'
const fenceStart = /^```[a-z]*\n?/
const fenceEnd = /\n?```\s*$/

/**
 * The beginning of a text on one line, for labels: control characters made visible, at most so many characters, and of a block of code
 * between back-ticks the code.
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
