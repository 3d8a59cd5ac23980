import { EspalierError } from '../../core/contracts/errors.ts'
import type { Json, JsonObject } from '../../core/contracts/json.ts'
import type { LoopRequest } from '../../core/contracts/loop.ts'
import { type LoopSettingName, type LoopSettings, ofRound } from '../../core/contracts/loop-settings.ts'
import { checkTrainings } from './check-trainings.ts'
import type { LoopPorts, LoopTask } from './loop-ports.ts'
import type { LoopRecipe } from './recipes/recipe.ts'
import { loopRecipes } from './recipes/recipes.ts'

type CheckParts = Pick<LoopPorts, 'checkEndpoint' | 'models' | 'tasks'> & {
  trainings: Pick<LoopPorts['trainings'], 'checkPlanned'>
}

export interface TasksOfLoop {
  formOf: ((task: string) => Promise<string>) | undefined
  data: string | undefined
  train: LoopTask[]
  dev: LoopTask[]
  test: LoopTask[]
}

/**
 * Checks a loop as far as possible before it begins.
 *
 * @returns the request with every setting of its recipe, and the data of its tasks pinned
 * @throws EspalierError naming the field at fault and the way out
 */
export async function checkLoop(
  parts: CheckParts,
  asked: LoopRequest,
): Promise<{ request: LoopRequest; tasks: TasksOfLoop }> {
  const request = await takePreset(asked, loopRecipes[asked.recipe])
  const settings = resolveSettings(request)
  const resolved = { ...request, settings }
  checkExperts(resolved)
  checkBase(resolved)
  checkShares(settings)
  if (request.candidates > 1 && request.tasks.dev === undefined) {
    throw invalid(
      'tasks.dev',
      'Checkpoints are chosen on dev tasks: name some in tasks.dev, or leave candidates at 1, which takes the last.',
    )
  }
  if ('registered' in request.base) await parts.models.get(request.base.registered)
  if (request.policy !== undefined) await parts.checkEndpoint(request.policy, 'policy.endpoint')
  await checkTrainings(parts, resolved)
  const tasks = await tasksOfLoop(parts, request)
  checkSplits(tasks)
  return { request: { ...resolved, ...(tasks.data !== undefined && { data: tasks.data }) }, tasks }
}

/**
 * Overrides the recipe's settings with those of the request.
 *
 * @throws EspalierError `invalid_request` for a setting that the recipe does not have
 */
export function resolveSettings({ recipe: id, settings, general }: LoopRequest): LoopSettings {
  const recipe = loopRecipes[id]
  const known = recipe.settings.map(({ field }) => field)
  for (const field of Object.keys(settings) as LoopSettingName[]) {
    if (settings[field] === undefined || known.includes(field)) continue
    throw invalid(
      `settings.${field}`,
      `The recipe "${id}" has no setting "${field}". It has: ${known.join(', ')}.`,
    )
  }
  const stated = recipe.settings.filter(({ value }) => value !== null)
  const defaults = Object.fromEntries(stated.map(({ field, value }) => [field, value])) as LoopSettings
  const resolved = { ...defaults, ...settings }
  if (general.length === 0) {
    if (settings.general_share === undefined) {
      const { general_share: _, ...rest } = resolved
      return rest
    }
    throw invalid('general', 'general_share mixes conversations in: name them in "general".')
  }
  if (recipe.training === 'sft') return { ...resolved, general_share: resolved.general_share ?? 0.2 }
  throw invalid(
    'general',
    `The rows of "${id}" are no conversations, so none can be mixed in. Leave "general" out.`,
  )
}

function checkExperts({ recipe, experts, settings, control }: LoopRequest): void {
  if (experts.length > 0) return
  const { pairsWithExperts } = loopRecipes[recipe]
  const why = pairsWithExperts
    ? `the recipe "${recipe}" compares with an expert`
    : settings.warm_start === 'sft'
      ? 'the warm start trains on them (settings.warm_start)'
      : isAny(settings.expert_rows)
        ? 'each round trains on their rows too (settings.expert_rows)'
        : control
          ? 'the control trains on their rows alone (control)'
          : null
  if (why === null) return
  throw invalid(
    'experts',
    `Name runs or imported trajectories of an expert at training tasks in "experts": ${why}.`,
  )
}

