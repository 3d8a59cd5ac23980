import type { Json } from '../../../core/contracts/json.ts'
import type { MemoryNote } from '../../../core/contracts/memory.ts'
import type { EffectScope } from '../../../core/engine/effect-scope.ts'
import { ReflectionIndex } from '../../search/reflection-index.ts'
import type { Recollection } from '../method-scope.ts'
import type { ModelCalls } from '../model-calls.ts'

export interface EpisodeMemoryOptions {
  effects: EffectScope
  calls: ModelCalls
  episode: string
  task: string
  group: string | null
  notes(): Promise<readonly MemoryNote[]>
}

export type NewNote = Omit<MemoryNote, 'id' | 'episode' | 'task' | 'embedding' | 'group'>

/** The memory of a run for one of its episodes. Every look-up is an effect, so the journal holds the result. */
export class EpisodeMemory {
  readonly #options: EpisodeMemoryOptions
  #index: Promise<{ notes: readonly MemoryNote[]; index: ReflectionIndex }> | null = null

  constructor(options: EpisodeMemoryOptions) {
    this.#options = options
  }

  get group(): string | null {
    return this.#options.group
  }

  async recall({ key, side, situation, most, least }: Recollection): Promise<MemoryNote[]> {
    const { calls, effects } = this.#options
    const query = calls.embeds ? embeddedText(situation) : comparedWords(situation)
    const settings: Json = {
      side,
      query,
      most,
      least,
      embedding: calls.embeds ? calls.choice('embedding').id : null,
    }
    const found = await effects.effect<Json>(`recall/${key}`, { settings }, async (signal) => {
      const { notes, index } = await this.#open()
      const embedded = calls.embeds && notes.length > 0 ? await calls.embed(query, signal) : null
      const hits = index.search({
        text: comparedWords(situation),
        embedding: embedded,
        most,
        least,
        accept: (place) => notes[place]?.side === side,
      })
      const result = hits.map(({ place, score }) => ({
        ...(notes[place] as MemoryNote),
        embedding: null,
        score,
      }))
      return { result: result as unknown as Json, ...(embedded && { usage: embedded.usage }) }
    })
    return found as unknown as MemoryNote[]
  }

  async complete(note: NewNote, key: string): Promise<MemoryNote> {
    const { calls, effects, episode, group, task } = this.#options
    const text = embeddedText(note)
    const embedding = calls.embeds
      ? await effects.effect<Json>(`remember/${key}/embedding`, { settings: { text } }, async (signal) => {
          const { usage, ...result } = await calls.embed(text, signal)
          return { result, usage }
        })
      : null
    return {
      id: `${episode}/${key}`,
      group,
      episode,
      task,
      ...note,
      embedding: embedding as MemoryNote['embedding'],
    }
  }

  #open() {
    this.#index ??= this.#options.notes().then((notes) => ({
      notes,
      index: new ReflectionIndex(
        notes.map((note) => ({ text: comparedWords(note), embedding: note.embedding })),
      ),
    }))
    return this.#index
  }
}

/** The key for finding a note: the task and the state, not the reflection (Yu et al. 2024, ExACT). */
export type Situation = Pick<MemoryNote, 'objective' | 'observation'>

/**
 * The text to embed for a situation, with ExACT's labels.
 *
 * @example
 * embeddedText({ objective: 'Craft a lever.', observation: 'Got 1 stick' }) // 'Task: Craft a lever.\nObservation:\nGot 1 stick'
 */
export function embeddedText({ objective, observation }: Situation): string {
  return `Task: ${objective}\nObservation:\n${observation}`
}

/** The text for comparing words: without labels, which every note would share with every situation. */
export function comparedWords({ objective, observation }: Situation): string {
  return `${objective}\n${observation}`
}
