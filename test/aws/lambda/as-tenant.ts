import { expect } from 'vitest'
import { openKeys } from '../../../shared/core/auth/open-keys.ts'
import type { RunEvent } from '../../../shared/core/contracts/run-event.ts'
import type { Stage } from './open-stage.ts'

/** The API of a stage as somebody with a key sees it. */
export async function asTenant({ call, world }: Stage, tenant: string) {
  const { key } = await openKeys(world).create(tenant, { name: 'test', scopes: ['admin'] })
  async function ask(
    method: string,
    path: string,
    content: { body?: unknown; lines?: string } = {},
  ): Promise<{ status: number; body: string }> {
    // The gateway answers 500 when a fault has got through all retries; a client asks again.
    for (;;) {
      const answer = await call(method, path, { key, ...content })
      if (answer.status < 500) return answer
    }
  }
  return {
    key,
    async get<Answer>(path: string): Promise<Answer> {
      const { body, status } = await ask('GET', path)
      expect(status, body).toBe(200)
      return JSON.parse(body) as Answer
    },
    async post<Answer>(path: string, request: unknown): Promise<Answer> {
      const { body, status } = await ask('POST', path, { body: request })
      expect(status, body).toBe(201)
      return JSON.parse(body) as Answer
    },
    /** Posts JSON Lines. */
    async send<Answer>(path: string, lines: string): Promise<Answer> {
      const { body, status } = await ask('POST', path, { lines })
      expect(status, body).toBe(201)
      return JSON.parse(body) as Answer
    },
    async events(run: string): Promise<RunEvent[]> {
      const { body } = await ask('GET', `/v1/runs/${run}/events`)
      const events = [...body.matchAll(/^data: (.+)$/gm)].map(
        ([, data]) => JSON.parse(data ?? '{}') as RunEvent,
      )
      return events.filter((event) => 'sequence' in event)
    },
  }
}
