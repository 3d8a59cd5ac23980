import { endpointSchema } from '../../../../shared/core/contracts/endpoint-configuration.ts'
import type { Json } from '../../../../shared/core/contracts/json.ts'
import { seededRandom } from '../../../../shared/core/random/seeded-random.ts'
import type { Attempt, TaskGroup } from '../../../../shared/data/datasets/attempt.ts'
import type { Finding, FoundRow } from '../../../../shared/data/datasets/kind.ts'
import { exploration } from '../../../../shared/data/datasets/kinds/exploration/exploration.ts'
import { explorationParameters } from '../../../../shared/data/datasets/kinds/exploration/exploration-parameters.ts'
import type { ChatModel } from '../../../../shared/play/models/chat-model.ts'
import { modelClock } from '../../../../shared/play/models/model-clock.ts'
import { estimatingCounter } from '../../../../shared/play/models/token-counter.ts'
import { createSimulatedModels } from '../../../../shared/play/simulated/simulated-models.ts'
import { attemptOf } from '../../../builders/attempts.ts'
import { environments } from '../../../play/simulated/played-tasks.ts'
import { openTestWorld } from '../../../support/open-test-world.ts'
import {
  journalRecords,
  type PlayOnceOptions,
  playOnce,
  summarise,
  treeOf,
} from '../../../support/play-once.ts'

/** A row with the conversation in it. */
export type FoundConversation = FoundRow & { row: { type: 'conversation' } }

/** Plays an episode, and opens it as an attempt. */
export async function played(options: Omit<PlayOnceOptions, 'world'>): Promise<Attempt> {
  const whole = { ...options, world: await openTestWorld() }
  const { outcome } = await playOnce(whole)
  if (outcome.type !== 'ended') throw new Error(`The episode did not end: ${JSON.stringify(outcome)}`)
  const summary = await summarise(whole)
  const { reward = null, success = null } = summary ?? {}
  const journal = await journalRecords(whole)
  return attemptOf(await treeOf(whole), {
    journal: async () => journal,
    reward,
    success: success === true,
    status: success === true ? 'succeeded' : 'failed',
  })
}

/** The simulated model with a skill. */
export function simulated(skill: number): ChatModel {
  const endpoint = endpointSchema.parse({ kind: 'simulated', skill })
  if (endpoint.kind !== 'simulated') throw new Error('The endpoint is not simulated.')
  return createSimulatedModels('simulated', endpoint, modelClock).chat
}

/** A crafting task played by the simulated model. */
export function craft(method: PlayOnceOptions['method'], skill: number, nth = 0): Promise<Attempt> {
  const environment = environments.textcraft
  const task = environment.tasks().filter(({ split }) => split === 'train')[nth]?.id
  if (task === undefined) throw new Error(`There is no training task ${nth}.`)
  return played({ environment, task, model: simulated(skill), method })
}

/** What the kind makes of attempts at one task. */
export async function findingsOf(
  attempts: Attempt | readonly Attempt[],
  given: object = {},
): Promise<Finding[]> {
  const list = [attempts].flat()
  const [first] = list
  if (first === undefined) return []
  const group: TaskGroup = { ...first, attempts: list, experts: [] }
  const scope = { random: (key: string) => seededRandom('test', key) }
  const found: Finding[] = []
  for await (const each of exploration.rows(group, explorationParameters.parse(given), scope))
    found.push(each)
  return found
}

/** The same, where nothing is left out. */
export async function rowsOf(
  attempts: Attempt | readonly Attempt[],
  given: object = {},
): Promise<FoundConversation[]> {
  return (await findingsOf(attempts, given)).map((found) => {
    if (!('row' in found) || found.row.type !== 'conversation') throw new Error(JSON.stringify(found))
    return found as FoundConversation
  })
}

/** The turns of the model in a row, without those of its head. */
export function answersOf({ row, origin }: FoundConversation): string[] {
  if (row.type !== 'conversation') return []
  const said = row.messages.filter(({ role }) => role === 'assistant').map(({ content }) => content)
  return said.slice(-origin.node_ids.length)
}

/** Asks what an annotator asks, and keeps what it keeps. */
export async function annotated(
  attempt: Attempt,
  given: object,
  answer: (key: string, prompt: string) => string | Promise<string>,
): Promise<Attempt & { asked: string[]; kept: Map<string, Json> }> {
  const kept = new Map<string, Json>()
  const asked: string[] = []
  const annotator = exploration.annotator?.(explorationParameters.parse(given))
  await annotator?.annotate(
    {
      async ask({ key, messages }) {
        asked.push(key)
        return answer(key, messages.map(({ content }) => content).join('\n'))
      },
      async keep(key, value) {
        kept.set(key, value)
      },
      random: (key) => seededRandom('annotation', key),
      maxPromptTokens: 32_000,
      counter: estimatingCounter,
    },
    attempt,
  )
  return { ...attempt, annotation: async () => kept, asked, kept }
}
