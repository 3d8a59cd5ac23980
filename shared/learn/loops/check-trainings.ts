import { EspalierError } from '../../core/contracts/errors.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import type { LoopRequest } from '../../core/contracts/loop.ts'
import { type LoopSettings, ofRound } from '../../core/contracts/loop-settings.ts'
import type { PlannedTraining } from '../../core/contracts/training.ts'
import type { LoopPorts } from './loop-ports.ts'
import { loopRecipes } from './recipes/recipes.ts'

const settingOf = { learning_rate: 'learning_rate', epochs: 'epochs', beta: 'dpo_beta' } as const
const ownNames = Object.keys(settingOf) as (keyof typeof settingOf)[]

export function roundHyperparameters(settings: LoopSettings, round: number): JsonObject {
  const own = ownNames.flatMap((name) => {
    const value = ofRound(settings[settingOf[name]], round)
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...settings.hyperparameters, ...Object.fromEntries(own) }
}

/**
 * Hyperparameters of a training on the experts' rows.
 *
 * @param steps - for the control: as many as the round took. Null: as its epochs have
 */
export function expertHyperparameters(
  { warm_start_hyperparameters }: LoopSettings,
  steps: number | null,
): JsonObject {
  return { ...warm_start_hyperparameters, ...(steps !== null && { max_steps: steps }) }
}

/**
 * Asks the trainer to check each training of a loop before any episode is played.
 *
 * @param request - with every setting of its recipe
 * @throws EspalierError naming the field of the loop's request
 */
export async function checkTrainings(
  { trainings }: { trainings: Pick<LoopPorts['trainings'], 'checkPlanned'> },
  request: LoopRequest,
): Promise<void> {
  const { base, checkpoint_steps, control, format, lora, recipe, seed, settings, trainer } = request
  const { kind, training } = loopRecipes[recipe]
  const common = { base, checkpoint_steps, lora, seed, trainer }
  const check = async (
    planned: Pick<PlannedTraining, 'hyperparameters' | 'recipe'> & { kind: typeof kind },
    fieldOf: (name: string) => string,
  ) => {
    const { kind: rows, ...asked } = planned
    try {
      await trainings.checkPlanned({ ...common, ...asked, data: { kind: rows, format } })
    } catch (error) {
      throw asLoopError(error, fieldOf)
    }
  }
  if (settings.warm_start === 'sft' || control) {
    const steps = control ? 1 : null
    const said = settings.warm_start_hyperparameters ?? {}
    await check(
      { recipe: 'sft', kind: 'sft', hyperparameters: expertHyperparameters(settings, steps) },
      (name) =>
        name === 'max_steps' && !(name in said) ? 'control' : `settings.warm_start_hyperparameters.${name}`,
    )
  }
  const seen = new Set<string>()
  for (let round = 1; round <= (settings.rounds ?? 1); round += 1) {
    const hyperparameters = roundHyperparameters(settings, round)
    const text = JSON.stringify(hyperparameters)
    if (seen.has(text)) continue
    seen.add(text)
    await check({ recipe: training, kind, hyperparameters }, (name) => {
      const own = ownNames.find((each) => each === name)
      const isOwn = own !== undefined && ofRound(settings[settingOf[own]], round) !== undefined
      return isOwn ? `settings.${settingOf[own]}` : `settings.hyperparameters.${name}`
    })
  }
}

function asLoopError(error: unknown, fieldOf: (name: string) => string): unknown {
  if (!EspalierError.isInstance(error) || error.param === null) return error
  const [, name] = /^hyperparameters\.([^.]+)/.exec(error.param) ?? []
  const param = name !== undefined ? fieldOf(name) : error.param === 'recipe' ? 'trainer' : error.param
  if (param === error.param) return error
  return new EspalierError(error.code, error.message, { param, cause: error })
}
