import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { noTally } from '../../shared/core/contracts/answers.ts'
import { type EpisodeResult, episodeId } from '../../shared/core/contracts/episode.ts'
import type { LearnedAction } from '../../shared/core/contracts/library.ts'
import type { MemoryNote } from '../../shared/core/contracts/memory.ts'
import { unknownProvenance } from '../../shared/core/contracts/provenance.ts'
import { noUsage } from '../../shared/core/contracts/usage.ts'
import type { EpisodeProgram, EpisodePrograms } from '../../shared/core/engine/episodes/episode-program.ts'
import type { JournalRecord } from '../../shared/core/engine/journal-record.ts'
import type { MemoryReader } from '../../shared/core/engine/memories/memory-reader.ts'
import { openMemoryReader } from '../../shared/core/engine/memories/open-memory-reader.ts'
import { openEngine } from '../../shared/core/engine/open-engine.ts'
import type { EpisodePlace } from '../../shared/core/engine/runs/run-definition.ts'
import type { RunPlan } from '../../shared/core/engine/runs/run-planner.ts'
import type { Runs } from '../../shared/core/engine/runs/runs.ts'
import type { World } from '../../shared/core/world/ports.ts'

export interface LearningEngineOptions {
  world: World
  tasks?: string[]
  /** What the planner adds to the plan. */
  sharing: Partial<Omit<RunPlan, 'request' | 'tasks' | 'priced'>>
  /** Called for an episode that begins; what it throws ends it. */
  onStart?: (place: EpisodePlace) => void
  onEnd?: (episode: string, result: EpisodeResult) => void
  /** Of an ordinary episode: how many notes it leaves. @default 1 */
  notes?: (index: number) => number
  worker?: string
}

/**
 * An engine whose episodes do one thing: those that learn leave an action, the others read what is there and leave notes of
 * it, whose text is the number of notes they read.
 */
export function openLearningEngine(options: LearningEngineOptions) {
  const { world, tasks = ['a', 'b', 'c', 'd'], sharing, onEnd } = options
  const memory = openMemoryReader(world)
  const errors: unknown[] = []
  const worker = options.worker ?? `worker-${randomUUID()}`
  const engine = openEngine({
    world,
    planner: {
      plan: async (request) => ({ request, tasks, priced: true, ...sharing }),
      planAnnotations: (request, episodes) => ({ request, tasks: episodes, priced: true }),
      extend: (settings) => settings,
      provenanceOf: () => unknownProvenance,
      checkLimits: () => undefined,
    },
    programs: toyPrograms(memory, options),
    reconcile: async () => 'unknown',
    code: 'toy',
    worker,
    onEpisodeEnd: (_run, episode, result) => onEnd?.(episode, result),
    onError: (error) => errors.push(error),
  })
  let stopped: Promise<void> | null = null
  const stop = () => {
    stopped ??= engine.worker.stop(1)
    return stopped
  }
  onTestFinished(stop)
  const runs: Runs = engine.runs.of('default')
  return { ...engine, runs, tenants: engine.runs, memory, errors, stop }
}

function toyPrograms(
  memory: MemoryReader,
  { onStart, notes = () => 1, sharing }: LearningEngineOptions,
): EpisodePrograms {
  return {
    program: async (run, _request, place): Promise<EpisodeProgram> => {
      onStart?.(place)
      return {
        steps: () => 0,
        close: async () => undefined,
        async play(scope) {
          const before = sharing.live ? null : place.roundStart
          await scope.effect('read', { settings: { before } }, async () => {
            if (place.purpose === 'play' && (sharing.learning ?? []).length > 0) await memory.learned(run, 0)
            return { result: (await memory.notesOf(run, { before })).map(({ id }) => id) }
          })
        },
      }
    },
    summarise: async (_run, _request, place, records) => ({
      tree: { read: readIn(records) },
      trajectory: null,
      reward: place.purpose === 'play' ? 1 : null,
      success: place.purpose === 'play' ? true : null,
      steps: 1,
      nodes: 1,
      path_length: 2,
      primitive_steps: 5,
      progress_rate: null,
      grounding_accuracy: null,
      invalid_actions: 0,
      unparsable: 1,
      answers: noTally,
      fault: null,
      usage: noUsage,
      notes:
        place.purpose === 'learn'
          ? []
          : Array.from({ length: notes(place.index) }, (_, at) => toNote(place, at, readIn(records).length)),
      actions: place.purpose === 'learn' ? [toAction(place)] : [],
    }),
  }
}

function readIn(records: readonly JournalRecord[]): string[] {
  return records.flatMap((record) => ('effect' in record ? (record.result as string[]) : []))
}

export function toNote(
  { index, task }: Pick<EpisodePlace, 'index' | 'task'>,
  at: number,
  read = 0,
): MemoryNote {
  const episode = episodeId(index)
  return {
    id: `${episode}/${at}`,
    side: 'policy',
    group: null,
    episode,
    task,
    objective: 'objective',
    observation: 'observation',
    action: null,
    note: String(read),
    surprise: null,
    embedding: null,
  }
}

function toAction({ group, training }: EpisodePlace): LearnedAction {
  return {
    name: 'carry',
    group,
    parameters: ['ball'],
    description: `Learned from ${training.join(', ')}.`,
    code: 'function carry(ball) {}',
    usage: '',
    notes: [],
    scores: null,
    lineage: [],
  }
}
