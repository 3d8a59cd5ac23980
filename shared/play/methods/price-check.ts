import { EspalierError } from '../../core/contracts/errors.ts'
import type { RunRequest } from '../../core/contracts/run.ts'
import { didYouMean } from '../../core/contracts/validation/nearest-name.ts'
import { namedChoices } from './model-calls.ts'
import type { PlannerOptions } from './plan-run.ts'

export class PriceCheck {
  readonly #isPriced: PlannerOptions['isPriced']
  readonly #models: NonNullable<PlannerOptions['pricedModels']>

  constructor({ isPriced, pricedModels = () => [] }: Pick<PlannerOptions, 'isPriced' | 'pricedModels'>) {
    this.#isPriced = isPriced
    this.#models = pricedModels
  }

  misspelt(request: RunRequest): string[] {
    return namedChoices(request).flatMap(([field, choice]) => {
      if (this.#isPriced(choice, `${field}.endpoint`)) return []
      const meant = didYouMean(choice.id, this.#models(choice.endpoint))
      if (meant === '') return []
      return [
        `The endpoint "${choice.endpoint}" states no price for "${choice.id}", so its cost is unknown.${meant}`,
      ]
    })
  }

  areKnown(request: RunRequest): boolean {
    return namedChoices(request).every(([field, choice]) => this.#isPriced(choice, `${field}.endpoint`))
  }

  /** @throws EspalierError `unpriced_endpoint` if a cost limit applies to an unknown cost */
  checkLimits(request: RunRequest): void {
    const param = request.limits.cost !== undefined ? 'limits.cost' : 'episode_limits.cost'
    if (request.limits.cost === undefined && request.episode_limits.cost === undefined) return
    for (const [field, choice] of namedChoices(request)) {
      if (this.#isPriced(choice, `${field}.endpoint`)) continue
      throw new EspalierError(
        'unpriced_endpoint',
        `${param} needs prices, and the endpoint "${choice.endpoint}" states none for "${choice.id}".${didYouMean(choice.id, this.#models(choice.endpoint))} Add them to its configuration, or limit tokens instead.`,
        { param },
      )
    }
  }
}
