import type { Json } from '../../../core/contracts/json.ts'
import type { Run } from '../../../core/contracts/run.ts'
import { digest } from '../../../core/engine/digest.ts'

/**
 * The terms of a run, by their field, that must agree before its cell is ranked with others: horizon, history rule,
 * prompts, observations and actions. The panel of tasks, the data and the options of the environment are the column's.
 */
export function passportOf({ request, resolved }: Pick<Run, 'request' | 'resolved'>): Map<string, string> {
  const { method, model, prompts } = request
  const terms: Record<string, Json | undefined> = {
    'resolved.horizon': resolved && [resolved.horizon.least, resolved.horizon.most],
    'model.max_prompt_tokens': model.max_prompt_tokens,
    'model.max_pictures': model.max_pictures,
    'model.reasoning': model.reasoning,
    'method.layout': (method.layout ?? 'system') as Json,
    'method.actions': (method.actions ?? 'text') as Json,
    prompts,
  }
  return new Map(Object.entries(terms).map(([field, value]) => [field, JSON.stringify(value ?? null)]))
}

export function passportDigest(run: Pick<Run, 'request' | 'resolved'>): string {
  return digest(JSON.stringify([...passportOf(run)]))
}

// The fields in which a run differs, for the note of its cell.
export function passportNote(run: Run, usual: Run): string {
  const own = passportOf(run)
  const differing = [...passportOf(usual)].filter(([field, value]) => own.get(field) !== value)
  const fields = differing.map(
    ([field, value]) => `${field} is ${shown(own.get(field))}, and ${shown(value)} elsewhere`,
  )
  return `Has another passport: ${fields.join('; ')}.`
}

function shown(value: string | undefined): string {
  if (value === undefined || value === 'null') return 'not set'
  return value.length > 60 ? `a text with the digest ${digest(value)}` : value
}
