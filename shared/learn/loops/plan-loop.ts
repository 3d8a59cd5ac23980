import { EspalierError } from '../../core/contracts/errors.ts'
import type { RunEstimate } from '../../core/contracts/estimate.ts'
import { jsonObjectSchema } from '../../core/contracts/json.ts'
import type { Loop, LoopPolicy, LoopRequest, LoopRound } from '../../core/contracts/loop.ts'
import type { LoopPlan } from '../../core/contracts/loop-report.ts'
import { ofRound } from '../../core/contracts/loop-settings.ts'
import { checkLoop, type TasksOfLoop } from './check-loop.ts'
import type { LoopPorts } from './loop-ports.ts'
import { type PlannedStage, stagesOf } from './plan-stages.ts'
import { loopRecipes } from './recipes/recipes.ts'
import { evaluationRequest, explorationRequest } from './stage-requests.ts'

type Stage = LoopPlan['stages'][number]

/**
 * Plans a loop stage by stage, with the estimates of its runs. Later models are assumed to answer like the known one:
 * `policy`, or the base’s endpoint. It stores nothing, calls no model, and needs no installed trainer.
 *
 * @throws EspalierError as `Loops.create` does, except for a trainer that is not installed
 */
export async function planLoop(parts: LoopPorts, given: LoopRequest): Promise<LoopPlan> {
  const { checked, missing } = withoutTrainer(parts)
  const { request, tasks } = await checkLoop(checked, given)
  const rounds = request.settings.rounds ?? 1
  const loop = draftOf(request)
  const policy = request.policy ?? null
  const stages: Stage[] = []
  for (let round = 0; round <= rounds; round += 1) {
    for (const planned of withCandidates(request, stagesOf(loop, round))) {
      stages.push(await planStage(parts, { loop, planned, policy, tasks }))
    }
  }
  const played = stages.filter(({ episodes }) => episodes !== null)
  const costs = played.map(({ estimate }) => estimate?.cost ?? null)
  const known = costs.filter((cost) => cost !== null)
  const sum = (of: 'expected' | 'at_most') => known.reduce((total, cost) => total + cost[of], 0)
  return {
    object: 'loop_plan',
    recipe: request.recipe,
    tasks: {
      train: tasks.train.length,
      dev: request.tasks.dev === undefined ? null : tasks.dev.length,
      test: tasks.test.length,
    },
    stages,
    cost: known.length === costs.length ? { expected: sum('expected'), at_most: sum('at_most') } : null,
    missing: [...missing],
    notes: notesOf(request, policy),
    settings: jsonObjectSchema.parse(JSON.parse(JSON.stringify(request.settings))),
  }
}

/** Collects a trainer that is not installed in place of refusing the plan: `create` refuses it. */
function withoutTrainer(parts: LoopPorts): { checked: LoopPorts; missing: Set<string> } {
  const missing = new Set<string>()
  const checkPlanned: LoopPorts['trainings']['checkPlanned'] = async (planned) => {
    try {
      await parts.trainings.checkPlanned(planned)
    } catch (error) {
      const isMissing =
        EspalierError.isInstance(error) && error.code === 'not_supported' && error.param === 'trainer'
      if (!isMissing) throw error
      missing.add(error.message)
    }
  }
  return { checked: { ...parts, trainings: { ...parts.trainings, checkPlanned } }, missing }
}

interface StageNeeds {
  loop: Loop
  planned: PlannedStage
  policy: LoopPolicy | null
  tasks: TasksOfLoop
}

async function planStage(parts: LoopPorts, { loop, planned, policy, tasks }: StageNeeds): Promise<Stage> {
  const { request } = loop
  const { round, id, kind, purpose } = planned
  const stage = { round, stage: id, kind, what: whatOf(loop, planned), episodes: null, estimate: null }
  if (kind !== 'explore' && kind !== 'evaluate') return stage
  const epochs =
    kind === 'explore' ? (ofRound(request.settings.samples, round) ?? 1) : request.evaluation_epochs
  const count =
    kind === 'explore' ? tasks.train.length : purpose === 'candidate' ? tasks.dev.length : tasks.test.length
  const toRequest = kind === 'explore' ? explorationRequest : evaluationRequest
  const asked = policy ?? { endpoint: 'simulated', id: 'simulated' }
  const estimate = await estimateOrNull(parts, () => parts.estimate(toRequest(loop, planned, asked, {})))
  if (estimate === null) return { ...stage, episodes: count * epochs }
  const { model_calls, input_tokens, output_tokens, cost } = estimate
  // Calls and tokens depend on the method. Their cost is known only for the model that answers.
  const price = policy === null ? null : cost
  return {
    ...stage,
    episodes: count * epochs,
    estimate: { model_calls, input_tokens, output_tokens, cost: price },
  }
}

