import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import { formatCount, formatMoney } from '../../shared/core/client/format-quantity.ts'
import type { RubricScoring, RubricScoringInput } from '../../shared/core/contracts/rubric-scoring.ts'
import { CommandError, wrongUsage } from '../command-error.ts'
import { readText } from '../read-text.ts'

export interface RubricFlags {
  name: string
  rubric: string
  /** `endpoint:model`. */
  judge?: string | undefined
  limit?: number | undefined
  budget?: number | undefined
  again?: boolean | undefined
}

/** @throws CommandError for an unreadable file or an invalid judge */
export async function readRubric(flags: RubricFlags): Promise<RubricScoringInput> {
  const { again, budget, judge, limit, name, rubric: file } = flags
  const [, endpoint, id] = /^([^:]+):(.+)$/.exec(judge ?? '') ?? []
  if (endpoint === undefined || id === undefined) {
    throw wrongUsage(
      'Which model judges? --judge endpoint:model, such as --judge openai:gpt-5-mini; `espalier models` lists them.',
    )
  }
  return {
    name,
    rubric: await readText(file),
    model: { endpoint, id },
    ...(budget !== undefined && { limits: { cost: budget } }),
    ...(limit !== undefined && { limit }),
    ...(again && { again }),
  }
}

/**
 * Lets the service's model grade the run's episodes, and waits for it.
 * @throws CommandError if the judge's run is paused or cancelled; earlier judgements are kept
 */
export async function judgeByRubric(
  client: Pick<ApiClient, 'scoreByRubric'>,
  run: string,
  request: RubricScoringInput,
  { interval = 300, onProgress }: { interval?: number; onProgress?: (state: RubricScoring) => void } = {},
): Promise<RubricScoring> {
  let state = await client.scoreByRubric(run, request)
  while (state.status === 'going') {
    onProgress?.(state)
    await sleep(interval)
    state = await client.scoreByRubric(run, request)
  }
  if (state.status === 'ended') return state
  throw new CommandError(`scoring_${state.status}`, `${rubricText(state)}\n${state.reason}`)
}

export function rubricText({ errors, name, scored, skipped, total, usage }: RubricScoring): string {
  const before = skipped === 0 ? '' : `, ${formatCount(skipped)} judged before by this judge`
  const taken =
    usage === null
      ? ''
      : `; ${formatCount(usage.model_calls)} calls, ${formatCount(usage.input_tokens + usage.output_tokens)} tokens, ${formatMoney(usage.cost)}`
  return `${name}: ${formatCount(scored)} of ${formatCount(total)} episodes scored${before}, ${formatCount(errors)} with an error${taken}`
}
