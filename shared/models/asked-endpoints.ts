import type { EndpointConfiguration } from '../contracts/endpoint-configuration.ts'
import type { CallsUnderWay } from './calls-under-way.ts'
import type { CallOptions } from './chat-model.ts'
import type { EndpointDirectory } from './endpoint-directory.ts'
import type { EndpointModels } from './endpoint-models.ts'
import type { OpenSimulatedModels } from './model-pool.ts'
import type { HttpModelParts } from './open-http-models.ts'
import { type ServedAddresses, servedModels } from './served-models.ts'

/** What the models of an endpoint are opened with. */
export interface EndpointParts {
  http: HttpModelParts
  simulated: OpenSimulatedModels | undefined
  servers: ServedAddresses | undefined
  /** Which addresses endpoints of the directory may have. */
  network: 'any' | 'public'
  /** How many processes share the `max_concurrency` of endpoints of the directory. */
  processes: number
}

/** Milliseconds for which an endpoint of the directory is believed to be as it was read. */
const freshness = 500

/** The models of an endpoint that stays as it is. Its key is looked for at once. */
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
 * The models of an endpoint of the directory: each call finds it as it is, or is refused where it is no longer there. What was
 * opened serves until the endpoint is changed; calls that are under way then end as they began.
 */
export function listedModels(
  name: string,
  needs: {
    directory: EndpointDirectory
    calls: CallsUnderWay
    parts: EndpointParts
    /** Throws that there is no such endpoint. */
    unknown(): unknown
  },
): EndpointModels {
  const { calls, directory, parts, unknown } = needs
  let opened: { edition: string; models: Promise<EndpointModels> } | null = null
  return whenAsked(calls, async () => {
    await directory.refresh(freshness)
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

/** The part of an endpoint's calls that one of several processes may have in flight. */
function shareOf(endpoint: EndpointConfiguration, processes: number): EndpointConfiguration {
  if (!('max_concurrency' in endpoint)) return endpoint
  return { ...endpoint, max_concurrency: Math.max(1, Math.floor(endpoint.max_concurrency / processes)) }
}

/**
 * Models until they are closed. Their code is read when one is first asked: most functions ask none, and it is the
 * largest part of what they would read.
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
