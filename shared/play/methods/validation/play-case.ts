import type { EpisodePurpose } from '../../../core/contracts/episode.ts'
import type { JsonObject } from '../../../core/contracts/json.ts'
import type { EpisodeLimits } from '../../../core/contracts/limits.ts'
import type { Meter } from '../../../core/contracts/meter.ts'
import { type RunRequest, runRequestSchema } from '../../../core/contracts/run.ts'
import { EpisodePlayer, type PlayOutcome } from '../../../core/engine/episode-player.ts'
import type { EpisodeSummary } from '../../../core/engine/episodes/episode-program.ts'
import { Journal, type JournalOptions } from '../../../core/engine/journal.ts'
import { segmentKey } from '../../../core/engine/journal-keys.ts'
import type { EffectRecord, JournalRecord } from '../../../core/engine/journal-record.ts'
import type { MemoryReader } from '../../../core/engine/memories/memory-reader.ts'
import { readJournal } from '../../../core/engine/read-journal.ts'
import type { EpisodePlace } from '../../../core/engine/runs/run-definition.ts'
import { seededRandom } from '../../../core/random/seeded-random.ts'
import type { Environments } from '../../../environments/open-environments.ts'
import type { ChatModel, ChatRequest } from '../../models/chat-model.ts'
import type { EndpointModels } from '../../models/endpoint-models.ts'
import { createEpisodePrograms } from '../episode-programs.ts'
import type { Methods } from '../methods.ts'
import type { ModelsByEndpoint } from '../model-calls.ts'

type Objects = JournalOptions['objects']

export interface LawParts {
  environments: Pick<Environments, 'open'>
  methods: Methods
  models: EndpointModels
  objects(): Objects
  clock: JournalOptions['clock']
}

export interface LawCase {
  environment: string
  method: JsonObject & { id: string }
  seed: number
  task: string
  purpose: Extract<EpisodePurpose, 'play' | 'learn'>
  group: string | null
  training: string[]
}

export interface CaseOptions {
  objects?: Objects
  change?: JsonObject
  limits?: EpisodeLimits
  delays?: string
}

export interface PlayedCase {
  outcome: PlayOutcome
  objects: Objects
  records: readonly JournalRecord[]
  effects: readonly EffectRecord[]
  segments: number
  summary: EpisodeSummary | null
  bytes: string
  calls: number
  mostAtOnce: number
}

const prefix = 'journal/'
const noMemories: MemoryReader = {
  notesOf: async () => [],
  actionsOf: async () => [],
  learned: async () => ({ notes: [], actions: [] }),
}
const unmetered: Meter = {
  reserve: async () => ({
    id: 'validation',
    settle: async () => undefined,
    release: async () => undefined,
    lose: async () => undefined,
  }),
}
/** Dollars a token, so that cost limits apply. */
const price = 1e-6
const longestDelayMilliseconds = 4

export async function playCase(
  { clock, environments, methods, models, objects: open }: LawParts,
  played: LawCase,
  { objects = open(), change = {}, delays, limits = {} }: CaseOptions = {},
): Promise<PlayedCase> {
  const counts = { calls: 0, now: 0, mostAtOnce: 0 }
  const programs = createEpisodePrograms({
    environments,
    methods,
    sessions: () => {
      throw new Error('Methods are validated in environments that run in this process.')
    },
    models: counting(models, counts, delays),
    memories: noMemories,
    worker: 'validation',
    version: 'validation',
  })
  const request = toRequest(played, change)
  const place = placeOf(played)
  const program = await programs.program('validation', request, place, () => unmetered)
  const journal = await Journal.open({ objects, clock, prefix, writer: 'validation', code: 'validation' })
  const player = new EpisodePlayer({
    journal,
    play: (scope) => program.play(scope),
    steps: () => program.steps(),
    limits,
    seed: [played.seed, played.task, 0],
  })
  const outcome = await player.play()
  await program.close()
  const { records } = await readJournal(objects, prefix)
  const summary = await programs.summarise('validation', request, place, records)
  return {
    outcome,
    objects,
    records,
    effects: records.filter((record) => 'effect' in record),
    segments: journal.segments,
    summary,
    bytes: JSON.stringify({ ...summary, trajectory: null }),
    calls: counts.calls,
    mostAtOnce: counts.mostAtOnce,
  }
}

export async function cutJournal(parts: LawParts, from: Objects, segments: number): Promise<Objects> {
  const objects = parts.objects()
  for (let number = 1; number <= segments; number += 1) {
    const key = segmentKey(prefix, number)
    const stored = await from.get(key)
    if (stored) await objects.put(key, stored.body)
  }
  return objects
}

export function lastEffect(records: readonly JournalRecord[], segments: number): string | null {
  const end = records.findIndex((record) => 'segment' in record && record.segment > segments)
  const shown = end < 0 ? records : records.slice(0, end)
  return shown.findLast((record) => 'effect' in record)?.effect ?? null
}

function toRequest({ environment, method, seed }: LawCase, change: JsonObject): RunRequest {
  return runRequestSchema.parse({
    environment,
    seed,
    method: { ...method, ...change },
    model: { endpoint: 'validation', id: 'validation', max_tokens: 512 },
  })
}

function placeOf({ group, purpose, task, training }: LawCase): EpisodePlace {
  return { index: 0, task, epoch: 0, purpose, group, training, roundStart: 0 }
}

function counting(
  { chat, embedding, scorer }: EndpointModels,
  counts: { calls: number; now: number; mostAtOnce: number },
  delays: string | undefined,
): ModelsByEndpoint {
  async function counted<Answer>(name: string, ask: () => Promise<Answer>): Promise<Answer> {
    counts.calls += 1
    counts.now += 1
    counts.mostAtOnce = Math.max(counts.mostAtOnce, counts.now)
    try {
      if (delays !== undefined) await rest(seededRandom(delays, name)() * longestDelayMilliseconds)
      return await ask()
    } finally {
      counts.now -= 1
    }
  }
  const model: ChatModel = {
    async complete(request, options) {
      const answer = await counted(nameOf(request), () => chat.complete(request, options))
      return { ...answer, cost: (answer.input_tokens + answer.output_tokens) * price }
    },
  }
  return {
    model: () => model,
    embedding: () => ({
      embed: (request, options) => counted(request.texts.join('\n'), () => embedding.embed(request, options)),
    }),
    scorer: () => ({
      score: (request, options) => counted('score', () => scorer.score(request, options)),
    }),
  }
}

function nameOf({ messages, seed }: ChatRequest): string {
  return `${seed} ${JSON.stringify(messages.at(-1))}`
}

function rest(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
