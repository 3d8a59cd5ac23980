import type { JsonObject } from '../../core/contracts/json.ts'
import type { Message } from '../../core/contracts/message.ts'
import type { CompleteModelChoice, Role } from '../../core/contracts/model-choice.ts'
import type { RunRequest } from '../../core/contracts/run.ts'
import type { Probe } from '../../core/engine/preflight/preflight.ts'
import type { RunPurpose } from '../../core/engine/runs/run-planner.ts'
import { actTool } from '../../environments/tools/action-tool.ts'
import type { OfferedTool } from '../models/chat-model.ts'
import { layOutHead } from '../search/conversation.ts'
import { readAgentParameters } from './agent-parameters.ts'
import { type Methods, parseMethodParameters } from './methods.ts'
import { choiceOf, type ModelsByEndpoint } from './model-calls.ts'
import { offerTools } from './tool-dialect.ts'

type Way = 'chat' | 'score' | 'embed'

/** The longest answer to a probe, in tokens: some models refuse fewer. */
const answerTokens = 16
const instruction = 'You answer in one word.'
const question = 'Say "ready".'
/** Answers per probe: two show whether the model supports several. */
const mostAnswers = 2

/**
 * The probes of a run: one for each model and each kind of call that its method makes. A probe has the roles, fields
 * and number of answers of the run's own calls, so that a refusal shows before the first episode.
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
    isSimulated,
  }: {
    methods: Methods
    models: ModelsByEndpoint
    isSimulated(endpoint: string): boolean | Promise<boolean>
  },
): Promise<Probe[]> {
  const probes = new Map<string, Probe>()
  const { actions, layout } = readAgentParameters(request.method)
  const asked = purpose === 'annotate' ? [['verifier', 'chat', 1] as const] : askedRoles(request, methods)
  for (const [role, way, answers] of asked) {
    const choice = choiceOf(request, role)
    const name = JSON.stringify([way, choice.endpoint, choice.id, choice.reasoning_effort ?? null])
    if (probes.has(name) || (await isSimulated(choice.endpoint))) continue
    const isAgent = role === 'policy' && layout === 'eto'
    const messages = layOutHead(instruction, isAgent ? [] : null, { content: question })
    const offersTools = role === 'policy' && actions === 'tools'
    const asking = {
      way,
      messages,
      n: Math.min(answers, mostAnswers),
      ...(offersTools && { tools: offerTools([actTool]) }),
    }
    probes.set(name, { choice, ask: (options) => ask(models, asking, choice, options) })
  }
  return [...probes.values()]
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
  { way, messages, n, tools }: { way: Way; messages: readonly Message[]; n: number; tools?: OfferedTool[] },
  { endpoint, id: model, temperature, top_p, reasoning_effort, stop }: CompleteModelChoice,
  { meter, signal }: Parameters<Probe['ask']>[0],
): Promise<void> {
  const options = { meter, signal, maxRetries: 0 }
  if (way === 'embed') await models.embedding(endpoint).embed({ model, texts: [question] }, options)
  else if (way === 'score') await models.scorer(endpoint).score({ model, messages }, options)
  else {
    const effort = reasoning_effort === undefined ? {} : { reasoning_effort }
    const stops = stop === undefined ? {} : { stop }
    const sampling = { temperature, top_p, max_tokens: answerTokens, ...effort, seed: 0, n, ...stops }
    const request = { model, messages, ...sampling, ...(tools && { tools }) }
    await models.model(endpoint).complete(request, options)
  }
}
