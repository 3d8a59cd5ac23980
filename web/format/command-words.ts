import type { Json } from '../../shared/contracts/json.ts'
import { quoteForShell } from './quote-for-shell.ts'

/** Characters up to which a line is filled. */
const width = 90

/** A flag and its value; a flag alone is a mark. */
export type Flag = [flag: string, value: string] | [flag: string]

/** A command as a shell reads it, over as many lines as it needs. */
export function writeCommand(start: string, words: readonly string[]): string {
  const lines = [start]
  for (const word of words) {
    const line = lines.at(-1) as string
    if (line.length + word.length < width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(`  ${word}`)
  }
  return lines.join(' \\\n')
}

/** A flag as it is written; a value that would be taken for a flag is tied to its own. */
export function flagWord([flag, value]: Flag): string {
  if (value === undefined) return flag
  const isTied = value.startsWith('-') || value === ''
  return isTied ? quoteForShell(`${flag}=${value}`) : `${flag} ${quoteForShell(value)}`
}

/** A value as `--set` takes it: as JSON where it is JSON, as text otherwise. */
export function asSetting(value: Json): string {
  return typeof value === 'string' && !isJson(value) ? value : JSON.stringify(value)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
