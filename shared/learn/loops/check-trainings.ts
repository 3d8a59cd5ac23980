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
 * Hyperparameters of the control: those of round 1, so that only the rows differ. If round 1 trains by another recipe
 * than `sft`, whose hyperparameters do not fit, they are the warm start's.
 *
 * @param steps - as many as the round took. Null: as its epochs have
 */
export function controlHyperparameters(
  { recipe, settings }: Pick<LoopRequest, 'recipe' | 'settings'>,
  steps: number | null,
): JsonObject {
  const own = isTrainedAlike({ recipe })
    ? roundHyperparameters(settings, 1)
    : (settings.warm_start_hyperparameters ?? {})
  return { ...own, ...(steps !== null && { max_steps: steps }) }
}

export function isTrainedAlike({ recipe }: Pick<LoopRequest, 'recipe'>): boolean {
  return loopRecipes[recipe].training === 'sft'
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
  const ofRoundSetting = (round: number) => (name: string) => {
    const own = ownNames.find((each) => each === name)
    const isOwn = own !== undefined && ofRound(settings[settingOf[own]], round) !== undefined
    return isOwn ? `settings.${settingOf[own]}` : `settings.hyperparameters.${name}`
  }
  const ofWarmStart = (name: string) => `settings.warm_start_hyperparameters.${name}`
  if (settings.warm_start === 'sft') {
    const hyperparameters = settings.warm_start_hyperparameters ?? {}
    await check({ recipe: 'sft', kind: 'sft', hyperparameters }, ofWarmStart)
  }
  if (control) {
    const said = controlHyperparameters(request, null)
    const ofOwn = isTrainedAlike(request) ? ofRoundSetting(1) : ofWarmStart
    await check(
      { recipe: 'sft', kind: 'sft', hyperparameters: controlHyperparameters(request, 1) },
      (name) => (name === 'max_steps' && !(name in said) ? 'control' : ofOwn(name)),
    )
  }
  const seen = new Set<string>()
  for (let round = 1; round <= (settings.rounds ?? 1); round += 1) {
    const hyperparameters = roundHyperparameters(settings, round)
    const text = JSON.stringify(hyperparameters)
    if (seen.has(text)) continue
    seen.add(text)
    await check({ recipe: training, kind, hyperparameters }, ofRoundSetting(round))
  }
}

function asLoopError(error: unknown, fieldOf: (name: string) => string): unknown {
  if (!EspalierError.isInstance(error) || error.param === null) return error
  const [, name] = /^hyperparameters\.([^.]+)/.exec(error.param) ?? []
  const param = name !== undefined ? fieldOf(name) : error.param === 'recipe' ? 'trainer' : error.param
  if (param === error.param) return error
  return new EspalierError(error.code, error.message, { param, cause: error })
}
