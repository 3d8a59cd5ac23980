import type { OpenAiEndpoint, ServedEndpoint } from '../../core/contracts/endpoint-configuration.ts'
import type { CallOptions, ChatRequest } from './chat-model.ts'
import type { EndpointModels } from './endpoint-models.ts'
import { ModelError } from './model-error.ts'

export interface ServerAddress {
  url: string
  /** Changes each time the server starts. */
  life: string
}

export interface ServedAddresses {
  /**
   * Waits until the model's server is healthy, and starts it if necessary.
   *
   * @param options.onWait gets the reason for the wait, in words
   * @throws ModelError if it cannot be started, with the last lines of its output
   */
  waitFor(
    model: string,
    options: { signal?: AbortSignal; onWait: (what: string) => void },
  ): Promise<ServerAddress>
  isCurrent(model: string, address: ServerAddress): Promise<boolean>
  /** Marks the server as in use by a call, so that it is not stopped. @returns a function that ends the use */
  begin(model: string): () => void
}

const mostLives = 3
/** Retries of one call within a life of its server: a dead server refuses connections immediately. */
const retriesInLife = 2

/**
 * The models of an endpoint whose server the service starts itself. A call waits for its server. If the server ends
 * during a call, the call waits for the next one and is sent again.
 *
 * @param openAt - the models at an address
 */
export function servedModels(
  endpoint: ServedEndpoint,
  addresses: ServedAddresses,
  openAt: (endpoint: OpenAiEndpoint) => Promise<EndpointModels>,
): EndpointModels {
  let opened: { life: string; models: Promise<EndpointModels> } | null = null

  const modelsAt = (address: ServerAddress): Promise<EndpointModels> => {
    if (opened?.life !== address.life) {
      const { kind: _, model: __, context: ___, ...settings } = endpoint
      const models = openAt({ ...settings, kind: 'openai', base_url: `${address.url}/v1` })
      opened = { life: address.life, models }
    }
    return opened.models
  }

  async function ask<Answer>(
    options: CallOptions,
    call: (models: EndpointModels, options: CallOptions) => Promise<Answer>,
  ): Promise<Answer> {
    const { meter, signal } = options
    const waiting = { ...(signal && { signal }), onWait: (what: string) => meter.troubled?.(what) }
    for (let life = 1; ; life++) {
      const address = await addresses.waitFor(endpoint.model, waiting)
      const models = await modelsAt(address)
      const maxRetries = Math.min(options.maxRetries ?? retriesInLife, retriesInLife)
      const end = addresses.begin(endpoint.model)
      try {
        return await call(models, { ...options, maxRetries })
      } catch (error) {
        const hasNoAnswer = error instanceof ModelError && error.transient && error.endpointStatus === null
        if (!hasNoAnswer || life === mostLives) throw error
        if (await addresses.isCurrent(endpoint.model, address)) throw error
        meter.troubled?.(`${error.message} Its server is started again`)
      } finally {
        end()
      }
    }
  }

  // The server knows the model by one name, whatever the caller calls it.
  const { context, model } = endpoint
  return {
    chat: {
      async complete(request, options) {
        checkPrompt(context, request)
        return ask(options, ({ chat }, until) => chat.complete({ ...request, model }, until))
      },
    },
    embedding: {
      embed: (request, options) =>
        ask(options, ({ embedding }, until) => embedding.embed({ ...request, model }, until)),
    },
    scorer: {
      score: (request, options) =>
        ask(options, ({ scorer }, until) => scorer.score({ ...request, model }, until)),
    },
  }
}

/** Refuses a prompt that leaves no room for an answer, as the server would. Estimates are too high to refuse by. */
function checkPrompt(context: number | null, { model, prompt_tokens }: ChatRequest): void {
  if (context === null || prompt_tokens === undefined || prompt_tokens < context) return
  throw new ModelError(
    `The prompt has ${prompt_tokens} tokens, and "${model}" has a context of ${context} for prompt and answer together. What is never cut, the head of the prompt and the newest turn, is too long for it: play shorter tasks or prompts, or serve the model with a larger context.`,
    { transient: false, endpointStatus: null, failure: 'refused' },
  )
}
