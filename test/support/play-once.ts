import type { EpisodeLimits } from '../../shared/core/contracts/limits.ts'
import { type RunRequestInput, runRequestSchema } from '../../shared/core/contracts/run.ts'
import type { Tree } from '../../shared/core/contracts/tree.ts'
import { EpisodePlayer, type PlayOutcome } from '../../shared/core/engine/episode-player.ts'
import { Journal } from '../../shared/core/engine/journal.ts'
import type { JournalRecord } from '../../shared/core/engine/journal-record.ts'
import { WorkerLogs } from '../../shared/core/engine/log/worker-logs.ts'
import type { MemoryReader } from '../../shared/core/engine/memories/memory-reader.ts'
import { readJournal } from '../../shared/core/engine/read-journal.ts'
import type { EpisodePlace } from '../../shared/core/engine/runs/run-definition.ts'
import type { Clock, Objects, World } from '../../shared/core/world/ports.ts'
import type { Environment } from '../../shared/environments/environment.ts'
import type { SessionSource } from '../../shared/environments/session-source.ts'
import { createEpisodePrograms } from '../../shared/play/methods/episode-programs.ts'
import { openMethods } from '../../shared/play/methods/methods.ts'
import type { ModelsByEndpoint } from '../../shared/play/methods/model-calls.ts'
import type { ChatModel } from '../../shared/play/models/chat-model.ts'
import { freeMeter } from './free-meter.ts'
import { onlyModel } from './only-model.ts'
import { noSessions } from './open-test-engine.ts'
import { onlyEnvironment } from './test-environment.ts'

export interface PlayOnceOptions {
  world: { objects: Objects; clock: Clock } | World
  environment: Environment
  sessions?: SessionSource
  hosting?: 'host'
  task?: string
  model: ChatModel
  /** Where there are more than the one chat model. */
  models?: ModelsByEndpoint
  method: { id: string; [parameter: string]: unknown }
  /** What the run says beside its method. */
  request?: Partial<
    Pick<RunRequestInput, 'environment_options' | 'examples' | 'model' | 'prompts' | 'roles' | 'seed'>
  >
  /** What runs have learned. @default nothing */
  memories?: MemoryReader
  place?: Partial<EpisodePlace>
  writer?: string
  code?: string
  limits?: EpisodeLimits
  gatherFor?: number
  /** See the engine's own option. */
  groupFor?: number
}

export const journalPrefix = 'runs/run/episodes/ep-0000000/attempts/1/journal/'
const noMemories: MemoryReader = {
  notesOf: async () => [],
  actionsOf: async () => [],
  learned: async () => ({ notes: [], actions: [] }),
}

const toPlace = ({ task = 'task', place }: PlayOnceOptions): EpisodePlace => ({
  index: 0,
  task,
  epoch: 0,
  purpose: 'play',
  group: null,
  training: [],
  roundStart: 0,
  ...place,
})

/** One worker's turn with the one episode of a world: whatever its journal holds is replayed, then it goes on. */
export async function playOnce(
  options: PlayOnceOptions,
): Promise<{ outcome: PlayOutcome; journal: Journal }> {
  const { world, writer = 'worker', code = 'code', groupFor } = options
  const { objects, clock } = world
  const logs = groupFor === undefined ? null : new WorkerLogs({ objects, clock }, groupFor)
  const journal = await Journal.open({
    objects,
    clock,
    prefix: journalPrefix,
    writer,
    code,
    ...(logs && { log: () => logs.of('run') }),
  })
  const program = await toPrograms(options).program(
    'run',
    toRequest(options),
    toPlace(options),
    () => freeMeter,
  )
  const player = new EpisodePlayer({
    journal,
    play: (scope) => program.play(scope),
    steps: () => program.steps(),
    limits: options.limits ?? {},
    seed: ['seed'],
    gatherFor: options.gatherFor ?? 0,
  })
  const outcome = await player.play()
  await program.close()
  return { outcome, journal }
}

/** What the episode's journal amounts to, as the bytes of `tree.json`. */
export async function treeBytes(options: PlayOnceOptions): Promise<string> {
  return JSON.stringify((await summarise(options))?.tree)
}

export async function treeOf(options: PlayOnceOptions): Promise<Tree> {
  return JSON.parse(await treeBytes(options)) as Tree
}

export async function summarise(options: PlayOnceOptions) {
  const { records } = await readJournal(options.world.objects, journalPrefix)
  return toPrograms(options).summarise('run', toRequest(options), toPlace(options), records)
}

export async function journalRecords({ world }: Pick<PlayOnceOptions, 'world'>): Promise<JournalRecord[]> {
  return (await readJournal(world.objects, journalPrefix)).records
}

export async function committedEffects(options: Pick<PlayOnceOptions, 'world'>): Promise<string[]> {
  return (await journalRecords(options)).flatMap((record) => ('effect' in record ? [record.effect] : []))
}

function toPrograms(options: PlayOnceOptions) {
  const {
    environment,
    memories = noMemories,
    model,
    models,
    sessions = noSessions,
    writer = 'worker',
  } = options
  return createEpisodePrograms({
    methods: openMethods(),
    environments: onlyEnvironment(environment),
    sessions: () => sessions,
    models: models ?? onlyModel(model),
    memories,
    worker: writer,
    version: 'test',
  })
}

function toRequest({ environment, method, hosting, request }: PlayOnceOptions) {
  return runRequestSchema.parse({
    environment: environment.id,
    method,
    hosting,
    model: { endpoint: 'test', id: 'test' },
    ...request,
  })
}
