import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiClient } from '../../shared/client/api-client.ts'
import { formatCount, formatMoney } from '../../shared/client/format-quantity.ts'
import type { RubricScoring, RubricScoringInput } from '../../shared/contracts/rubric-scoring.ts'
import { CommandError, wrongUsage } from '../command-error.ts'

/** What a rubric and the options of the command say. */
export interface RubricFlags {
  name: string
  /** A file. */
  rubric: string
  /** `endpoint:model`. */
  judge?: string | undefined
  limit?: number | undefined
  /** Dollars. */
  budget?: number | undefined
  again?: boolean | undefined
}

/** @throws CommandError for a file that cannot be read, or a judge that is none */
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
 * Has the service's model grade the run's episodes, and waits for it.
 *
 * @throws CommandError where the judge's run is paused or was cancelled; what was judged until then is kept
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

/** How far a judge is, in a line. */
export function rubricText({ errors, name, scored, skipped, total, usage }: RubricScoring): string {
  const before = skipped === 0 ? '' : `, ${formatCount(skipped)} judged before by this judge`
  const taken =
    usage === null
      ? ''
      : `; ${formatCount(usage.model_calls)} calls, ${formatCount(usage.input_tokens + usage.output_tokens)} tokens, ${formatMoney(usage.cost)}`
  return `${name}: ${formatCount(scored)} of ${formatCount(total)} episodes scored${before}, ${formatCount(errors)} with an error${taken}`
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw wrongUsage(`${file} cannot be read: ${reason}`)
  }
}
