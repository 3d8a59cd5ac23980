import type { Json } from '../../shared/core/contracts/json.ts'
import { quoteForShell } from './quote-for-shell.ts'

const width = 90

export type Flag = [flag: string, value: string] | [flag: string]

export function writeCommand(start: string, words: readonly string[]): string {
  const lines = [start]
  for (const word of words) {
    const line = lines.at(-1) as string
    if (line.length + word.length < width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(`  ${word}`)
  }
  return lines.join(' \\\n')
}

export function flagWord([flag, value]: Flag): string {
  if (value === undefined) return flag
  const isTied = value.startsWith('-') || value === ''
  return isTied ? quoteForShell(`${flag}=${value}`) : `${flag} ${quoteForShell(value)}`
}

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
