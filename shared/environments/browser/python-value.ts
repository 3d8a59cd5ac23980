import { pythonRepr } from '../python-text.ts'

export function pythonText(value: unknown): string {
  return typeof value === 'string' ? value : representation(value)
}

function representation(value: unknown): string {
  if (value === null || value === undefined) return 'None'
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (typeof value === 'string') return pythonRepr(value)
  if (Array.isArray(value)) return `[${value.map(representation).join(', ')}]`
  if (typeof value === 'object') {
    const entries = Object.entries(value).map(
      ([name, each]) => `${pythonRepr(name)}: ${representation(each)}`,
    )
    return `{${entries.join(', ')}}`
  }
  return String(value)
}
