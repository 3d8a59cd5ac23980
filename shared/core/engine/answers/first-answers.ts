import type { Role } from '../../contracts/model-choice.ts'
import { Coalesced } from '../../world/coalesced.ts'
import type { World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import { momentOf } from '../runs/run-clock.ts'
import { type RunStore, toStatus } from '../runs/run-store.ts'

export interface ReceivedAnswers {
  asked: 'policy' | Role
  answers: number
  cut: number
  empty: number
  reasoned: number
  called: number
  max_tokens: number
  param: string
}

export type AnswerListener = (received: ReceivedAnswers) => void

const window = { from: 10, to: 50 }

type Counts = Pick<ReceivedAnswers, 'answers' | 'cut' | 'empty' | 'reasoned' | 'called'>

export interface FirstAnswersOptions {
  world: World
  store: RunStore
  stop: (run: string, reason: string) => void
}

/**
 * Pauses a run if most of its first answers are cut or empty, before its episodes are scored on them. The ledger
 * counts the answers of all workers, separately for the agent and each role. The worker that finds most of them
 * unusable pauses the run. One compare-and-set pauses and marks the run, so this happens once per run: a user who
 * resumes it has seen the reason.
 */
export class FirstAnswers {
  readonly #options: FirstAnswersOptions
  readonly #uncounted = new Map<string, Counts>()
  readonly #settled = new Map<string, Set<string>>()
  readonly #turns = new Coalesced()
  readonly #counting = new Map<string, Set<Promise<void>>>()
  readonly #failures = new Map<string, unknown>()

  constructor(options: FirstAnswersOptions) {
    this.#options = options
  }

  note(run: string, received: ReceivedAnswers): void {
    const { asked } = received
    if (this.#settled.get(run)?.has(asked) === true) return
    const name = JSON.stringify([run, asked])
    this.#uncounted.set(name, add(this.#uncounted.get(name) ?? nothing, received))
    const running = this.#counting.get(run) ?? new Set()
    this.#counting.set(run, running)
    const counted: Promise<void> = this.#turns
      .run(name, () => this.#count(run, name, received))
      .catch((error: unknown) => {
        this.#failures.set(run, error)
      })
      .finally(() => running.delete(counted))
    running.add(counted)
  }

  /**
   * Waits until all noted answers of a run are counted.
   * @throws the error that prevented counting
   */
  async settled(run: string): Promise<void> {
    await Promise.all(this.#counting.get(run) ?? [])
    const failure = this.#failures.get(run)
    this.#failures.delete(run)
    if (failure !== undefined) throw failure
  }

  leave(run: string): void {
    this.#settled.delete(run)
    if (this.#counting.get(run)?.size === 0) this.#counting.delete(run)
  }

  async #count(run: string, name: string, received: ReceivedAnswers): Promise<void> {
    const found = this.#uncounted.get(name)
    this.#uncounted.delete(name)
    const { asked } = received
    if (found === undefined || this.#settled.get(run)?.has(asked) === true) return
    const key = ledgerKeys.firstAnswers(run, asked)
    const { ledger } = this.#options.world
    // Thousands of workers of a large run start after the count is complete, and one item could not take their
    // additions.
    const before = { ...nothing, ...((await ledger.get(key)) as Partial<Counts> | null) }
    const isCounted = before.answers >= window.to && 2 * (before.cut + before.empty) <= before.answers
    const item = isCounted ? before : (await ledger.update({ key, add: { ...found } })).item
    const counts = { ...nothing, ...(item as Partial<Counts> | null) }
    if (counts.answers < window.from) return
    const isUseless = 2 * (counts.cut + counts.empty) > counts.answers
    if (isUseless) await this.#pause(run, explain(received, counts))
    if (!isUseless && counts.answers < window.to) return
    this.#settled.set(run, (this.#settled.get(run) ?? new Set()).add(asked))
  }

  async #pause(run: string, reason: string): Promise<void> {
    const { stop, store, world } = this.#options
    const row = await store.change(run, (latest) => {
      if (latest.status !== 'running' || latest.answers_checked) return null
      const change = toStatus(latest, 'paused', reason, momentOf(world.clock))
      return { ...change, set: { ...change.set, answers_checked: true } }
    })
    if (row?.status === 'paused') stop(run, row.reason ?? reason)
  }
}

const nothing: Counts = { answers: 0, cut: 0, empty: 0, reasoned: 0, called: 0 }

function add(left: Counts, right: Counts): Counts {
  return {
    answers: left.answers + right.answers,
    cut: left.cut + right.cut,
    empty: left.empty + right.empty,
    reasoned: left.reasoned + right.reasoned,
    called: left.called + right.called,
  }
}

function explain(received: ReceivedAnswers, counts: Counts): string {
  const { asked, max_tokens } = received
  const { answers, cut, empty, reasoned, called } = counts
  const whose = asked === 'policy' ? 'the agent' : `the role "${asked}"`
  const silent = [
    ...(reasoned > 0 ? [`${reasoned} with reasoning alone`] : []),
    ...(called > 0 ? [`${called} with tool calls in place of text`] : []),
  ]
  const parts = [
    ...(cut > 0 ? [`${cut} cut at max_tokens (${max_tokens})`] : []),
    ...(empty > 0 ? [`${empty} empty${silent.length > 0 ? ` (${silent.join(', ')})` : ''}`] : []),
  ]
  return `${cut + empty} of the first ${answers} answers of ${whose} were cut or empty: ${parts.join(', ')}. ${adviceOn(received, counts)}; or resume it to go on all the same.`
}

function adviceOn({ param }: ReceivedAnswers, { cut, empty, reasoned, called }: Counts): string {
  if (cut >= empty) return `Cancel this run and start a new one with a higher ${param}`
  if (reasoned >= empty / 2)
    return "The server takes the whole answer for reasoning: change its reasoning parser (--reasoning-parser of vLLM and SGLang, --reasoning-format of llama.cpp) or the model's chat template, then resume"
  if (called >= empty / 2)
    return 'The model calls tools, and the run reads text: turn off tool calls at the server, or choose another model in a new run'
  return "The model ends without a word: see what the endpoint sends (espalier endpoints test), and that the server's chat template is the model's"
}
