import type { EstimatedLimit, Figure, RunEstimate } from '../../contracts/estimate.ts'
import type { JsonObject } from '../../contracts/json.ts'
import type { ModelChoice } from '../../contracts/model-choice.ts'
import type { RunRequest } from '../../contracts/run.ts'
import type { RunPlanner } from '../../engine/runs/run-planner.ts'
import type { Runs } from '../../engine/runs/runs.ts'
import type { Environment } from '../../environments/environment.ts'
import type { Environments } from '../../environments/open-environments.ts'
import type { Price } from '../../models/prices.ts'
import { countCalls, type Effort } from '../effort.ts'
import { findMethod, parseMethodParameters } from '../methods.ts'
import { howItBinds, limitEpisode, limitRun } from './apply-limits.ts'
import { type Earlier, findEarlier } from './earlier-runs.ts'
import { explainEstimate } from './explain-estimate.ts'
import { type HostWork, hostHours } from './host-hours.ts'
import { measurePrompts } from './measure-prompts.ts'
import { pricedUsage, type Range, scaleUsage } from './range.ts'
import { reckonEpisode } from './reckon-episode.ts'

/** Says before a run what it would take. */
export interface Forecasts {
  /** @throws EspalierError as `Runs.create` does for a request that cannot be played */
  estimate(request: RunRequest): Promise<RunEstimate>
}

export interface ForecastsOptions {
  planner: Pick<RunPlanner, 'plan'>
  environments: Pick<Environments, 'open'>
  price(model: ModelChoice): Price | null
  /** How many sessions one host of the run's environment holds, or where it runs otherwise. */
  slots(environment: Environment, hosting: RunRequest['hosting']): HostWork['slots']
  /** Those of one tenant: others' are none of its business. */
  runs: Pick<Runs, 'list'>
}

/** Estimates from the method's structure, its real prompts and the tenant's own earlier runs. */
export function openForecasts({ planner, environments, price, slots, runs }: ForecastsOptions): Forecasts {
  return {
    async estimate(given) {
      const { request, tasks } = await planner.plan(given)
      const { episode_limits, model, seed } = request
      const { environment } = await environments.open(request.environment, request.data)
      const { effort, free } = effortOf(request, environment)
      const modelPrice = price(model)
      const prompts = await measurePrompts(environment, findMethod(request.method.id), {
        tasks,
        seed,
        model,
      })
      const parts = { effort, prompts, model, price: modelPrice }
      const { wave, ...reckoned } = reckonEpisode({ ...parts, limits: episode_limits })
      const earlier = await findEarlier(runs, request)
      const episode = limitEpisode(
        withEarlier(reckoned, earlier, request, modelPrice),
        request,
        wave,
        earlier?.sameLimits === true,
      )
      const asked = tasks.length * request.epochs
      const whole = {
        expected: scaleUsage(episode.expected, asked),
        at_most: scaleUsage(episode.at_most, asked),
      }
      const run = limitRun(whole, request)
      const played =
        whole.expected.model_calls === 0 ? 1 : run.expected.model_calls / whole.expected.model_calls
      const hosts = hostHours({
        request,
        episodes: asked,
        calls: { expected: run.expected.model_calls, at_most: run.at_most.model_calls },
        sideBySide: effort.side_by_side,
        slots: slots(environment, request.hosting),
      })
      return {
        object: 'run_estimate',
        episodes: { expected: Math.floor(asked * played + 1e-9), at_most: asked },
        ...toFigures(run, 0),
        host_hours: hosts.figure,
        per_episode: toFigures(episode, 1),
        limits: [
          ...withExperience([...callLimits(request, effort, free, earlier), ...episode.limits], earlier),
          ...run.limits,
        ],
        reckoned: explainEstimate({
          ...parts,
          earlier,
          calls: reckoned.at_most.model_calls,
          hosts: hosts.reason,
        }),
      }
    },
  }
}

/** What the method says, within the limit on steps and without it. */
function effortOf(request: RunRequest, environment: Environment): { effort: Effort; free: Effort } {
  const { id, ...given } = request.method
  const method = findMethod(id)
  const parameters = parseMethodParameters(method, given as JsonObject)
  const reckon = (steps: number) =>
    method.effort(parameters, { max_steps: environment.default_max_steps, steps })
  return {
    effort: reckon(request.episode_limits.steps ?? Number.POSITIVE_INFINITY),
    free: reckon(Number.POSITIVE_INFINITY),
  }
}

/** Earlier runs know better what is likely; the most stays the most. */
function withEarlier(
  reckoned: Range,
  earlier: Earlier | null,
  { episode_limits: { steps, turns } }: RunRequest,
  price: Price | null,
): Range {
  if (earlier === null) return reckoned
  const { at_most } = reckoned
  // A call takes about one step. Episodes that had these limits have kept to them.
  const calls = earlier.sameLimits
    ? at_most.model_calls
    : Math.min(steps ?? at_most.model_calls, turns ?? at_most.model_calls)
  const { model_calls, input_tokens, output_tokens } = scaleUsage(
    earlier.mean,
    Math.min(1, calls / earlier.mean.model_calls),
  )
  const expected = {
    model_calls,
    input_tokens: Math.min(input_tokens, at_most.input_tokens),
    output_tokens: Math.min(output_tokens, at_most.output_tokens),
  }
  return { expected: pricedUsage(expected, price), at_most }
}

/** Limits on steps and turns, which bound the calls themselves. */
function callLimits(
  { episode_limits: { steps, turns } }: RunRequest,
  effort: Effort,
  free: Effort,
  earlier: Earlier | null,
): EstimatedLimit[] {
  const likely = (calls: Effort) => earlier?.mean.model_calls ?? countCalls(calls.expected)
  const limits: EstimatedLimit[] = []
  if (steps !== undefined) {
    const possible = countCalls(free.at_most) > countCalls(effort.at_most)
    const binds = likely(free) > steps ? 'expected' : possible ? 'possible' : 'no'
    limits.push({ param: 'episode_limits.steps', value: steps, binds })
  }
  if (turns !== undefined) {
    const binds = howItBinds(likely(effort), countCalls(effort.at_most), turns)
    limits.push({ param: 'episode_limits.turns', value: turns, binds })
  }
  return limits
}

/** Where one limit can have ended the earlier episodes and ended most of them, it will do so again. */
function withExperience(limits: EstimatedLimit[], earlier: Earlier | null): EstimatedLimit[] {
  const possible = limits.filter(({ binds }) => binds === 'possible')
  if (earlier?.sameLimits !== true || earlier.limited < 1 / 2 || possible.length !== 1) return limits
  return limits.map((limit) => (possible.includes(limit) ? { ...limit, binds: 'expected' } : limit))
}

function toFigures({ expected, at_most }: Range, decimals: number) {
  const figure = (likely: number, most: number): Figure => ({
    expected: round(likely, decimals),
    at_most: Math.max(round(likely, decimals), Math.ceil(most - 1e-9)),
  })
  return {
    model_calls: figure(expected.model_calls, at_most.model_calls),
    input_tokens: figure(expected.input_tokens, at_most.input_tokens),
    output_tokens: figure(expected.output_tokens, at_most.output_tokens),
    cost:
      expected.cost === null || at_most.cost === null
        ? null
        : { expected: round(expected.cost, 6), at_most: round(at_most.cost, 6) },
  }
}

function round(value: number, decimals: number): number {
  return Math.round(value * 10 ** decimals) / 10 ** decimals
}
