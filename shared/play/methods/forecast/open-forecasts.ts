import { isDeepStrictEqual } from 'node:util'
import type { EstimatedLimit, Figure, RunEstimate } from '../../../core/contracts/estimate.ts'
import type { JsonObject } from '../../../core/contracts/json.ts'
import type { EpisodeLimits } from '../../../core/contracts/limits.ts'
import type { Role } from '../../../core/contracts/model-choice.ts'
import type { RunRequest } from '../../../core/contracts/run.ts'
import type { Usage } from '../../../core/contracts/usage.ts'
import type { Runs } from '../../../core/engine/runs/runs.ts'
import type { Environment } from '../../../environments/environment.ts'
import { tasksById } from '../../../environments/generate/find-task.ts'
import type { Environments } from '../../../environments/open-environments.ts'
import type { TokenCounter } from '../../models/token-counter.ts'
import { PromptBook } from '../../search/prompt-book.ts'
import type { PromptTemplate } from '../../search/prompt-template.ts'
import { countCalls, type Effort } from '../effort.ts'
import type { Method } from '../method.ts'
import { type Methods, parseMethodParameters } from '../methods.ts'
import { howItBinds, limitEpisode, limitRun } from './apply-limits.ts'
import { type AskedModel, type AskedModels, askedModels, type KnownEndpoints } from './asked-models.ts'
import { type Earlier, findEarlier, shareOut } from './earlier-runs.ts'
import { type EpisodeEstimate, estimateEpisode } from './estimate-episode.ts'
import type { SizesOf } from './expand-calls.ts'
import { explainEstimate } from './explain-estimate.ts'
import { type HostWork, hostHours } from './host-hours.ts'
import { measurePrompts, type PromptSizes } from './measure-prompts.ts'
import { addRanges, pricedUsage, type Range, scaleRange, scaleUsage } from './range.ts'

export interface Forecasts {
  /** @throws EspalierError as `Runs.create` does for a request that cannot be played */
  estimate(request: RunRequest): Promise<RunEstimate>
}

export interface ForecastsOptions extends KnownEndpoints {
  environments: Pick<Environments, 'open'>
  methods: Methods
  /**
   * Number of sessions that one host of the run's environment holds; a word if the environment runs without hosts.
   */
  slots(environment: Environment, hosting: RunRequest['hosting']): HostWork['slots']
  runs: Pick<Runs, 'list' | 'plan'>
  counters?(request: RunRequest): Promise<ReadonlyMap<string, TokenCounter>>
}

const noLimits: EpisodeLimits = {}

export function openForecasts({
  environments,
  methods,
  slots,
  runs,
  counters,
  ...endpoints
}: ForecastsOptions): Forecasts {
  return {
    async estimate(given) {
      const plan = await runs.plan(given)
      const { request, tasks, learning: groups = [] } = plan
      const { environment } = await environments.open(
        request.environment,
        request.data,
        request.environment_options,
      )
      const method = methods.find(request.method.id)
      const efforts = effortsOf(method, request, environment, tasks)
      const counted = (await counters?.(request)) ?? new Map<string, TokenCounter>()
      const models = askedModels(request, listOf(efforts), endpoints, counted)
      const earlier = await findEarlier(runs, request)
      const estimates = await estimateEpisodes(plan, environment, { ...efforts, method, models })
      const figures = sumUp(plan, estimates, earlier, models)
      const { run, asked } = figures
      const hosts = hostHours({
        atOnce: Math.min(request.max_parallel, plan.round_size ?? asked, asked),
        calls: { expected: run.expected.model_calls, at_most: run.at_most.model_calls },
        sideBySide: efforts.effort.side_by_side,
        slots: slots(environment, request.hosting),
      })
      const limits = [
        ...callLimits(request, { ...efforts, models }, figures.usual),
        ...figures.limited.limits,
      ]
      return {
        object: 'run_estimate',
        episodes: { expected: Math.floor(asked * figures.paid + 1e-9), at_most: asked },
        learning_episodes: groups.length,
        ...toFigures(run, 0),
        host_hours: hosts.figure,
        per_episode: toFigures(figures.limited, 1),
        limits: [...withExperience(limits, earlier), ...run.limits],
        basis: explainEstimate({
          effort: efforts.effort,
          earlier,
          models,
          warnings: plan.resolved?.warnings ?? [],
          ...estimates.play,
          learning: estimates.learn && { episodes: groups.length, estimate: estimates.learn.estimate },
          hosts: hosts.reason,
        }),
      }
    },
  }
}

