import { showControls } from './show-controls.ts'

/**
 * The beginning of a text on one line, for labels: control characters made visible, at most so many characters.
 *
 * @example
 * shortText('craft 4\nplanks', 9) // 'craft 4 …'
 */
export function shortText(text: string, most: number): string {
  // A text can be megabytes long, and its beginning is enough.
  const line = showControls(text.slice(0, most * 4))
    .replaceAll(/\s+/g, ' ')
    .trim()
  const letters = [...line]
  return letters.length <= most ? line : `${letters.slice(0, most - 1).join('')}…`
}