async function estimateOrNull(
  _: LoopPorts,
  estimate: () => Promise<RunEstimate>,
): Promise<RunEstimate | null> {
  try {
    return await estimate()
  } catch (error) {
    if (EspalierError.isInstance(error) && error.code === 'unknown_endpoint') return null
    throw error
  }
}

/** The steps of checkpoints are still unknown, so this counts that many of the last ones. */
function withCandidates({ candidates }: LoopRequest, stages: PlannedStage[]): PlannedStage[] {
  const at = stages.findIndex(({ id }) => id === 'train')
  if (candidates < 2 || at === -1) return stages
  const one = stages[at] as PlannedStage
  const added = Array.from({ length: candidates }, (_, index) => {
    const candidate = { purpose: 'candidate' as const, object: 'run' as const, round: one.round }
    return { ...candidate, id: `evaluate-checkpoint-${index + 1}`, kind: 'evaluate' as const }
  })
  return [...stages.slice(0, at + 1), ...added, ...stages.slice(at + 1)]
}

function whatOf({ request }: Pick<Loop, 'request'>, { kind, purpose, round }: PlannedStage): string {
  const { settings, trainer } = request
  const recipe = loopRecipes[request.recipe]
  switch (kind) {
    case 'explore':
      return `training tasks by ${settings.method?.id ?? 'react'}, temperature ${ofRound(settings.temperature, round) ?? 1}`
    case 'build':
      return purpose === 'experts' ? 'sft rows of the experts' : `${recipe.kind} rows of what was explored`
    case 'train': {
      if (purpose === 'control')
        return 'sft of the same start on the rows of the experts alone, as many steps'
      if (purpose === 'experts') return `sft of the base on the rows of the experts, by ${trainer}`
      const from = ofRound(settings.start_from, round) ?? 'previous'
      return `${recipe.training} by ${trainer}, from the ${from === 'base' ? 'base' : `${from} model`}`
    }
    case 'serve':
      return 'the model becomes an endpoint'
    case 'evaluate': {
      const which = purpose === 'candidate' ? 'dev tasks' : 'test tasks'
      return `${which} by ${settings.evaluation_method?.id ?? 'react'}, temperature ${settings.evaluation_temperature ?? 0}`
    }
  }
}

function notesOf({ limits, patience, control }: LoopRequest, policy: LoopPolicy | null): string[] {
  return [
    ...(policy === null
      ? [
          'The models of the loop are served here, so that what their calls cost is not estimated; calls and tokens are the method’s.',
        ]
      : []),
    'Trainings, and what building rows asks a model, are not in the figures.',
    ...(patience === null ? [] : [`The loop ends early after ${patience} rounds without a promotion.`]),
    ...(limits.cost === undefined && limits.time === undefined
      ? ['Nothing caps the loop: limits.cost and limits.time do.']
      : []),
    ...(control
      ? []
      : ['Without a control a gain may come from longer training alone: control true trains one.']),
  ]
}

function draftOf(request: LoopRequest): Loop {
  const rounds = (request.settings.rounds ?? 1) + 1
  const round = (number: number): LoopRound => ({
    round: number,
    start: null,
    model: null,
    policy: null,
    evaluation: null,
    stages: [],
    outcome: null,
  })
  return {
    id: 'loop',
    object: 'loop',
    name: request.name ?? null,
    status: 'queued',
    reason: null,
    created_at: new Date(0).toISOString(),
    started_at: null,
    ended_at: null,
    running_seconds: 0,
    request,
    progress: { round: 0, rounds: rounds - 1, stage: null, ref: null },
    rounds: Array.from({ length: rounds }, (_, number) => round(number)),
    control: null,
    best: null,
    without_gain: 0,
    usage: { cost: 0, seconds: 0 },
    warnings: [],
  }
}