interface OneEpisode {
  prompts: PromptSizes
  estimate: EpisodeEstimate
}

type RunPlan = Awaited<ReturnType<ForecastsOptions['runs']['plan']>>

async function estimateEpisodes(
  { request, tasks, learning: groups = [] }: RunPlan,
  environment: Environment,
  { method, models, ...efforts }: Efforts & { method: Method; models: AskedModels },
): Promise<{ play: OneEpisode; learn: OneEpisode | null }> {
  const answers = longestAnswers(listOf(efforts), models)
  const book = new PromptBook(request.prompts)
  const estimateOne = async (
    effort: Effort,
    played: readonly string[],
    limits: EpisodeLimits,
  ): Promise<OneEpisode> => {
    const measured = new Map<TokenCounter, PromptSizes>()
    for (const { counter } of models.values()) {
      if (measured.has(counter)) continue
      const prompts = (effort.others ?? []).flatMap((other) => other.prompts ?? [])
      const parts = { tasks: played, answers, book, counter, prompts }
      measured.set(counter, await measure(method, request, environment, parts))
    }
    const sizesOf: SizesOf = (role) => measured.get((models.get(role) as AskedModel).counter) as PromptSizes
    const estimate = estimateEpisode({ effort, limits, sizesOf, models, book })
    return { prompts: sizesOf('policy'), estimate }
  }
  const training = groups.flatMap((group) => group.tasks)
  return {
    play: await estimateOne(efforts.effort, tasks, request.episode_limits),
    learn:
      efforts.learning && groups.length > 0 ? await estimateOne(efforts.learning, training, noLimits) : null,
  }
}

function sumUp(
  { request, tasks, learning: groups = [] }: RunPlan,
  { play, learn }: { play: OneEpisode; learn: OneEpisode | null },
  earlier: Earlier | null,
  models: AskedModels,
) {
  const hadLimits = earlier?.sameLimits === true
  const seen =
    earlier && shareOut(earlier, { play: play.estimate.expected, learn: learn?.estimate.expected ?? null })
  const limit = ({ wave, ...range }: EpisodeEstimate, usual: Usage | null, episode_limits: EpisodeLimits) => {
    const likely = withEarlier(range, usual, hadLimits, episode_limits, models)
    return limitEpisode(likely, { episode_limits }, wave, hadLimits)
  }
  const limited = limit(play.estimate, seen?.play ?? null, request.episode_limits)
  const played = tasks.length * request.epochs
  const all = scaleRange(limited, played)
  const whole = learn
    ? addRanges(all, scaleRange(limit(learn.estimate, seen?.learn ?? null, noLimits), groups.length))
    : all
  const run = limitRun(whole, request)
  const { model_calls } = whole.expected
  return {
    limited,
    run,
    asked: played + groups.length,
    paid: model_calls === 0 ? 1 : run.expected.model_calls / model_calls,
    usual: seen?.play ?? null,
  }
}

function measure(
  method: Method,
  request: RunRequest,
  environment: Environment,
  parts: {
    tasks: readonly string[]
    answers: ReturnType<typeof longestAnswers>
    book: PromptBook
    counter: TokenCounter
    prompts: readonly PromptTemplate[]
  },
): Promise<PromptSizes> {
  const { id: _, ...given } = request.method
  return measurePrompts(environment, method, {
    ...parts,
    seed: request.seed,
    ...(request.examples && {
      examples: request.examples.map(({ role, content }) => ({ role, content })),
    }),
    parameters: parseMethodParameters(method, given as JsonObject),
  })
}

