/** Control characters, escape sequences among them: model output must not steer the terminal. */
const controls = /\p{Cc}+/gu
const combining = /^[\p{Mn}\p{Me}\p{Cf}]$/u
const wide =
  /^(?:[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation})$/u

/** The text on one line, without anything that a terminal would obey. */
export function toLine(text: string): string {
  return text.replaceAll(controls, ' ').trim()
}

/** A line of code or prose, its indent included, without anything that a terminal would obey. */
export function withoutControls(line: string): string {
  return line
    .replaceAll('\t', '  ')
    .replaceAll(/\p{Cc}/gu, ' ')
    .trimEnd()
}

/** How many columns a line without control characters takes. */
export function widthOf(line: string): number {
  let width = 0
  for (const character of line) width += columnsOf(character)
  return width
}

/** The line, cut to the width with an ellipsis where it is longer. */
export function truncate(line: string, width: number): string {
  if (widthOf(line) <= width) return line
  if (width < 1) return ''
  let used = 1
  let kept = ''
  for (const character of line) {
    used += columnsOf(character)
    if (used > width) break
    kept += character
  }
  return `${kept}…`
}

/** The line in lines of the width, broken at spaces; a longer word keeps a line of its own. */
export function wrap(line: string, width: number): string[] {
  const lines: string[] = []
  for (const word of line.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && widthOf(last) + 1 + widthOf(word) <= width) {
      lines[lines.length - 1] = `${last} ${word}`
    } else lines.push(word)
  }
  return lines
}

/** The line filled up with spaces to the width. */
export function pad(line: string, width: number, side: 'left' | 'right' = 'right'): string {
  const filling = ' '.repeat(Math.max(0, width - widthOf(line)))
  return side === 'right' ? line + filling : filling + line
}

function columnsOf(character: string): number {
  if (combining.test(character)) return 0
  return wide.test(character) ? 2 : 1
}
