import type { DatasetRequest } from '../../core/contracts/dataset.ts'
import { datasetRequestSchema } from '../../core/contracts/dataset.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import type { Loop, LoopLimits, LoopPolicy } from '../../core/contracts/loop.ts'
import { type LoopSettings, ofRound } from '../../core/contracts/loop-settings.ts'
import { type RunRequest, runRequestSchema, type TaskSelection } from '../../core/contracts/run.ts'
import { type TrainingRequest, trainingRequestSchema } from '../../core/contracts/training.ts'
import { clipText } from '../../core/contracts/well-formed.ts'
import { controlHyperparameters, roundHyperparameters } from './check-trainings.ts'
import { findStage, type LoopState } from './loop-state.ts'
import { type PlannedStage, startOf } from './plan-stages.ts'
import { loopRecipes } from './recipes/recipes.ts'

/** The seed of a stage: rounds draw differently, and a repeated round draws the same. */
const seedOf = ({ request }: Pick<Loop, 'request'>, round: number) => request.seed + round

function nameOf(loop: Pick<Loop, 'id' | 'name'>, { round, id }: Pick<PlannedStage, 'round' | 'id'>): string {
  return clipText(`${loop.name ?? loop.id}: round ${round}, ${id}`, 200)
}

export function explorationRequest(
  loop: Loop,
  stage: PlannedStage,
  policy: LoopPolicy,
  limits: LoopLimits,
): RunRequest {
  const { policy: stated, recipe, settings, tasks } = loop.request
  const { round } = stage
  const samples = ofRound(settings.samples, round) ?? 1
  const budget = ofRound(settings.token_budget, round)
  const asked = runOf(loop, stage, {
    policy,
    limits,
    tasks: tasks.train,
    method: settings.method ?? usualMethod,
    prompts: settings.prompts ?? {},
    temperature: ofRound(settings.temperature, round) ?? 1,
    epochs: samples,
    seed: seedOf(loop, round),
  })
  const { episode_limits, model } = asked
  return {
    ...asked,
    ...(budget !== undefined && { episode_limits: withTokens(episode_limits, Math.floor(budget / samples)) }),
    ...(loopRecipes[recipe].kind === 'rollouts' && {
      record: 'tokens',
      // Endpoints of others need not take token ids.
      ...(stated === undefined && { model: { ...model, prompting: 'tokens' } }),
    }),
  }
}

function withTokens(limits: RunRequest['episode_limits'], share: number): RunRequest['episode_limits'] {
  return { ...limits, tokens: Math.max(1, Math.min(share, limits.tokens ?? share)) }
}

/**
 * The run in which a model plays the test tasks, or a candidate the dev tasks. All rounds use one seed, so they
 * compare.
 */
export function evaluationRequest(
  loop: Loop,
  stage: PlannedStage,
  policy: LoopPolicy,
  limits: LoopLimits,
): RunRequest {
  const { settings, tasks, evaluation_epochs, seed } = loop.request
  return runOf(loop, stage, {
    policy,
    limits,
    tasks: stage.purpose === 'candidate' && tasks.dev !== undefined ? tasks.dev : tasks.test,
    method: settings.evaluation_method ?? usualMethod,
    prompts: evaluationPrompts(settings),
    temperature: settings.evaluation_temperature ?? 0,
    epochs: evaluation_epochs,
    seed,
  })
}

const usualMethod = { id: 'react' }

function evaluationPrompts({ evaluation_method, evaluation_prompts, method, prompts }: LoopSettings) {
  const isSame = (evaluation_method ?? usualMethod).id === (method ?? usualMethod).id
  return evaluation_prompts ?? (isSame ? (prompts ?? {}) : {})
}

interface RunParts {
  policy: LoopPolicy
  limits: LoopLimits
  tasks: TaskSelection
  method: RunRequest['method']
  prompts: RunRequest['prompts']
  temperature: number
  epochs: number
  seed: number
}

function runOf(loop: Loop, stage: PlannedStage, parts: RunParts): RunRequest {
  const { request } = loop
  const { policy, temperature, ...rest } = parts
  return runRequestSchema.parse({
    name: nameOf(loop, stage),
    environment: request.environment,
    ...(request.data !== undefined && { data: request.data }),
    ...(request.environment_options !== undefined && { environment_options: request.environment_options }),
    hosting: request.hosting,
    model: { ...policy, ...defined(request.model), temperature },
    max_parallel: request.max_parallel,
    max_retries: request.max_retries,
    episode_limits: request.episode_limits,
    metadata: { loop: loop.id, round: String(stage.round), stage: stage.id },
    ...rest,
  })
}

