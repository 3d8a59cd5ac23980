import { setImmediate as rest } from 'node:timers/promises'
import type { LearnedAction } from '../../../shared/core/contracts/library.ts'
import type { MemoryNote } from '../../../shared/core/contracts/memory.ts'
import { EpisodePlayer, type PlayOutcome } from '../../../shared/core/engine/episode-player.ts'
import { Journal } from '../../../shared/core/engine/journal.ts'
import type { EffectRecord } from '../../../shared/core/engine/journal-record.ts'
import { readJournal } from '../../../shared/core/engine/read-journal.ts'
import { openPictureStore } from '../../../shared/core/pictures/picture-store.ts'
import { seededRandom } from '../../../shared/core/random/seeded-random.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import type { SessionSource } from '../../../shared/environments/session-source.ts'
import { EpisodeScope } from '../../../shared/play/methods/episode-scope.ts'
import { HostedStates } from '../../../shared/play/methods/hosted-states.ts'
import { EpisodeMemory } from '../../../shared/play/methods/memory/episode-memory.ts'
import type { Method } from '../../../shared/play/methods/method.ts'
import { ModelCalls } from '../../../shared/play/methods/model-calls.ts'
import { showKnowledge } from '../../../shared/play/methods/prompts/show-knowledge.ts'
import { PureStates } from '../../../shared/play/methods/pure-states.ts'
import type { ChatChoice, ChatModel, ChatRequest } from '../../../shared/play/models/chat-model.ts'
import { openSandbox } from '../../../shared/play/sandbox/open-sandbox.ts'
import { PromptBook } from '../../../shared/play/search/prompt-book.ts'
import { SearchTree } from '../../../shared/play/search/tree.ts'
import type { TreeEntry } from '../../../shared/play/search/tree-entry.ts'
import { dyingObjects } from '../../support/faulty-objects.ts'
import { freeMeter } from '../../support/free-meter.ts'
import { onlyModel } from '../../support/only-model.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import type { TestEnvironment } from '../../support/test-environment.ts'

export interface PlayedMethod<Parameters extends object> {
  method: Method<Parameters>
  parameters?: object
  environment: TestEnvironment
  /** What the model says; a list says it in turn for several choices, over again when it is short. */
  answer(request: ChatRequest): string | string[] | ChatChoice[]
  task?: string
  /** Learns from these, instead of playing the task. */
  training?: readonly string[]
  notes?: readonly string[]
  actions?: readonly LearnedAction[]
  /** Milliseconds that answers take at most, by chance. */
  delay?: number
  /** Where the environment's sessions are opened, when it is not played in this process. */
  sessions?(world: World): Promise<SessionSource>
}

export interface Played {
  outcome: PlayOutcome
  tree: SearchTree
  entries: TreeEntry[]
  effects: EffectRecord[]
  requests: ChatRequest[]
  /** Of the journal and of what it amounts to. */
  bytes: string
}

const prefix = 'runs/run/episodes/ep-0000000/attempts/1/journal/'

/** Plays a method's episode in a world of its own, or goes on with the one of a world. */
export async function playMethod<Parameters extends object>(
  played: PlayedMethod<Parameters>,
  world?: World,
): Promise<Played> {
  const at = world ?? (await openTestWorld())
  const requests: ChatRequest[] = []
  const outcome = await playIn(played, at, requests)
  return { outcome, requests, ...(await readPlayed(at)) }
}

/**
 * Plays the episode whole, and once for each of its segments with a process that dies after it and another one that goes on;
 * returns what each of them came to.
 */
export async function playKilled<Parameters extends object>(
  played: PlayedMethod<Parameters>,
): Promise<{ whole: Played; resumed: Played[] }> {
  const whole = await playMethod(played)
  const resumed: Played[] = []
  for (let segments = 0; segments <= whole.effects.length; segments += 1) {
    const world = await openTestWorld()
    const { promise: death, resolve } = Promise.withResolvers<void>()
    const dying = { ...world, objects: dyingObjects(world.objects, segments, resolve) } as World
    await Promise.race([playIn(played, dying, []), death])
    await rest()
    resumed.push(await playMethod(played, world))
  }
  return { whole, resumed }
}

