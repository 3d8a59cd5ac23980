import { onTestFinished } from 'vitest'
import { openService } from '../../local/open-service.ts'
import { endpointsFileSchema } from '../../shared/core/contracts/endpoint-configuration.ts'
import type { Run, RunRequestInput } from '../../shared/core/contracts/run.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** The service on one machine, to compare a stage with; closed when the test ends. */
export interface LocalApi {
  get<Answer>(path: string): Promise<Answer>
  /** Plays a run to its end. */
  play(request: RunRequestInput): Promise<Run>
  /** An episode's tree, as it is stored. */
  tree(run: string, episode: string): Promise<string>
}

export async function openLocalApi(endpoints: object): Promise<LocalApi> {
  const parsed = endpointsFileSchema.parse({ endpoints })
  const { address, app, close } = await openService({
    folder: await temporaryFolder(),
    endpoints: new Map(Object.entries(parsed.endpoints)),
    log: () => undefined,
  })
  onTestFinished(() => close())
  async function ask<Answer>(path: string, init?: RequestInit): Promise<Answer> {
    const answer = await app.request(`${address}${path}`, init)
    if (answer.status >= 400) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()) as Answer
  }
  return {
    get: (path) => ask(path),
    async play(request) {
      const headers = { 'Content-Type': 'application/json' }
      let run = await ask<Run>('/v1/runs', { method: 'POST', headers, body: JSON.stringify(request) })
      while (run.ended_at === null) {
        await new Promise((resolve) => setTimeout(resolve, 100))
        run = await ask<Run>(`/v1/runs/${run.id}`)
      }
      return run
    },
    async tree(run, episode) {
      const answer = await app.request(`${address}/v1/runs/${run}/episodes/${episode}/tree`)
      const signed = answer.headers.get('location') ?? ''
      return (await app.request(`${address}${signed}`)).text()
    },
  }
}
