import type { EpisodeLimits } from '../../shared/contracts/limits.ts'
import { runRequestSchema } from '../../shared/contracts/run.ts'
import { EpisodePlayer, type PlayOutcome } from '../../shared/engine/episode-player.ts'
import { Journal } from '../../shared/engine/journal.ts'
import { readJournal } from '../../shared/engine/read-journal.ts'
import type { Environment } from '../../shared/environments/environment.ts'
import type { SessionSource } from '../../shared/environments/session-source.ts'
import { createEpisodePrograms } from '../../shared/methods/episode-programs.ts'
import type { ChatModel } from '../../shared/models/chat-model.ts'
import type { Clock, Objects, World } from '../../shared/world/ports.ts'
import { freeMeter } from './free-meter.ts'
import { noSessions } from './open-test-engine.ts'
import { onlyEnvironment } from './test-environment.ts'

export interface PlayOnceOptions {
  world: { objects: Objects; clock: Clock } | World
  environment: Environment
  sessions?: SessionSource
  hosting?: 'host'
  task?: string
  model: ChatModel
  method: { id: string; [parameter: string]: unknown }
  writer?: string
  code?: string
  limits?: EpisodeLimits
  gatherFor?: number
}

const prefix = 'runs/run/episodes/ep-0000000/attempts/1/journal/'
const toPlace = ({ task = 'task' }: PlayOnceOptions) => ({ index: 0, task, epoch: 0 })

/** One worker's turn with the one episode of a world: whatever its journal holds is replayed, then it goes on. */
export async function playOnce(
  options: PlayOnceOptions,
): Promise<{ outcome: PlayOutcome; journal: Journal }> {
  const { world, writer = 'worker', code = 'code' } = options
  const { objects, clock } = world
  const journal = await Journal.open({ objects, clock, prefix, writer, code })
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

export async function summarise(options: PlayOnceOptions) {
  const { records } = await readJournal(options.world.objects, prefix)
  return toPrograms(options).summarise('run', toRequest(options), toPlace(options), records)
}

/** Keys of the effects that are committed. */
export async function committedEffects({ world }: Pick<PlayOnceOptions, 'world'>): Promise<string[]> {
  const { records } = await readJournal(world.objects, prefix)
  return records.flatMap((record) => ('effect' in record ? [record.effect] : []))
}

function toPrograms({ environment, model, sessions = noSessions, writer = 'worker' }: PlayOnceOptions) {
  return createEpisodePrograms({
    environments: onlyEnvironment(environment),
    sessions: () => sessions,
    model: () => model,
    worker: writer,
    version: 'test',
  })
}

function toRequest({ environment, method, hosting }: PlayOnceOptions) {
  return runRequestSchema.parse({
    environment: environment.id,
    method,
    hosting,
    model: { endpoint: 'test', id: 'test' },
  })
}
