import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { estimatedTokens, type Role } from '../../shared/core/contracts/model-choice.ts'
import type { RunRequest } from '../../shared/core/contracts/run.ts'
import type { World } from '../../shared/core/world/ports.ts'
import { openModelRegistry } from '../../shared/learn/registry/open-models.ts'
import { openTokenCounters, type Uncountable } from '../../shared/learn/tokenizers/token-counters.ts'
import { choiceOf, namedChoices, tokenizersOf } from '../../shared/play/methods/model-calls.ts'
import type { ModelPool } from '../../shared/play/models/model-pool.ts'
import type { TokenCounter } from '../../shared/play/models/token-counter.ts'

export interface ModelTokenizers {
  /**
   * Records the tokenizer that counts each model's prompts, so that every replay counts alike. A served model uses
   * its own if it is usable.
   * @throws EspalierError `invalid_request` for an unusable tokenizer named in the request
   */
  complete(request: RunRequest, tenant?: string): Promise<{ request: RunRequest; warnings: string[] }>
  countersOf(tenant: string, request: RunRequest): Promise<ReadonlyMap<string, TokenCounter>>
}

export interface TokenizerNeeds {
  world: World
  models: Pick<ModelPool, 'configuration'>
  onError(error: unknown, doing: string): void
}

export function openModelTokenizers({ world, models, onError }: TokenizerNeeds): ModelTokenizers {
  const counters = openTokenCounters(openModelRegistry({ world }))

  async function open(tenant: string, model: string): Promise<TokenCounter | Uncountable> {
    try {
      return await counters.open(tenant, model)
    } catch (error) {
      if (!EspalierError.isInstance(error) || error.code !== 'not_found') throw error
      return { reason: 'is not registered', isBroken: true }
    }
  }

  async function checkNamed(
    tenant: string,
    { tokenizer, served }: { tokenizer: string; served: string | null },
    param: string,
  ): Promise<void> {
    if (tokenizer === estimatedTokens) return
    if (served !== null && tokenizer !== served) {
      const message = `The endpoint serves ${served}, whose prompts the tokenizer of ${tokenizer} does not count. Leave tokenizer out.`
      throw new EspalierError('invalid_request', message, { param })
    }
    const counter = await open(tenant, tokenizer)
    if (!('reason' in counter)) return
    const message = `The model ${tokenizer} ${counter.reason}. Name another registered model, or "${estimatedTokens}".`
    throw new EspalierError('invalid_request', message, { param })
  }

  return {
    async complete(request, tenant) {
      if (tenant === undefined) return { request, warnings: [] }
      const completed = { ...request, roles: { ...request.roles } }
      const warnings = new Set<string>()
      for (const [param, { endpoint }] of namedChoices(request)) {
        if (param === 'roles.embedding') continue
        const { tokenizer } = choiceOf(completed, roleOf(param))
        const configuration = models.configuration(endpoint)
        const model = configuration.kind === 'served' ? configuration.model : null
        if (tokenizer !== undefined)
          await checkNamed(tenant, { tokenizer, served: model }, `${param}.tokenizer`)
        else if (model !== null) {
          const counter = await open(tenant, model)
          const isKnown = !('reason' in counter)
          if (!isKnown && counter.isBroken) warnings.add(estimateWarning(model, counter.reason))
          put(completed, roleOf(param), isKnown ? model : estimatedTokens)
        }
      }
      const { prompting, tokenizer = estimatedTokens } = completed.model
      if (prompting === 'tokens' && tokenizer === estimatedTokens) {
        throw new EspalierError(
          'invalid_request',
          'Prompts of token ids need the tokenizer of a registered model. Name it as "tokenizer", or leave "prompting" out.',
          { param: 'model.tokenizer' },
        )
      }
      return { request: completed, warnings: [...warnings] }
    },

    async countersOf(tenant, request) {
      const found = new Map<string, TokenCounter>()
      for (const name of tokenizersOf(request)) {
        const counter = await open(tenant, name)
        if (!('reason' in counter)) found.set(name, counter)
        else onError(new Error(estimateWarning(name, counter.reason)), 'counting the tokens of prompts')
      }
      return found
    },
  }
}

function estimateWarning(model: string, reason: string): string {
  return `The model ${model} ${reason}. Its prompts are estimated, three bytes to a token, and may be longer than its context: lower max_prompt_tokens where it refuses them.`
}

function roleOf(param: string): Role | 'policy' {
  return param === 'model' ? 'policy' : (param.slice('roles.'.length) as Role)
}

function put(request: Pick<RunRequest, 'model' | 'roles'>, role: Role | 'policy', tokenizer: string): void {
  if (role === 'policy') request.model = { ...request.model, tokenizer }
  else request.roles[role] = { ...request.roles[role], tokenizer }
}
