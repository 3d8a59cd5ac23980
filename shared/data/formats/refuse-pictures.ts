import { BadRowError } from './bad-row-error.ts'

const columns = ['messages', 'prompt', 'completion', 'conversations', 'steps', 'input', 'output'] as const

/**
 * Refuses a row that shows pictures: imports hold only texts, and without its pictures the trajectory would differ.
 *
 * @throws BadRowError
 */
export function refusePictures(row: Record<string, unknown>): void {
  for (const name of ['images', 'image'] as const) {
    const value = row[name]
    if (typeof value === 'string' || (Array.isArray(value) && value.length > 0)) throw refused(name)
  }
  for (const name of columns) {
    const list = row[name]
    if (!Array.isArray(list)) continue
    const place = list.findIndex(hasPicture)
    if (place !== -1) throw refused(`${name}[${place}]`)
  }
}

/** A message, or a step of ATIF, whose observation has results with contents of their own. */
function hasPicture(turn: unknown): boolean {
  if (typeof turn !== 'object' || turn === null) return false
  const { content, message, value, output, observation } = turn as Record<string, unknown>
  if ([content, message, value, output].some(showsPicture)) return true
  const results = typeof observation === 'object' && observation !== null && 'results' in observation
  return results && Array.isArray(observation.results) && observation.results.some(hasPicture)
}

function showsPicture(content: unknown): boolean {
  return (
    Array.isArray(content) &&
    content.some(
      (part: unknown) =>
        typeof part === 'object' &&
        part !== null &&
        (('type' in part && String(part.type).includes('image')) ||
          // The result of a tool.
          ('content' in part && showsPicture(part.content))),
    )
  )
}

function refused(field: string): BadRowError {
  return new BadRowError(
    field,
    'the row shows pictures, and trajectories are imported as texts alone; play the task here to have its pictures',
  )
}
