import type { Fence } from './documents.ts'

/** A command as a document shows it. */
export interface DocumentedCommand {
  file: string
  line: number
  /** Without the comment behind it; its lines joined. */
  text: string
  words: string[]
}

/** The commands of a block for the shell: one a line, but where a quote or a backslash goes on. */
export function readCommands({ file, line: first, text }: Fence): DocumentedCommand[] {
  const commands: DocumentedCommand[] = []
  let joined = ''
  let start = first
  for (const [index, line] of text.split('\n').entries()) {
    if (joined === '') start = first + index
    joined += joined === '' ? line : `\n${line}`
    const read = readWords(joined)
    if (read === null) continue
    if (read.words.length > 0) commands.push({ file, line: start, ...read })
    joined = ''
  }
  if (joined.trim() !== '') throw new Error(`${file}:${start}: a quote is not closed.`)
  return commands
}

/**
 * Splits a command as a shell does, as far as documents need it: single and double quotes, a backslash at the end of a line,
 * comments. Null where it goes on in the next line.
 */
function readWords(line: string): { text: string; words: string[] } | null {
  const words: string[] = []
  let word: string | null = null
  let quote: string | null = null
  let text = ''
  for (let at = 0; at < line.length; at += 1) {
    const letter = line.charAt(at)
    if (quote === null && letter === '\\') {
      if (at === line.length - 1) return null
      if (line.charAt(at + 1) === '\n') {
        at += 1
        text += ' '
        continue
      }
    }
    if (quote === null && letter === '#' && (at === 0 || /\s/.test(line.charAt(at - 1)))) {
      const end = line.indexOf('\n', at)
      if (end < 0) break
      at = end - 1
      continue
    }
    text += letter
    if (quote !== null) {
      if (letter === quote) quote = null
      else word = (word ?? '') + letter
    } else if (letter === "'" || letter === '"') {
      quote = letter
      word ??= ''
    } else if (/\s/.test(letter)) {
      if (word !== null) words.push(word)
      word = null
    } else word = (word ?? '') + letter
  }
  if (quote !== null) return null
  if (word !== null) words.push(word)
  return { text: text.trim(), words }
}
