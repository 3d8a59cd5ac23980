import type { JsonObject } from '../../../core/contracts/json.ts'
import type { LoopRequest, LoopRound, LoopStage } from '../../../core/contracts/loop.ts'
import type { LoopDifference, LoopReport, ReportedRound } from '../../../core/contracts/loop-report.ts'
import type { Estimate } from '../../../core/contracts/report.ts'
import type { Run } from '../../../core/contracts/run.ts'
import { controlHyperparameters, isTrainedAlike, roundHyperparameters } from '../check-trainings.ts'
import { compareEvaluations, erroredShare } from '../compare-evaluations.ts'
import type { LoopPorts } from '../loop-ports.ts'
import { findStage, type LoopState, usageOf } from '../loop-state.ts'
import { loopRecipes } from '../recipes/recipes.ts'
import { loopLineage } from './loop-lineage.ts'

type Evaluated = NonNullable<ReportedRound['evaluation']>

export async function buildLoopReport(
  parts: Pick<LoopPorts, 'isSimulated' | 'reports' | 'runs'>,
  state: LoopState,
): Promise<LoopReport> {
  const { loop } = state
  const { request } = loop
  const measured = await measure(parts, state)
  const baseline = loop.rounds[0]?.evaluation ?? null
  const minus = (run: string | null, from: string | null): Promise<LoopDifference> | null =>
    run === null || from === null || run === from
      ? null
      : compareEvaluations(parts, request, { run, baseline: from })

  const policies = loop.rounds.flatMap(({ policy }) => policy ?? [])
  const simulated = await Promise.all(policies.map(({ endpoint }) => parts.isSimulated(endpoint)))
  const rounds: ReportedRound[] = []
  for (const round of loop.rounds) {
    rounds.push(describeRound(round, { measured, minusStart: await minus(round.evaluation, baseline) }))
  }
  const { best, control } = loop
  const controlRun = control?.evaluation ?? null
  return {
    object: 'loop_report',
    loop: loop.id,
    name: loop.name,
    recipe: request.recipe,
    environment: request.environment,
    status: loop.status,
    reason: loop.reason,
    metric: request.metric,
    simulated: simulated.includes(true),
    rounds,
    control:
      control === null
        ? null
        : {
            model: control.model,
            evaluation: controlRun === null ? null : (measured.get(controlRun) ?? null),
            minus_start: await minus(controlRun, baseline),
            round_minus_control: await minus(loop.rounds[1]?.evaluation ?? null, controlRun),
            steps: numberOf(findStage(loop, 1, 'train-control'), 'steps'),
          },
    best: best === null ? null : { ...best, minus_start: rounds[best.round]?.minus_start ?? null },
    usage: loop.usage,
    splits: loop.splits ?? null,
    lineage: loopLineage(loop),
    warnings: [...loop.warnings, ...otherHyperparameters(request), ...warningsOf(rounds)],
  }
}

async function measure(
  { reports, runs }: Pick<LoopPorts, 'reports' | 'runs'>,
  { loop }: LoopState,
): Promise<Map<string, Evaluated>> {
  const named = [...loop.rounds.map(({ evaluation }) => evaluation), loop.control?.evaluation ?? null]
  const ids = named.filter((id) => id !== null)
  if (ids.length === 0) return new Map()
  const found = await Promise.all(ids.map((id) => runs.get(id)))
  // One at a time: one request reads a bounded number of episodes.
  const rated = await Promise.all(ids.map((id) => reports.success([id])))
  const rates = rated.flatMap((each) => each.rates)
  const most = loop.request.max_errored
  return new Map(
    found.map((run) => [
      run.id,
      describeRun(
        run,
        rates.find((rate) => rate.run === run.id),
        most,
      ),
    ]),
  )
}

function describeRun(run: Run, rate: { success_rate: Estimate } | undefined, most: number): Evaluated {
  const isSound = erroredShare(run) <= most
  return {
    run: run.id,
    success_rate: isSound && rate !== undefined ? rate.success_rate : null,
    episodes: run.episodes.total,
    errored: run.episodes.errored,
  }
}

function describeRound(
  round: LoopRound,
  { measured, minusStart }: { measured: Map<string, Evaluated>; minusStart: LoopDifference | null },
): ReportedRound {
  const find = (...ids: string[]) => round.stages.find(({ id }) => ids.includes(id))
  const built = find('build', 'build-experts')
  const training = find('train', 'train-experts')
  const { cost, seconds } = usageOf(round.stages)
  return {
    round: round.round,
    model: round.model,
    evaluation: round.evaluation === null ? null : (measured.get(round.evaluation) ?? null),
    minus_start: minusStart,
    outcome: round.outcome,
    rows: numberOf(built, 'rows'),
    tokens: numberOf(built, 'tokens'),
    loss: numberOf(training, 'loss'),
    accuracy: numberOf(training, 'accuracy'),
    steps: numberOf(training, 'steps'),
    cost,
    seconds,
    stages: round.stages.map(({ facts: _, ...stage }) => stage),
  }
}

function numberOf(stage: LoopStage | undefined, fact: string): number | null {
  const value = stage?.facts[fact]
  return typeof value === 'number' ? value : null
}

// A control of pairs trains by SFT, so it takes the warm start's hyperparameters.
function otherHyperparameters(request: LoopRequest): string[] {
  if (!request.control || isTrainedAlike(request)) return []
  const show = (values: JsonObject) =>
    ['learning_rate', 'batch_size'].map((name) => `${name} ${values[name] ?? 'of the trainer'}`).join(', ')
  const [round, control] = [roundHyperparameters(request.settings, 1), controlHyperparameters(request, null)]
  return [
    `Round 1 trains by ${loopRecipes[request.recipe].training} and its control by sft: ${show(round)} beside ${show(control)}.`,
  ]
}

function warningsOf(rounds: readonly ReportedRound[]): string[] {
  return [...new Set(rounds.flatMap(({ minus_start }) => minus_start?.warnings ?? []))]
}