export function datasetRequest(state: LoopState, stage: PlannedStage, limits: LoopLimits): DatasetRequest {
  const { experts, loop } = state
  const { general, recipe: id, settings, format } = loop.request
  const recipe = loopRecipes[id]
  const { round } = stage
  const common = { name: nameOf(loop, stage), format, seed: seedOf(loop, round) }
  if (stage.purpose === 'experts') return datasetRequestSchema.parse({ ...common, ...experts, kind: 'sft' })
  const parameters = recipe.parameters(settings, round)
  const share = ofRound(settings.general_share, round)
  return datasetRequestSchema.parse({
    ...common,
    runs: [explorationOf(loop, round)],
    ...(recipe.pairsWithExperts && { experts: [...experts.runs, ...experts.trajectories] }),
    ...(general.length > 0 && share !== undefined && { mix: { trajectories: general, share } }),
    kind: recipe.kind,
    parameters,
    // Equal rollouts are samples of their own: without them a group's advantages do not add up.
    ...(recipe.kind === 'rollouts' && { gates: { duplicates: 'keep' } }),
    ...(asksModel(recipe.kind, parameters) && limits.cost !== undefined && { limits: { cost: limits.cost } }),
  })
}

function asksModel(kind: DatasetRequest['kind'], parameters: JsonObject): boolean {
  if (kind === 'revision') return (parameters.first_error ?? 'verifier') === 'verifier'
  return kind === 'exploration' && (parameters.choose === 'model' || parameters.rewrite === 'model')
}

function explorationOf(loop: Pick<Loop, 'rounds'>, round: number): string {
  const found = findStage(loop, round, 'explore')
  if (found === undefined) throw new Error(`Round ${round} has not explored.`)
  return found.ref
}

export function trainingRequest(loop: Loop, stage: PlannedStage, limits: LoopLimits): TrainingRequest {
  const { lora, recipe, settings, trainer, checkpoint_steps } = loop.request
  const { round, purpose } = stage
  const common = {
    name: nameOf(loop, stage),
    trainer,
    lora,
    seed: seedOf(loop, round),
    limits,
    ...(checkpoint_steps !== undefined && { checkpoint_steps }),
  }
  const experts = findStage(loop, 0, 'build-experts')?.ref
  if (purpose === 'experts' || purpose === 'control') {
    const steps = purpose === 'control' ? findStage(loop, round, 'train')?.facts.steps : undefined
    return trainingRequestSchema.parse({
      ...common,
      base: purpose === 'control' ? startOf(loop, loop.rounds[round] ?? { start: null }) : loop.request.base,
      datasets: [{ dataset: experts }],
      recipe: 'sft',
      hyperparameters:
        purpose === 'control'
          ? controlHyperparameters(loop.request, typeof steps === 'number' ? steps : null)
          : (settings.warm_start_hyperparameters ?? {}),
    })
  }
  return trainingRequestSchema.parse({
    ...common,
    base: startOf(loop, loop.rounds[round] ?? { start: null }),
    datasets: trainingDatasets(loop, round, experts),
    recipe: loopRecipes[recipe].training,
    hyperparameters: roundHyperparameters(settings, round),
  })
}

function trainingDatasets(loop: Loop, round: number, experts: string | undefined) {
  const { settings } = loop.request
  const withEarlier = (ofRound(settings.earlier_rounds, round) ?? 'none') === 'all'
  const earlier = withEarlier
    ? loop.rounds.slice(1, round).flatMap(({ round: each }) => findStage(loop, each, 'build')?.ref ?? [])
    : []
  const beside = ofRound(settings.expert_rows, round) === true && experts !== undefined ? [experts] : []
  const own = findStage(loop, round, 'build')?.ref
  const earlierShare = earlier.length === 0 ? undefined : ofRound(settings.earlier_share, round)
  const expertShare = beside.length === 0 ? undefined : ofRound(settings.expert_share, round)
  if (earlierShare === undefined && expertShare === undefined) {
    return [own, ...earlier, ...beside].map((dataset) => ({ dataset }))
  }
  // Shares are set for all datasets or for none: the remainder is split evenly among the others.
  const left = 1 - (earlierShare ?? 0) - (expertShare ?? 0)
  const open =
    1 + (earlierShare === undefined ? earlier.length : 0) + (expertShare === undefined ? beside.length : 0)
  const rest = rounded(left / open)
  const ofEarlier = earlierShare === undefined ? rest : rounded(earlierShare / earlier.length)
  return [
    { dataset: own, share: rest },
    ...earlier.map((dataset) => ({ dataset, share: ofEarlier })),
    ...beside.map((dataset) => ({ dataset, share: expertShare ?? rest })),
  ]
}

function rounded(share: number): number {
  return Number(share.toFixed(12))
}

function defined<Value extends object>(values: Value): Partial<Value> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Partial<Value>
}
