import type { JsonObject } from '../contracts/json.ts'
import type { CompleteModelChoice, Role } from '../contracts/model-choice.ts'
import type { RunRequest } from '../contracts/run.ts'
import type { Probe } from '../engine/preflight/preflight.ts'
import type { RunPurpose } from '../engine/runs/run-planner.ts'
import { type Methods, parseMethodParameters } from './methods.ts'
import { choiceOf, type ModelsByEndpoint } from './model-calls.ts'

type Way = 'chat' | 'score' | 'embed'

/** The longest answer to a probe, in tokens: some models refuse fewer. */
const answerTokens = 16
const question = 'Say "ready".'

/**
 * The probes of a run: one for each model that its method asks, in each way that it asks it.
 *
 * @throws EspalierError where the method of the run is not there, as `Methods.find` does
 * @param isSimulated - whether an endpoint, by its name, is the simulated model, which needs none
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
  const asked = purpose === 'annotate' ? [['verifier', 'chat'] as const] : askedRoles(request, methods)
  for (const [role, way] of asked) {
    const choice = choiceOf(request, role)
    const name = JSON.stringify([way, choice.endpoint, choice.id, choice.reasoning_effort ?? null])
    if (probes.has(name) || (await isSimulated(choice.endpoint))) continue
    probes.set(name, { choice, ask: (options) => ask(models, way, choice, options) })
  }
  return [...probes.values()]
}

function askedRoles(request: RunRequest, methods: Methods): [role: 'policy' | Role, way: Way][] {
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
    .map(({ role, answers }): [Role, Way] => [
      role,
      role === 'embedding' ? 'embed' : answers === 0 ? 'score' : 'chat',
    ])
  return [['policy', 'chat'], ...others]
}

async function ask(
  models: ModelsByEndpoint,
  way: Way,
  { endpoint, id: model, temperature, top_p, reasoning_effort }: CompleteModelChoice,
  { meter, signal }: Parameters<Probe['ask']>[0],
): Promise<void> {
  const options = { meter, signal, maxRetries: 0 }
  const messages = [{ role: 'user' as const, content: question }]
  if (way === 'embed') await models.embedding(endpoint).embed({ model, texts: [question] }, options)
  else if (way === 'score') await models.scorer(endpoint).score({ model, messages }, options)
  else {
    const effort = reasoning_effort === undefined ? {} : { reasoning_effort }
    const request = { model, messages, temperature, top_p, max_tokens: answerTokens, ...effort, seed: 0 }
    await models.model(endpoint).complete(request, options)
  }
}
