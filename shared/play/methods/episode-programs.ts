import { episodeId } from '../../core/contracts/episode.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import type { LearnedAction } from '../../core/contracts/library.ts'
import type { MemoryNote } from '../../core/contracts/memory.ts'
import type { RunRequest } from '../../core/contracts/run.ts'
import type { EffectScope } from '../../core/engine/effect-scope.ts'
import type { EpisodePrograms } from '../../core/engine/episodes/episode-program.ts'
import type { MemoryReader } from '../../core/engine/memories/memory-reader.ts'
import type { EpisodePlace } from '../../core/engine/runs/run-definition.ts'
import { type PictureStore, unkeptPictures } from '../../core/pictures/picture-store.ts'
import {
  type EnvironmentGuide,
  type EnvironmentTask,
  isHosted,
  isIsolated,
  type PureCore,
} from '../../environments/environment.ts'
import { tasksById } from '../../environments/generate/find-task.ts'
import { builtinData, type Environments, type OpenEnvironment } from '../../environments/open-environments.ts'
import type { SessionSource } from '../../environments/session-source.ts'
import type { TokenCounter } from '../models/token-counter.ts'
import { PromptBook } from '../search/prompt-book.ts'
import { summariseJournal } from '../search/summarise-journal.ts'
import { exampleTurns, readAgentParameters } from './agent-parameters.ts'
import { type AskModel, askFor } from './answer-questions.ts'
import { EpisodeScope } from './episode-scope.ts'
import { HostedStates } from './hosted-states.ts'
import { EpisodeMemory } from './memory/episode-memory.ts'
import { KnownBefore } from './memory/known-before.ts'
import type { Method } from './method.ts'
import { describeModule, type Methods, parseMethodParameters } from './methods.ts'
import { ModelCalls, type ModelsByEndpoint, tokenizersOf } from './model-calls.ts'
import type { NodeStates } from './node-states.ts'
import type { PlayedEpisode } from './played-episode.ts'
import { requestAt } from './pooled-choices.ts'
import { agentPromptOf } from './prompts/agents.ts'
import { fewShotPrompt, fewShotTurns } from './prompts/few-shot.ts'
import { showKnowledge } from './prompts/show-knowledge.ts'
import { IsolatedStates, PureStates } from './pure-states.ts'
import { toolsOf } from './tool-dialect.ts'

export interface ProgramsOptions {
  environments: Pick<Environments, 'open'>
  methods: Methods
  sessions(environment: OpenEnvironment): SessionSource
  models: ModelsByEndpoint
  /**
   * Token counters for the prompts of a run's models, by the tokenizer names in its request.
   *
   * @default every prompt is estimated
   */
  counters?(run: string, request: RunRequest): Promise<ReadonlyMap<string, TokenCounter>>
  memories: MemoryReader
  pictures?: PictureStore
  worker: string
  version: string
}

export function createEpisodePrograms(options: ProgramsOptions): EpisodePrograms {
  const { environments, methods, models, pictures = unkeptPictures, version } = options
  return {
    async program(run, request, place, meter, onAnswers) {
      // A run without data was created before its environment had packs: it uses the built-in data.
      const data = request.data ?? builtinData
      const opened = await environments.open(request.environment, data, request.environment_options)
      const episode = describeEpisode(methods, opened, request, place)
      const module = methods.moduleOf(request.method.id)
      const subject = module && describeModule(request.method.id, module)
      const { method, parameters } = episode
      const holder = `${options.worker}/${run}/${episodeId(place.index)}`
      const createStates = await statesOf(options, opened, request, { tasks: episode.tasks, holder })
      const counters = tokenizersOf(request).size > 0 ? await options.counters?.(run, request) : undefined
      const sandbox = method.runsPrograms ? await openSandbox(holder) : null
      const known = new KnownBefore(options.memories, {
        run,
        request,
        place,
        ...episode,
        environment: opened.environment,
      })
      let states: NodeStates | null = null
      let scope: EpisodeScope | null = null
      return {
        ...(subject !== null && { subject }),
        steps: () => scope?.steps ?? 0,
        async play(effects) {
          const calls = new ModelCalls({
            effects,
            models,
            request: requestAt(request, place.index),
            meter,
            affinity: holder,
            ...(counters && { counters }),
            ...(onAnswers && { onAnswers }),
          })
          states = createStates(effects, askFor(request, calls))
          const { notes, actions } = await readBefore(effects, known)
          const { describe, guide } = episode
          const { closing_action } = opened.environment
          const prompts = new PromptBook(request.prompts)
          const agent = playedAgent(episode, request, {
            environment: opened.environment.id,
            isAdded: module !== null,
            prompts,
          })
          const memory = new EpisodeMemory({
            effects,
            calls,
            episode: episodeId(place.index),
            task: place.task,
            group: place.group,
            notes: () => known.notes(),
          })
          scope = await EpisodeScope.open(
            {
              environment: opened.environment.id,
              success_threshold: opened.environment.success_threshold,
              task: place.task,
              objective: episode.objective,
              guide: agent.show(guide),
              describe(task) {
                const described = describe(task)
                return { ...described, guide: agent.show(described.guide) }
              },
              method: method.id,
              answer: place.purpose === 'learn' ? 'last' : method.answer(parameters),
              system: await named(subject, async () =>
                method.system(parameters, prompts, agent.show(guide), {
                  ...showKnowledge(prompts, { notes, actions }),
                  ...(agent.played.tools && { tools: agent.played.tools.tools }),
                }),
              ),
              ...agent.played,
              ...(method.branches && { isSearch: true as const }),
              ...(closing_action !== undefined && { closing: closing_action }),
              defaultMaxSteps: episode.maxSteps,
              turnActions: method.turnActions?.(parameters) ?? {},
              training: place.training,
              notes,
              actions,
            },
            { effects, states, calls, memory, prompts, sandbox, pictures },
          )
          const played = scope
          await named(subject, async () =>
            place.purpose === 'learn' ? method.learn?.(played, parameters) : method.play(played, parameters),
          )
        },
        async close() {
          scope?.end()
          await states?.close()
        },
      }
    },
    codeOf({ method: { id } }) {
      const module = methods.moduleOf(id)
      return module && `${id}@${module.digest}`
    },
    async summarise(run, request, { index, purpose }, records) {
      return summariseJournal(records, {
        run,
        episode: episodeId(index),
        method: request.method.id,
        model: request.model.id,
        version,
        purpose,
      })
    },
  }
}

