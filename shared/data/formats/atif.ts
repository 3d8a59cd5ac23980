import { z } from 'zod'
import { BadRowError, checkShape } from './bad-row-error.ts'
import { readResult } from './read-content.ts'
import { type ReadStep, type ReadTrajectory, type Turn, toHeadMessage } from './read-trajectory.ts'
import { readTurn } from './read-turns.ts'
import type { ReadableFormat } from './trainer-format.ts'

const stepSchema = z.looseObject({
  source: z.string(),
  message: z.unknown().optional(),
  tool_calls: z.array(z.looseObject({})).nullish(),
  observation: z
    .looseObject({ results: z.array(z.looseObject({ content: z.unknown().optional() })) })
    .nullish(),
  extra: z
    .looseObject({ reward: z.number().optional(), done: z.boolean().optional(), node: z.int().optional() })
    .nullish(),
})

const rowSchema = z.looseObject({
  schema_version: z.string().startsWith('ATIF-'),
  agent: z.looseObject({ name: z.string(), model_name: z.string().nullish() }),
  steps: z.array(stepSchema).min(1),
  final_metrics: z
    .looseObject({ extra: z.looseObject({ reward: z.number().optional() }).nullish() })
    .nullish(),
  extra: z.looseObject({ environment: z.string().optional(), task: z.string().optional() }).nullish(),
})

type Step = z.infer<typeof stepSchema>

/**
 * Harbor's Agent Trajectory Interchange Format: the steps before the agent's first action are the head. Rewards are
 * in `extra`, as this service writes them.
 *
 * @see Harbor RFC 0001, trajectory format
 */
export const atif: ReadableFormat = {
  id: 'atif',
  reads: 'ATIF: Harbor’s `trajectory.json`, as this service also writes it',
  recognises: (row) => typeof row.schema_version === 'string' && row.schema_version.startsWith('ATIF'),
  read(row): ReadTrajectory {
    const { steps, agent, final_metrics, extra } = checkShape(rowSchema, row)
    const read = steps.map((step, index) => readStep(step, `steps[${index}]`))
    const start = read.findIndex(({ isActing }) => isActing)
    if (start === -1) throw new BadRowError('steps', 'there is no step of the agent that acts')
    const head = read.slice(0, start).map(({ turn }) => toHeadMessage(turn))
    if (head.at(-1)?.role !== 'user')
      throw new BadRowError(`steps[${start}]`, 'the agent acts before anything was said to it')
    const played = toSteps(read.slice(start))
    return {
      environment: extra?.environment ?? null,
      task: extra?.task ?? null,
      method: agent.name.replace(/^espalier-/, ''),
      model: agent.model_name ?? null,
      reward: final_metrics?.extra?.reward ?? played.at(-1)?.reward ?? null,
      body: { head, steps: played },
    }
  },
}

interface ReadAtifStep {
  turn: Turn
  /** True if the agent takes an action; words alone may only agree to play. */
  isActing: boolean
  observation: string | null
  extra: Step['extra']
}

function readStep(step: Step, at: string): ReadAtifStep {
  const { tool_calls, observation, extra } = step
  const turn = readTurn(step, at, { role: 'source', content: 'message' })
  const shown = observation?.results.map(
    ({ content }, index) => readResult(content, `${at}.observation.results[${index}].content`).text,
  )
  const isAgents = turn.role === 'assistant'
  return {
    turn,
    isActing: isAgents && (Boolean(tool_calls?.length) || shown !== undefined || extra?.node !== undefined),
    observation: shown?.join('\n') ?? null,
    extra,
  }
}

function toSteps(read: readonly ReadAtifStep[]): ReadStep[] {
  const played: ReadStep[] = []
  for (const { turn, observation, extra } of read) {
    const { at, role, content, action, reasoning } = turn
    const before = played.at(-1)
    if (role === 'assistant') {
      if (before && before.observation === null)
        throw new BadRowError(at, 'two turns of the model in a row: an observation is missing')
      if (content.trim() === '') throw new BadRowError(`${at}.message`, 'the turn is empty')
      played.push({
        message: content,
        ...(action !== undefined && { action }),
        ...(reasoning !== undefined && { reasoning }),
        observation,
        ...(extra?.reward !== undefined && { reward: extra.reward }),
        ...(extra?.done !== undefined && { done: extra.done }),
      })
    } else if (role === 'system' || before === undefined || before.observation !== null) {
      throw new BadRowError(at, `a ${role} step that answers no step of the agent`)
    } else before.observation = content
  }
  return played
}
