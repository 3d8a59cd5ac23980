import { z } from 'zod'
import type { Message } from '../contracts/message.ts'
import { BadRowError, checkShape } from './bad-row-error.ts'
import type { ReadStep, ReadTrajectory } from './read-trajectory.ts'
import type { ReadableFormat } from './trainer-format.ts'

const stepSchema = z.looseObject({
  source: z.enum(['system', 'user', 'agent']),
  message: z.string(),
  tool_calls: z
    .array(z.looseObject({ function_name: z.string(), arguments: z.record(z.string(), z.unknown()) }))
    .nullish(),
  observation: z
    .looseObject({ results: z.array(z.looseObject({ content: z.string().nullish() })) })
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
 * Harbor's Agent Trajectory Interchange Format: the steps before the first of the agent that acts are the head. Rewards are in
 * `extra`, as this service writes them.
 *
 * @see Harbor RFC 0001, trajectory format
 */
export const atif: ReadableFormat = {
  id: 'atif',
  reads: 'ATIF: Harbor’s `trajectory.json`, as this service also writes it',
  recognises: (row) => typeof row.schema_version === 'string' && row.schema_version.startsWith('ATIF'),
  read(row): ReadTrajectory {
    const { steps, agent, final_metrics, extra } = checkShape(rowSchema, row)
    const start = steps.findIndex(isActing)
    if (start === -1) throw new BadRowError('steps', 'there is no step of the agent that acts')
    const head = steps.slice(0, start).map(({ source, message }): Message => {
      return { role: source === 'agent' ? 'assistant' : source, content: message }
    })
    if (head.at(-1)?.role !== 'user')
      throw new BadRowError(`steps[${start}]`, 'the agent acts before anything was said to it')
    const played = toSteps(steps, start)
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

function isActing({ source, tool_calls, observation, extra }: Step): boolean {
  return (
    source === 'agent' && (Boolean(tool_calls?.length) || Boolean(observation) || extra?.node !== undefined)
  )
}

function toSteps(steps: readonly Step[], start: number): ReadStep[] {
  const played: ReadStep[] = []
  for (const [offset, step] of steps.slice(start).entries()) {
    const at = `steps[${start + offset}]`
    const before = played.at(-1)
    if (step.source === 'agent') {
      if (before && before.observation === null)
        throw new BadRowError(at, 'two turns of the model in a row: an observation is missing')
      played.push(toStep(step, at))
    } else if (step.source === 'system' || before === undefined || before.observation !== null) {
      throw new BadRowError(at, `a ${step.source} step that answers no step of the agent`)
    } else before.observation = step.message
  }
  return played
}

function toStep({ message, tool_calls, observation, extra }: Step, at: string): ReadStep {
  const call = tool_calls?.[0]
  const action = call?.arguments.action
  const called = call === undefined ? null : `${call.function_name}(${JSON.stringify(call.arguments)})`
  const text = message.trim() === '' ? called : message
  if (text === null) throw new BadRowError(`${at}.message`, 'the turn is empty')
  const shown = observation?.results.map(({ content }) => content ?? '').join('\n') ?? null
  return {
    message: text,
    ...(typeof action === 'string' ? { action } : called === null ? {} : { action: called }),
    observation: shown,
    ...(extra?.reward !== undefined && { reward: extra.reward }),
    ...(extra?.done !== undefined && { done: extra.done }),
  }
}
