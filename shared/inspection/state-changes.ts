import diff from 'microdiff'
import type { Json, JsonObject } from '../contracts/json.ts'
import type { StateChange } from '../contracts/node-detail.ts'

/** What is different from one state to the other, key by key; of lists, position by position. */
export function stateChanges(before: JsonObject, after: JsonObject): StateChange[] {
  const changes = diff(bare(before) as JsonObject, bare(after) as JsonObject, { cyclesFix: false })
  return changes.map((change): StateChange => {
    const { path } = change
    if (change.type === 'CREATE') return { type: 'added', path, after: change.value }
    if (change.type === 'REMOVE') return { type: 'removed', path, before: change.oldValue }
    return { type: 'changed', path, before: change.oldValue, after: change.value }
  })
}

/** The same value, whose objects have their own keys and no others: microdiff takes an inherited `toString` for a key. */
function bare(value: Json): Json {
  if (Array.isArray(value)) return value.map(bare)
  if (value === null || typeof value !== 'object') return value
  const own: JsonObject = Object.create(null)
  for (const [key, held] of Object.entries(value)) own[key] = bare(held)
  return own
}