function checkShares({ earlier_share, expert_share, rounds = 1 }: LoopSettings): void {
  for (let round = 1; round <= rounds; round += 1) {
    const sum = (ofRound(earlier_share, round) ?? 0) + (ofRound(expert_share, round) ?? 0)
    if (sum < 1) continue
    throw invalid(
      'settings.expert_share',
      `expert_share and earlier_share are ${sum} in sum in round ${round}, which leaves nothing for its own rows. Lower one of them.`,
    )
  }
}

function checkBase({ base, policy, settings }: LoopRequest): void {
  if ('registered' in base || policy !== undefined || settings.warm_start === 'sft') return
  throw invalid(
    'policy',
    'The base plays before the first training, and only a registered model is served by itself. Register it, name in "policy" the endpoint and model that answer for it, or begin with settings.warm_start "sft".',
  )
}

/** Finds the tasks that a loop's request names. @throws EspalierError `unknown_task`, with its path in the request */
export async function tasksOfLoop(
  { tasks: find }: Pick<CheckParts, 'tasks'>,
  request: Pick<LoopRequest, 'environment' | 'data' | 'environment_options' | 'tasks'>,
): Promise<TasksOfLoop> {
  const { train, dev, test } = request.tasks
  const named = async (place: string, selection: typeof train | undefined) => {
    if (selection === undefined) return { data: undefined, tasks: [], formOf: undefined }
    try {
      return await find(request, selection)
    } catch (error) {
      if (!EspalierError.isInstance(error) || error.param === null) throw error
      const param = error.param.replace(/^tasks/, `tasks.${place}`)
      throw new EspalierError(error.code, error.message, { param, cause: error })
    }
  }
  const [trained, chosen, tested] = [
    await named('train', train),
    await named('dev', dev),
    await named('test', test),
  ]
  const { data, formOf } = trained
  return { data, formOf, train: trained.tasks, dev: chosen.tasks, test: tested.tasks }
}

function checkSplits({ train, dev, test }: TasksOfLoop): void {
  const heldOut = train.find(({ split }) => split !== 'train')
  if (heldOut !== undefined) {
    throw invalid(
      'tasks.train',
      `The training tasks hold ${heldOut.id}, which is of the split "${heldOut.split}": the environment holds it out for evaluation, and rows of it are never trained on. Choose tasks of the split "train".`,
    )
  }
  const pairs = [
    ['train', train, 'test', test],
    ['train', train, 'dev', dev],
    ['dev', dev, 'test', test],
  ] as const
  for (const [name, tasks, otherName, others] of pairs) {
    const ids = new Set(others.map(({ id }) => id))
    const shared = tasks.filter(({ id }) => ids.has(id))
    if (shared.length === 0) continue
    throw invalid(
      `tasks.${otherName}`,
      `${shared.length} tasks are both in tasks.${name} and in tasks.${otherName}, such as ${shared[0]?.id}. Narrow one of them, for example by its range.`,
    )
  }
}

function isAny(value: boolean | boolean[] | undefined): boolean {
  return Array.isArray(value) ? value.includes(true) : value === true
}

function invalid(param: string, message: string): EspalierError {
  return new EspalierError('invalid_request', message, { param })
}

/**
 * Adds the settings that the recipe's preset has for the environment. Values of the request stay. A request with a
 * method of its own takes none of the preset's parameters.
 */
async function takePreset(request: LoopRequest, { preset }: LoopRecipe): Promise<LoopRequest> {
  if (preset === undefined) return request
  const { findPreset } = await import('../../play/presets/presets.ts')
  const taken: Record<string, JsonObject> = {}
  for (const { field, value, environments } of findPreset(preset.id).settings) {
    if (environments?.includes(request.environment) === false) continue
    const [part, name] = field.split('.') as [string, string | undefined]
    if (name === undefined || !preset.fields.some((each) => each === field || each === part)) continue
    taken[part] = { ...taken[part], [name]: value as Json }
  }
  const { method, model, environment_options } = taken
  return {
    ...request,
    model: { ...model, ...request.model },
    ...(environment_options !== undefined && {
      environment_options: { ...environment_options, ...request.environment_options },
    }),
    ...(method !== undefined && {
      settings: { method: method as LoopSettings['method'], ...request.settings },
    }),
  }
}
