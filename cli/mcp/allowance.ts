import { ApiError } from '../../shared/core/client/api-error.ts'
import { formatMoney } from '../../shared/core/client/format-quantity.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { wrongUsage } from '../command-error.ts'

// Dollars. Sums of caps are exact to it.
const rounding = 5e-10

/**
 * The dollars for all runs that one server of tools starts. A run takes its cap, which the service enforces; after its
 * end only its cost.
 */
export class Allowance {
  readonly most: number
  readonly #taken = new Map<string, number>()
  #starting = 0

  constructor(most: number) {
    this.most = most
  }

  get left(): number {
    const taken = [...this.#taken.values()].reduce((sum, cost) => sum + cost, this.#starting)
    return Math.max(0, this.most - taken)
  }

  has(run: string): boolean {
    return this.#taken.has(run)
  }

  get runs(): string[] {
    return [...this.#taken.keys()]
  }

  settle({ ended_at, id, usage: { cost } }: Pick<Run, 'ended_at' | 'id' | 'usage'>): void {
    if (ended_at !== null && cost !== null && this.#taken.has(id)) this.#taken.set(id, cost)
  }

  /**
   * Starts a run within the allowance. If no answer comes, the service may have started the run, so its cap stays taken.
   * @throws CommandError if the allowance does not cover the cap
   */
  async take(cost: number, start: () => Promise<Run>): Promise<Run> {
    if (cost > this.left + rounding) {
      throw wrongUsage(
        `max_cost: ${formatMoney(cost)} is more than the ${formatMoney(this.left)} left of the ${formatMoney(this.most)} for all runs of this server. Ask for less, cancel a run that it started, or ask its user to raise \`espalier mcp --max-cost\`.`,
      )
    }
    this.#starting += cost
    try {
      const run = await start()
      this.#taken.set(run.id, cost)
      this.#starting -= cost
      return run
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) this.#starting -= cost
      throw error
    }
  }
}
