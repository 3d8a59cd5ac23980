import { EspalierError } from '../../contracts/errors.ts'
import type { Run, RunRequest } from '../../contracts/run.ts'

/**
 * Refuses to continue a run under an exhausted cap: it would pause again before its next call.
 * @throws EspalierError `invalid_request`, with the cap as `param`
 */
export function refuseReachedCaps({ id, usage, running_seconds }: Run, limits: RunRequest['limits']): void {
  const spent = {
    cost: { used: usage.cost ?? 0, word: (amount: number) => `$${amount}` },
    tokens: { used: usage.input_tokens + usage.output_tokens, word: (amount: number) => `${amount} tokens` },
    time: { used: running_seconds, word: (amount: number) => `${amount} seconds` },
  }
  for (const name of ['cost', 'tokens', 'time'] as const) {
    const cap = limits[name]
    const { used, word } = spent[name]
    if (cap === undefined || used < cap) continue
    throw new EspalierError(
      'invalid_request',
      `The run ${id} has already used ${word(used)}, and limits.${name} is ${word(cap)}: it would pause again at once. Resume with a limits.${name} above that.`,
      { param: `limits.${name}` },
    )
  }
}
