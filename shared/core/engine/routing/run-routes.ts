import type { WorkerChoice, WorkerKind } from '../../contracts/workers.ts'
import type { World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import type { RunDefinition, RunDefinitions } from '../runs/run-definition.ts'
import type { RunStore } from '../runs/run-store.ts'

/**
 * Mean answer time in seconds from which long-lived workers play a run without a fixed choice. With eight answers for
 * each of the 64 episodes in flight, Lambda's waiting then costs more than a worker that starts for them and stays
 * for a quarter of an hour. `npm run bench -- aws-workers` has the arithmetic.
 */
export const slowAnswer = 5

const keptFor = 10_000
const mostKept = 1000

interface Route {
  kind: WorkerKind
  choice: WorkerChoice
}

export interface RunRoutesOptions {
  world: Pick<World, 'ledger'>
  store: Pick<RunStore, 'get'>
  definitions: Pick<RunDefinitions, 'get'>
}

/**
 * Chooses between Lambda and long-lived workers for each run of a deployment with both. The choice is made when a
 * run's first messages are sent, from its request and its model's last answer time. A run without a fixed choice
 * moves to workers, once and permanently, if its answers turn out to be slow. A message's destination is no promise:
 * any worker that gets it may play it.
 */
export class RunRoutes {
  readonly #options: RunRoutesOptions
  readonly #kept = new Map<string, Route & { until: number }>()

  constructor(options: RunRoutesOptions) {
    this.#options = options
  }

  async of(run: string): Promise<WorkerKind> {
    return (await this.#route(run)).kind
  }

  /**
   * Records a run's answer time, and moves a run without a fixed choice to long-lived workers if it is long. The next
   * runs with its model start from this result.
   * @param seconds - of an answer, on average
   * @returns the kind of worker that plays the run from now on
   */
  async measured(run: string, seconds: number): Promise<WorkerKind> {
    const { kind, choice } = await this.#route(run)
    if (choice !== 'auto') return kind
    const { request } = await this.#definition(run)
    const isSlow = seconds >= slowAnswer
    if ((await this.#answersSlowly(request)) !== isSlow) {
      const key = ledgerKeys.answerTime(request.model.endpoint, request.model.id)
      await this.#options.world.ledger.update({ key, set: { seconds: Math.round(seconds * 10) / 10 } })
    }
    if (!isSlow || kind === 'fargate') return kind
    const { ledger } = this.#options.world
    await ledger.update({ key: ledgerKeys.route(run), set: { kind: 'fargate', choice } })
    this.#keep(run, { kind: 'fargate', choice })
    return 'fargate'
  }

  async #route(run: string): Promise<Route> {
    const kept = this.#kept.get(run)
    if (kept !== undefined && kept.until > performance.now()) return kept
    const { ledger } = this.#options.world
    const found = (await ledger.get(ledgerKeys.route(run))) as Route | null
    return this.#keep(run, found ?? (await this.#settle(run)))
  }

  async #settle(run: string): Promise<Route> {
    const { request } = await this.#definition(run)
    // Runs of earlier versions without this choice were planned for Lambda.
    const choice = request.workers ?? 'lambda'
    const isSlow = choice === 'auto' && (await this.#answersSlowly(request))
    const kind = choice === 'auto' ? (isSlow ? 'fargate' : 'lambda') : choice
    const key = ledgerKeys.route(run)
    const { item } = await this.#options.world.ledger.update({
      key,
      set: { kind, choice },
      if: [{ is: 'absent' }],
    })
    return item as unknown as Route
  }

  async #answersSlowly({ model }: RunDefinition['request']): Promise<boolean> {
    const item = await this.#options.world.ledger.get(ledgerKeys.answerTime(model.endpoint, model.id))
    return item !== null && Number(item.seconds) >= slowAnswer
  }

  async #definition(run: string): Promise<RunDefinition> {
    const { definitions, store } = this.#options
    return definitions.get(await store.get(run))
  }

  #keep(run: string, { kind, choice }: Route): Route {
    const mayMove = choice === 'auto' && kind === 'lambda'
    const until = mayMove ? performance.now() + keptFor : Number.POSITIVE_INFINITY
    this.#kept.delete(run)
    this.#kept.set(run, { kind, choice, until })
    const oldest = this.#kept.keys().next().value
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest)
    return { kind, choice }
  }
}
