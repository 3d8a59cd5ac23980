import type { JsonObject } from '../../core/contracts/json.ts'
import type { Message } from '../../core/contracts/message.ts'
import type { CompleteModelChoice, Role } from '../../core/contracts/model-choice.ts'
import type { RunRequest } from '../../core/contracts/run.ts'
import type { Probe } from '../../core/engine/preflight/preflight.ts'
import type { RunPurpose } from '../../core/engine/runs/run-planner.ts'
import { tasksById } from '../../environments/generate/find-task.ts'
import { builtinData, type Environments } from '../../environments/open-environments.ts'
import { actTool } from '../../environments/tools/action-tool.ts'
import type { OfferedTool } from '../models/chat-model.ts'
import { estimatingCounter, type TokenCounter } from '../models/token-counter.ts'
import { layOutHead } from '../search/conversation.ts'
import { readAgentParameters } from './agent-parameters.ts'
import { type Methods, parseMethodParameters } from './methods.ts'
import { choiceOf, type ModelsByEndpoint } from './model-calls.ts'
import { choicesOf } from './pooled-choices.ts'
import { TokenPrompts } from './token-prompts.ts'
import { offerTools, toolsOf } from './tool-dialect.ts'

type Way = 'chat' | 'score' | 'embed'

const instruction = 'You answer in one word.'
const question = 'Say "ready".'
/** Answers per probe: two show whether the model supports several. */
const mostAnswers = 2

/**
 * The probes of a run: one for each model, its settings, and each kind of call that its method makes. A probe has the
 * roles, fields, limits and number of answers of the run's own calls, so that a refusal shows before the first episode.
 *
 * @throws EspalierError if the run's method is unknown, as `Methods.find` does
 * @param isSimulated - whether an endpoint, by its name, is the simulated model, which needs no probe
 */
export async function probesOf(
  request: RunRequest,
  purpose: RunPurpose,
  {
    methods,
    models,
    environments,
    counters,
    isSimulated,
  }: {
    methods: Methods
    models: ModelsByEndpoint
    environments: Pick<Environments, 'open'>
    counters(): Promise<ReadonlyMap<string, TokenCounter>>
    isSimulated(endpoint: string): boolean | Promise<boolean>
  },
): Promise<Probe[]> {
  const probes = new Map<string, Probe>()
  const { actions, layout } = readAgentParameters(request.method)
  const asked = purpose === 'annotate' ? [['verifier', 'chat', 1] as const] : askedRoles(request, methods)
  for (const [role, way, answers] of asked) {
    for (const choice of choicesOf(choiceOf(request, role))) {
      const name = JSON.stringify([
        way,
        choice.endpoint,
        choice.id,
        way === 'chat' ? settingsOf(choice) : null,
      ])
      if (probes.has(name) || (await isSimulated(choice.endpoint))) continue
      const isAgent = role === 'policy' && layout === 'eto'
      const messages = layOutHead(instruction, isAgent ? [] : null, { content: question })
      const offersTools = role === 'policy' && actions === 'tools'
      const asking = {
        way,
        messages,
        ...(choice.prompting === 'tokens' && { encode: () => encodePrompt(messages, choice, counters) }),
        n: Math.min(answers, mostAnswers),
        ...(offersTools && { tools: await offeredTools(request, environments) }),
        ...(request.record === 'tokens' && { record: true }),
      }
      probes.set(name, { choice, ask: (options) => ask(models, asking, choice, options) })
    }
  }
  return [...probes.values()]
}

/** The tools of the run's first task, so that an endpoint that refuses their schemas shows it here. */
async function offeredTools(
  { data = builtinData, environment: id, environment_options, tasks }: RunRequest,
  environments: Pick<Environments, 'open'>,
): Promise<OfferedTool[]> {
  const { environment } = await environments.open(id, data, environment_options)
  const task = tasksById(environment).get(tasks.ids?.[0] ?? '') ?? environment.tasks()[0]
  return offerTools(task === undefined ? [actTool] : toolsOf(environment.describe(task)))
}

function askedRoles(
  request: RunRequest,
  methods: Methods,
): [role: 'policy' | Role, way: Way, answers: number][] {
  const { id, ...given } = request.method
  const method = methods.find(id)
  const parameters = parseMethodParameters(method, given as JsonObject)
  const efforts = [
    method.effort(parameters, { max_steps: 1, steps: Number.POSITIVE_INFINITY }),
    method.learningEffort?.(parameters),
  ]
  const others = efforts
    .flatMap((effort) => effort?.others ?? [])
    .filter(({ role }) => role !== 'embedding' || request.roles.embedding !== undefined)
    .map(({ role, answers = 1 }): [Role, Way, number] => [
      role,
      role === 'embedding' ? 'embed' : answers === 0 ? 'score' : 'chat',
      answers,
    ])
  return [['policy', 'chat', efforts[0]?.answers ?? 1], ...others]
}

async function ask(
  models: ModelsByEndpoint,
  {
    way,
    messages,
    n,
    encode,
    ...asked
  }: {
    way: Way
    messages: readonly Message[]
    n: number
    encode?: () => Promise<number[]>
    tools?: OfferedTool[]
    record?: boolean
  },
  choice: CompleteModelChoice,
  { meter, signal }: Parameters<Probe['ask']>[0],
): Promise<void> {
  const { endpoint, id: model } = choice
  const options = { meter, signal, maxRetries: 0 }
  if (way === 'embed') await models.embedding(endpoint).embed({ model, texts: [question] }, options)
  else if (way === 'score') await models.scorer(endpoint).score({ model, messages }, options)
  else {
    const prompt_ids = await encode?.()
    const counted = prompt_ids && { prompt_ids, prompt_tokens: prompt_ids.length }
    const request = { model, messages, ...counted, ...settingsOf(choice), seed: 0, n, ...asked }
    await models.model(endpoint).complete(request, options)
  }
}

async function encodePrompt(
  messages: readonly Message[],
  { tokenizer = '' }: CompleteModelChoice,
  counters: () => Promise<ReadonlyMap<string, TokenCounter>>,
): Promise<number[]> {
  const counter = (await counters()).get(tokenizer) ?? estimatingCounter
  return new TokenPrompts({ tokensOf: async () => null }).next('probe', messages, undefined)(counter)
}

function settingsOf({
  temperature,
  top_p,
  max_tokens,
  reasoning_effort,
  request,
  stop,
}: CompleteModelChoice) {
  return {
    temperature,
    top_p,
    max_tokens,
    ...(reasoning_effort !== undefined && { reasoning_effort }),
    ...(request && { request }),
    ...(stop && { stop }),
  }
}
