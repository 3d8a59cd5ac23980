import { setTimeout as pause } from 'node:timers/promises'
import { type ApiClient, createApiClient } from '../shared/core/client/api-client.ts'
import { ApiError } from '../shared/core/client/api-error.ts'
import { ConnectionError } from '../shared/core/client/connection-error.ts'
import { createFetchTransport } from '../shared/core/client/fetch-transport.ts'
import type { Transport } from '../shared/core/client/transport.ts'

const retryMilliseconds = { whole: 120_000, between: 1000 }

export interface StageApi {
  client: ApiClient
  transport: Transport
  /** Milliseconds of each answer, by method and route. */
  times: Map<string, number[]>
  refusals: Map<number, number>
}

/** @throws TypeError for an invalid address */
export function openStageApi({ api, key }: { api: string; key: string }): StageApi {
  const home = new URL(api).origin
  const times = new Map<string, number[]>()
  const refusals = new Map<number, number>()

  async function timed(url: string, init: RequestInit): Promise<Response> {
    const started = performance.now()
    // A tree is behind a redirect: S3's time is not the API's.
    const response = await fetch(url, { ...init, redirect: 'manual' })
    if (new URL(url).origin === home) {
      const route = routeOf(init.method ?? 'GET', url)
      const known = times.get(route) ?? []
      times.set(route, [...known, performance.now() - started])
      const { status } = response
      if (status === 429 || status >= 500) refusals.set(status, (refusals.get(status) ?? 0) + 1)
    }
    const location = redirectOf(response, url)
    return location === null ? response : fetch(location)
  }

  const transport = createFetchTransport({ address: api, key, fetch: timed })
  return { client: createApiClient(transport), transport, times, refusals }
}

export async function patiently<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const until = performance.now() + retryMilliseconds.whole
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      const isPassing =
        error instanceof ConnectionError ||
        (error instanceof ApiError && (error.status === 429 || error.status >= 500))
      if (!isPassing || performance.now() > until) throw error
      await pause(retryMilliseconds.between)
    }
  }
}

export function redirectOf({ status, headers }: Response, url: string): string | null {
  const location = headers.get('location')
  return location === null || status < 300 || status > 399 ? null : new URL(location, url).href
}

function routeOf(method: string, url: string): string {
  const path = new URL(url).pathname.replace(/\/runs\/[^/]+/, '/runs/{run}')
  return `${method} ${path.replace(/\/episodes\/[^/]+/, '/episodes/{episode}')}`
}
