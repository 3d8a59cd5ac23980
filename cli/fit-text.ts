/** Control characters, including escape sequences: model output must not control the terminal. */
const controls = /\p{Cc}+/gu
const combining = /^[\p{Mn}\p{Me}\p{Cf}]$/u
const wide =
  /^(?:[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation})$/u

export function toLine(text: string): string {
  return text.replaceAll(controls, ' ').trim()
}

export function withoutControls(line: string): string {
  return line
    .replaceAll('\t', '  ')
    .replaceAll(/\p{Cc}/gu, ' ')
    .trimEnd()
}

export function widthOf(line: string): number {
  let width = 0
  for (const character of line) width += columnsOf(character)
  return width
}

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

/** Numbers, identifiers and names of variables, for example `OPENAI_API_KEY`: half of one has another meaning. */
const whole = /[\d_]|\p{Lu}{2}/u

export function cutText(line: string, width: number): string {
  const cut = truncate(line, width)
  if (cut === line) return line
  const kept = cut.slice(0, -1)
  const start = kept.lastIndexOf(' ') + 1
  const end = line.indexOf(' ', start)
  const word = line.slice(start, end === -1 ? line.length : end)
  if (kept.length === start + word.length || !whole.test(word)) return cut
  if (start > 0) return `${kept.slice(0, start).trimEnd()} …`
  return end === -1 ? word : `${word} …`
}

export function fold(line: string, width: number): string[] {
  if (widthOf(line) <= width) return [line]
  const label = /^\s*(?:\S+(?: \S+){0,2}\s{2,})?/.exec(line)?.[0] ?? ''
  const indent = label.length <= width / 2 ? label.length : 0
  const lines = wrap(line.slice(indent), Math.max(1, width - indent))
  return lines.map((part, at) => (at === 0 ? line.slice(0, indent) : ' '.repeat(indent)) + part)
}

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

export function pad(line: string, width: number, side: 'left' | 'right' = 'right'): string {
  const filling = ' '.repeat(Math.max(0, width - widthOf(line)))
  return side === 'right' ? line + filling : filling + line
}

function columnsOf(character: string): number {
  if (combining.test(character)) return 0
  return wide.test(character) ? 2 : 1
}
