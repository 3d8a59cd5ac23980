import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openService } from '../local/open-service.ts'
import { createApiClient } from '../shared/core/client/api-client.ts'
import { createFetchTransport } from '../shared/core/client/fetch-transport.ts'
import { EspalierError } from '../shared/core/contracts/errors.ts'
import { loadEndpoints } from '../shared/play/models/load-endpoints.ts'
import type { CanaryOptions } from './options.ts'
import type { CanaryPlan } from './plans.ts'
import { type PlayedRun, readRun } from './play-on-stage.ts'
import { redirectOf } from './stage-api.ts'

const pollMilliseconds = 200

type StageEndpoints = Awaited<ReturnType<typeof loadEndpoints>>

/**
 * Reads the deployed endpoints. Without a file there is the built-in simulated one.
 * @throws EspalierError `unknown_endpoint` if the endpoint is unknown or not simulated: others answer differently
 * each time
 */
export async function readStageEndpoints(
  { stage, endpoint, endpoints }: Pick<CanaryOptions, 'stage' | 'endpoint' | 'endpoints'>,
  folder: string,
): Promise<StageEndpoints> {
  const usual = [`endpoints.${stage}.json`, 'endpoints.json'].map((name) => join(folder, name))
  const path = (endpoints === null ? usual : [endpoints]).find((file) => existsSync(file)) ?? null
  if (endpoints !== null && path === null)
    throw new EspalierError('invalid_request', `There is no file ${endpoints}.`, { param: 'endpoints' })
  const read = await loadEndpoints({ path, environment: process.env, onlyKeyed: true })
  const found = read.get(endpoint)
  if (found?.kind === 'simulated') return read
  const why = found === undefined ? `there is none in ${path}` : `it is of the kind ${found.kind}`
  throw new EspalierError(
    'unknown_endpoint',
    `"${endpoint}" cannot be tried, because ${why}: name a simulated endpoint of the stage with --endpoint.`,
    { param: 'endpoint' },
  )
}

export async function playHere(
  plans: readonly CanaryPlan[],
  endpoints: StageEndpoints,
): Promise<Map<CanaryPlan['name'], PlayedRun>> {
  const folder = await mkdtemp(join(tmpdir(), 'espalier-canary-'))
  const service = await openService({ folder, endpoints, log: () => undefined })
  try {
    const transport = createFetchTransport({
      address: service.address,
      fetch: async (url, init) => {
        const response = await service.app.request(url, init)
        const location = redirectOf(response, url)
        return location === null ? response : service.app.request(location)
      },
    })
    const api = { client: createApiClient(transport), transport, times: new Map(), refusals: new Map() }
    const played = new Map<CanaryPlan['name'], PlayedRun>()
    for (const { name, local } of plans) {
      let run = await api.client.createRun(local, `canary-${name}`)
      for (; run.ended_at === null; run = await api.client.run(run.id)) await pause(pollMilliseconds)
      played.set(name, await readRun(api, run))
    }
    return played
  } finally {
    await service.close()
    await rm(folder, { recursive: true, force: true })
  }
}
