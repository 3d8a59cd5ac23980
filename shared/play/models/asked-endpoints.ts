import type { EndpointConfiguration } from '../../core/contracts/endpoint-configuration.ts'
import type { CallsUnderWay } from './calls-under-way.ts'
import type { CallOptions } from './chat-model.ts'
import type { EndpointDirectory } from './endpoint-directory.ts'
import type { EndpointModels } from './endpoint-models.ts'
import type { OpenSimulatedModels } from './model-pool.ts'
import type { HttpModelParts } from './open-http-models.ts'
import { type ServedAddresses, servedModels } from './served-models.ts'

export interface EndpointParts {
  http: HttpModelParts
  simulated: OpenSimulatedModels | undefined
  servers: ServedAddresses | undefined
  network: 'any' | 'public'
  processes: number
}

const validMilliseconds = 500

export function fixedModels(
  name: string,
  endpoint: EndpointConfiguration,
  { calls, parts }: { calls: CallsUnderWay; parts: EndpointParts },
): EndpointModels {
  const open = opener(name, endpoint, parts)
  let opening: Promise<EndpointModels> | undefined
  return whenAsked(calls, () => {
    opening ??= open()
    return opening
  })
}

/**
 * The models of an endpoint in the directory. Each call uses the current configuration, or is refused if the endpoint
 * is gone. Open models serve until the endpoint changes; calls in progress then finish unchanged.
 */
export function listedModels(
  name: string,
  needs: {
    directory: EndpointDirectory
    calls: CallsUnderWay
    parts: EndpointParts
    unknown(): unknown
  },
): EndpointModels {
  const { calls, directory, parts, unknown } = needs
  let opened: { edition: string; models: Promise<EndpointModels> } | null = null
  return whenAsked(calls, async () => {
    await directory.refresh(validMilliseconds)
    let found = directory.current().get(name)
    if (found === undefined) {
      await directory.refresh()
      found = directory.current().get(name)
    }
    if (found === undefined) throw unknown()
    const edition = `${found.created_at} ${found.revision}`
    if (opened?.edition !== edition) {
      const endpoint = shareOf(found.configuration, parts.processes)
      const http = { ...parts.http, network: parts.network }
      opened = { edition, models: opener(name, endpoint, { ...parts, http })() }
      const { models } = opened
      models.catch(() => {
        if (opened?.models === models) opened = null
      })
    }
    return opened.models
  })
}

type Opener = () => Promise<EndpointModels>

function opener(name: string, endpoint: EndpointConfiguration, parts: EndpointParts): Opener {
  const { http, servers, simulated } = parts
  if (endpoint.kind === 'simulated') {
    return async () => {
      if (simulated === undefined)
        throw new Error(`The simulated models of "${name}" were not given to openModels.`)
      return simulated(name, endpoint, http.clock)
    }
  }
  if (endpoint.kind === 'served') {
    return async () => {
      if (servers === undefined)
        throw new Error(`The endpoint "${name}" is served by this service, which was given no servers.`)
      const { openHttpModels } = await import('./open-http-models.ts')
      return servedModels(endpoint, servers, async (at) => openHttpModels(name, at, null, http))
    }
  }
  const keys = http.keys.source(name, endpoint)
  return async () => {
    const { openHttpModels } = await import('./open-http-models.ts')
    return openHttpModels(name, endpoint, keys, http)
  }
}

function shareOf(endpoint: EndpointConfiguration, processes: number): EndpointConfiguration {
  if (!('max_concurrency' in endpoint)) return endpoint
  return { ...endpoint, max_concurrency: Math.max(1, Math.floor(endpoint.max_concurrency / processes)) }
}

/**
 * Models until they are closed. Imports their code on the first call: most functions make none, and it would be the
 * largest part of their start.
 */
function whenAsked(calls: CallsUnderWay, open: () => Promise<EndpointModels>): EndpointModels {
  const ask = <Answer>(
    { signal: caller, ...others }: CallOptions,
    call: (models: EndpointModels, options: CallOptions) => Promise<Answer>,
  ): Promise<Answer> => calls.run(caller, async (signal) => call(await open(), { ...others, signal }))
  return {
    chat: {
      complete: (request, options) => ask(options, ({ chat }, until) => chat.complete(request, until)),
    },
    embedding: {
      embed: (request, options) => ask(options, ({ embedding }, until) => embedding.embed(request, until)),
    },
    scorer: {
      score: (request, options) => ask(options, ({ scorer }, until) => scorer.score(request, until)),
    },
  }
}
