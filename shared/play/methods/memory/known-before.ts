import type { Json } from '../../../core/contracts/json.ts'
import type { LearnedAction } from '../../../core/contracts/library.ts'
import type { MemoryNote } from '../../../core/contracts/memory.ts'
import type { RunRequest } from '../../../core/contracts/run.ts'
import { isLearnedFor } from '../../../core/engine/memories/is-learned-for.ts'
import { runOfLearned } from '../../../core/engine/memories/learned-id.ts'
import type { MemoryReader } from '../../../core/engine/memories/memory-reader.ts'
import type { EpisodePlace } from '../../../core/engine/runs/run-definition.ts'
import type { Environment, EnvironmentTask } from '../../../environments/environment.ts'
import { resolveTasks } from '../../../environments/select-tasks.ts'
import type { Method, Sharing } from '../method.ts'
import { groupOf, planLearning } from '../plan-learning.ts'

export interface KnowingEpisode {
  run: string
  request: RunRequest
  place: EpisodePlace
  environment: Environment
  facts: EnvironmentTask
  method: Method
  parameters: object
}

export class KnownBefore {
  readonly #reader: MemoryReader
  readonly #episode: KnowingEpisode
  readonly #sharing: Sharing | null

  constructor(reader: MemoryReader, episode: KnowingEpisode) {
    this.#reader = reader
    this.#episode = episode
    this.#sharing = episode.method.sharing?.(episode.parameters) ?? null
  }

  get isNeeded(): boolean {
    const { place } = this.#episode
    return (
      place.purpose === 'play' &&
      (this.#sharing?.learning != null || this.#sharing?.reads?.kind === 'library' || this.#readsNotesAtOnce)
    )
  }

  get source(): Json {
    return { run: this.#episode.run, read: this.#sharing?.reads?.id ?? null }
  }

  async learned(): Promise<{ notes: MemoryNote[]; actions: LearnedAction[] }> {
    const { reads } = this.#sharing as Sharing
    const found = reads ? await this.#ofEarlierRun(reads) : await this.#ofLearningEpisode()
    const { environment, facts } = this.#episode
    const isOwn = (item: { group: string | null }) =>
      isLearnedFor(item, { environment: environment.id, type: facts.type })
    const notes = found.notes.filter(isOwn)
    return { notes: notes.slice(-(reads?.most ?? notes.length)), actions: found.actions.filter(isOwn) }
  }

  async notes(): Promise<MemoryNote[]> {
    if (this.#sharing === null) return []
    const { live, reads } = this.#sharing
    const { place, run } = this.#episode
    const earlier = reads?.kind === 'memory' ? (await this.#ofEarlierRun(reads)).notes : []
    const before = live ? null : place.roundStart
    return [...earlier, ...(await this.#reader.notesOf(run, { before }))]
  }

  get #readsNotesAtOnce(): boolean {
    return this.#sharing?.reads?.kind === 'memory' && this.#sharing.roundSize === null && !this.#sharing.live
  }

  async #ofEarlierRun({ kind, id }: NonNullable<Sharing['reads']>) {
    const run = runOfLearned(kind, id)
    return kind === 'library'
      ? { notes: [], actions: await this.#reader.actionsOf(run) }
      : { notes: await this.#reader.notesOf(run, { before: null }), actions: [] }
  }

  async #ofLearningEpisode() {
    const { environment, facts, place, request, run } = this.#episode
    const learning = (this.#sharing as Sharing).learning as NonNullable<Sharing['learning']>
    const tasks = await resolveTasks(environment, request.tasks)
    const plans = planLearning(environment, tasks, learning, request)
    const own = groupOf(learning, environment, facts)
    const lesson = learning.eachEpoch ? place.epoch : 0
    const index = plans.findIndex(({ group, epoch = 0 }) => group === own && epoch === lesson)
    return this.#reader.learned(run, index)
  }
}