async function playIn<Parameters extends object>(
  played: PlayedMethod<Parameters>,
  world: World,
  requests: ChatRequest[],
): Promise<PlayOutcome> {
  const { method, environment, task = 'goal-3', training = [] } = played
  const { objects, clock } = world
  const writer = `worker-${Math.random()}`
  const journal = await Journal.open({ objects, clock, prefix, writer, code: 'code' })
  const parameters = method.parameters.parse(played.parameters ?? {})
  const sandbox = method.runsPrograms ? openSandbox({ caller: 'test' }) : null
  const prompts = new PromptBook()
  const [facts] = environment.tasks()
  const guide = environment.describe(facts as NonNullable<typeof facts>)
  const actions = played.actions ?? []
  const notes = (played.notes ?? []).map(toNote)
  const tasks = training.length > 0 ? training : [task]
  const sessions = await played.sessions?.(world)
  const cores = await Promise.all(tasks.map(async (id) => [id, await environment.open(id)] as const))
  let over = () => {}
  const player = new EpisodePlayer({
    journal,
    steps: () => 0,
    limits: {},
    seed: ['seed'],
    async play(effects) {
      const request = { model: choice, roles: {} }
      const states = sessions
        ? new HostedStates(effects, sessions, { facts: environment, seed: 0, holder: writer })
        : new PureStates(new Map(cores), 0, environment)
      const models = onlyModel(toModel(played, requests))
      const calls = new ModelCalls({ effects, models, request, meter: () => freeMeter })
      const memory = new EpisodeMemory({
        effects,
        calls,
        episode: 'ep-0000000',
        task,
        group: training.length > 0 ? 'any' : null,
        notes: async () => [],
      })
      const scope = await EpisodeScope.open(
        {
          environment: environment.id,
          success_threshold: 1,
          task,
          objective: 'reach the goal',
          guide,
          describe: () => ({ guide, objective: 'reach the goal' }),
          method: method.id,
          answer: training.length > 0 ? 'last' : method.answer(parameters),
          system: method.system(parameters, prompts, guide, showKnowledge(prompts, { notes, actions })),
          defaultMaxSteps: environment.default_max_steps,
          training,
          notes,
          actions,
        },
        { effects, states, calls, memory, prompts, sandbox, pictures: openPictureStore(world.objects) },
      )
      over = () => scope.end()
      await (training.length > 0 ? method.learn?.(scope, parameters) : method.play(scope, parameters))
    },
  })
  const outcome = await player.play()
  over()
  return outcome
}

const choice = {
  endpoint: 'test',
  id: 'test',
  temperature: 1,
  top_p: 1,
  max_tokens: 2048,
  max_prompt_tokens: 32_000,
}

function toModel(
  { answer, delay = 0 }: Pick<PlayedMethod<object>, 'answer' | 'delay'>,
  requests: ChatRequest[],
): ChatModel {
  return {
    async complete(request) {
      requests.push(request)
      const said: (string | ChatChoice)[] = [answer(request)].flat()
      if (delay > 0) await rest(seededRandom('delay', request.seed)() * delay)
      const choices = Array.from({ length: request.n ?? 1 }, (_, place) => {
        const one = said[place % said.length] as string | ChatChoice
        return typeof one === 'string' ? { content: one, finish_reason: 'stop' } : one
      })
      return { choices, model_calls: 1, input_tokens: 10, output_tokens: 5, cost: 0 }
    },
  }
}

function toNote(note: string, place: number): MemoryNote {
  return {
    id: `note-${place}`,
    side: 'task',
    group: null,
    episode: 'ep-0000000',
    task: 'other',
    objective: '',
    observation: '',
    action: null,
    note,
    surprise: null,
    embedding: null,
  }
}

async function readPlayed(world: World): Promise<Omit<Played, 'outcome' | 'requests'>> {
  const { records } = await readJournal(world.objects, prefix)
  const entries = records.flatMap((record) => ('entry' in record ? [record.entry] : [])) as TreeEntry[]
  const effects = records.flatMap((record) => ('effect' in record ? [record] : []))
  const tree = SearchTree.fold(entries) as SearchTree
  const told = entries.filter((entry) => 'note' in entry || 'learned' in entry)
  return { tree, entries, effects, bytes: JSON.stringify([tree?.toTree(), tree?.unread, told]) }
}