async function named<Result>(subject: string | null, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (subject === null || EspalierError.isInstance(error)) throw error
    const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) }
    throw Object.assign(new Error(`${subject}: ${message}`, { cause: error }), { name })
  }
}

function describeEpisode(
  methods: Methods,
  { environment }: OpenEnvironment,
  request: RunRequest,
  place: EpisodePlace,
) {
  const { id, ...given } = request.method
  const method: Method = methods.find(id)
  const parameters = parseMethodParameters(method, given as JsonObject)
  const tasks = place.purpose === 'learn' ? place.training : [place.task]
  const known = tasksById(environment)
  const factsOf = (task: string) => known.get(task) as EnvironmentTask
  const facts = factsOf(tasks[0] as string)
  return {
    method,
    parameters,
    tasks,
    facts,
    guide: environment.describe(facts),
    describe(task: string) {
      const described = factsOf(task)
      return { guide: environment.describe(described), objective: described.description }
    },
    objective: facts.description,
    maxSteps: facts.max_steps ?? environment.default_max_steps,
  }
}

function playedAgent(
  { guide, method, parameters }: ReturnType<typeof describeEpisode>,
  request: RunRequest,
  { environment, isAdded, prompts }: { environment: string; isAdded: boolean; prompts: PromptBook },
): {
  played: Pick<PlayedEpisode, 'style' | 'exampleTurns' | 'fewShot' | 'tools' | 'prefix'>
  show(guide: EnvironmentGuide): EnvironmentGuide
} {
  const { actions, layout, prompt_prefix: prefix, style } = readAgentParameters(request.method)
  const read = {
    ...(style !== undefined && { style }),
    ...(prefix !== undefined && { prefix }),
    ...(actions === 'tools' && { tools: { tools: toolsOf(guide), branches: method.branches || isAdded } }),
  }
  const without = (shown: EnvironmentGuide): EnvironmentGuide => ({ ...shown, example: null })
  if (request.examples !== undefined) {
    const shots = fewShotTurns(request.examples)
    const note = prompts.fill(fewShotPrompt, { count: `${shots.length}` })
    const turns = layout === 'eto' ? { exampleTurns: shots } : { fewShot: { note, turns: shots } }
    return { played: { ...read, ...turns }, show: without }
  }
  if (layout !== 'eto') return { played: read, show: (shown) => shown }
  const { showTurn } = agentPromptOf(method.id, parameters)
  return {
    played: { ...read, exampleTurns: exampleTurns(guide, showTurn, environment) },
    show: without,
  }
}

async function readBefore(
  effects: EffectScope,
  known: KnownBefore,
): Promise<{ notes: MemoryNote[]; actions: LearnedAction[] }> {
  if (!known.isNeeded) return { notes: [], actions: [] }
  const read = await effects.effect('known', { settings: known.source }, async () => ({
    result: (await known.learned()) as never,
  }))
  return read
}

async function openSandbox(caller: string) {
  const { openSandbox: open } = await import('../sandbox/open-sandbox.ts')
  return open({ caller })
}

/** Loads everything needed to play the tasks, so that the episode's function waits for nothing but effects. */
async function statesOf(
  { sessions }: ProgramsOptions,
  opened: OpenEnvironment,
  { hosting, seed, environment_options: options }: RunRequest,
  { tasks, holder }: { tasks: readonly string[]; holder: string },
): Promise<(effects: EffectScope, ask: AskModel) => NodeStates> {
  const { environment } = opened
  if (isHosted(environment) || hosting === 'host') {
    const source = sessions(opened)
    return (effects, ask) =>
      new HostedStates(effects, source, {
        facts: environment,
        seed,
        holder,
        ask,
        ...(options && { options }),
      })
  }
  if (isIsolated(environment)) {
    return (effects) => new IsolatedStates(effects, environment, { seed, caller: holder })
  }
  const cores = new Map<string, PureCore>()
  for (const task of tasks) cores.set(task, await environment.open(task))
  return () => new PureStates(cores, seed, environment)
}
