import { clipText } from '../../core/contracts/well-formed.ts'

const longest = 300

export function shownText(value: unknown): string | null {
  if (value === undefined) return null
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return text.length <= longest ? text : `${clipText(text, longest)}… (${text.length} characters)`
}

export function errorLine(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
