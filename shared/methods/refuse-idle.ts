import type { z } from 'zod'
import { type DecidingParameters, idleParameters } from './idle-parameters.ts'

/** Refuses what would change nothing beside the other parameters: whoever gives it expects something of it. */
export function refuseIdle({ value: given, issues }: z.core.ParsePayload<DecidingParameters>): void {
  for (const { name, why } of idleParameters(given)) {
    // `false` is what holds without it.
    if (given[name] === undefined || given[name] === false) continue
    issues.push({
      code: 'custom',
      input: given,
      path: [name],
      message: `it changes nothing ${why}. Leave it out.`,
    })
  }
}