function longestAnswers(efforts: readonly Effort[], models: AskedModels): { policy: number; others: number } {
  const of = (role: 'policy' | Role, least = 0) => Math.max(models.get(role)?.choice.max_tokens ?? 0, least)
  const policy = Math.max(...efforts.map(({ answer_tokens }) => of('policy', answer_tokens)))
  const others = efforts.flatMap((effort) => effort.others ?? [])
  return {
    policy,
    others: Math.max(policy, ...others.map(({ role, answer_tokens }) => of(role, answer_tokens))),
  }
}

interface Efforts {
  effort: Effort
  free: Effort
  learning: Effort | null
}

const listOf = ({ effort, learning }: Efforts) => (learning ? [effort, learning] : [effort])

function effortsOf(
  method: Method,
  request: RunRequest,
  environment: Environment,
  tasks: readonly string[],
): Efforts {
  const { id: _, ...given } = request.method
  const parameters = parseMethodParameters(method, given as JsonObject)
  const byId = tasksById(environment)
  const max_steps = tasks.reduce(
    (most, task) => Math.max(most, byId.get(task)?.max_steps ?? environment.default_max_steps),
    0,
  )
  const bounds = (steps: number) => ({ max_steps, steps })
  const limited = bounds(request.episode_limits.steps ?? Number.POSITIVE_INFINITY)
  return {
    effort: method.effort(parameters, limited),
    free: method.effort(parameters, bounds(Number.POSITIVE_INFINITY)),
    learning: method.learningEffort?.(parameters) ?? null,
  }
}

function withEarlier(
  { expected, at_most }: Range,
  seen: Usage | null,
  hadLimits: boolean,
  { steps, turns }: EpisodeLimits,
  models: AskedModels,
): Range {
  if (seen === null) return { expected, at_most }
  // A call takes about one step. Episodes that had these limits have kept to them.
  const calls = hadLimits
    ? at_most.model_calls
    : Math.min(steps ?? at_most.model_calls, turns ?? at_most.model_calls)
  const { cost, ...tokens } = scaleUsage(seen, Math.min(1, calls / seen.model_calls))
  const used = {
    model_calls: tokens.model_calls,
    input_tokens: Math.min(tokens.input_tokens, at_most.input_tokens),
    output_tokens: Math.min(tokens.output_tokens, at_most.output_tokens),
  }
  const [price = null, ...others] = [...models.values()].map((model) => model.price)
  // Tokens are not known per model. Today's prices apply only if all models cost the same.
  const isAlike = others.every((other) => isDeepStrictEqual(other, price))
  return { expected: isAlike ? pricedUsage(used, price) : { ...used, cost }, at_most }
}

function callLimits(
  { episode_limits: { steps, turns } }: RunRequest,
  { effort, free, models }: { effort: Effort; free: Effort; models: AskedModels },
  seen: Usage | null,
): EstimatedLimit[] {
  const most = (of: Effort) => countAll(of, 'at_most', models)
  const likely = (of: Effort) => seen?.model_calls ?? countAll(of, 'expected', models)
  const limits: EstimatedLimit[] = []
  if (steps !== undefined) {
    const binds = likely(free) > steps ? 'expected' : most(free) > most(effort) ? 'possible' : 'no'
    limits.push({ param: 'episode_limits.steps', value: steps, binds })
  }
  if (turns !== undefined) {
    const binds = howItBinds(likely(effort), most(effort), turns)
    limits.push({ param: 'episode_limits.turns', value: turns, binds })
  }
  return limits
}

function countAll(effort: Effort, which: 'expected' | 'at_most', models: AskedModels): number {
  const others = (effort.others ?? []).filter(({ role }) => models.has(role))
  return others.reduce((sum, calls) => sum + countCalls(calls[which]), countCalls(effort[which]))
}

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
