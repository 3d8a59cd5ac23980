import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openService } from '../../local/open-service.ts'
import type { CallQuestionInput, QuestionEstimate } from '../../shared/core/contracts/call-question.ts'
import type { EpisodeCalls } from '../../shared/core/contracts/episode-calls.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import type { TenantLimits } from '../../shared/core/contracts/tenant-limits.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const prices = { '*': { input: 10, output: 30 } }
const paid = { kind: 'simulated', prices }

test('a call is asked again at a price shown before, counted and capped as a run, and thrown away', async () => {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints: { paid } }))
  const service = await openService({ folder, auth: 'keys', log: () => undefined })
  const ask = async <Answer>(method: string, path: string, body: unknown, key = service.word) => {
    const answer = await service.app.request(path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Answer }
  }
  const ended = async (run: string) => {
    const read = async () => (await ask<Run>('GET', `/v1/runs/${run}`, undefined)).body
    await expect.poll(async () => (await read()).status, { timeout: 60_000 }).not.toMatch(/queued|running/)
    return read()
  }
  try {
    const request = {
      environment: 'textcraft',
      tasks: { limit: 1 },
      method: { id: 'react' },
      model: { endpoint: 'simulated', id: 'simulated' },
    }
    const { id: run } = (await ask<Run>('POST', '/v1/runs', request)).body
    await ended(run)
    const episode = `/v1/runs/${run}/episodes/ep-0000000`
    const { calls, messages } = (await ask<EpisodeCalls>('GET', `${episode}/calls`, undefined)).body
    const first = calls[0]
    const question: CallQuestionInput = {
      call: first?.key ?? '',
      model: { endpoint: 'paid', id: 'simulated', max_tokens: 300 },
    }
    const path = `${episode}/questions`
    const { body: price } = await ask<QuestionEstimate>('POST', `${path}?dry_run=true`, question)
    expect(price).toMatchObject({ object: 'question_estimate', answer_tokens: 300 })
    expect(price.cost).toBeCloseTo((price.prompt_tokens * 10 + 300 * 30) / 1e6, 6)
    expect(price.limits).toEqual({ cost: (price.cost ?? 0) * 2 })
    const listed = async () => (await ask<{ data: Run[] }>('GET', '/v1/runs', undefined)).body.data.length
    expect(await listed()).toBe(1)

    const limits = (await ask<TenantLimits>('PUT', '/v1/limits', { cost: 100 })).body
    const asked = await ask<Run>('POST', path, question)
    expect(asked.status).toBe(201)
    const judged = await ended(asked.body.id)
    expect(judged).toMatchObject({ status: 'succeeded', request: { limits: price.limits } })
    const again = (
      await ask<EpisodeCalls>('GET', `/v1/runs/${judged.id}/episodes/ep-0000000/calls`, undefined)
    ).body
    expect(again.messages).toEqual(first?.prompt.map((place) => messages[place]))
    expect(again.calls).toHaveLength(1)
    expect(again.calls[0]).toMatchObject({ model: 'paid/simulated' })
    expect(again.calls[0]?.answers[0]).not.toBe('')
    const cost = judged.usage.cost ?? 0
    expect(cost).toBeGreaterThan(0)
    expect(cost).toBeLessThanOrEqual(price.limits.cost ?? 0)
    const spent = async () => (await ask<TenantLimits>('GET', '/v1/limits', undefined)).body.used.cost
    await expect.poll(spent).toBeCloseTo(limits.used.cost + cost, 6)

    expect((await ask('DELETE', `/v1/runs/${judged.id}`, undefined)).status).toBe(200)
    expect(await listed()).toBe(1)
    expect(await spent()).toBeCloseTo(limits.used.cost + cost, 6)

    const poor = await ask<Run>('POST', path, { ...question, limits: { cost: 0.000001 } })
    expect(await ended(poor.body.id)).toMatchObject({ status: 'paused', usage: { cost: 0 } })

    for (const [change, status, code] of [
      [{ call: 'node/99/sample/0' }, 404, 'not_found'],
      [{ model: { endpoint: 'nowhere', id: 'x' } }, 400, 'unknown_endpoint'],
    ] as const) {
      const refused = await ask<{ error: object }>('POST', path, { ...question, ...change })
      expect(refused).toMatchObject({ status, body: { error: { code } } })
    }
    const elsewhere = '/v1/runs/run-0000000000-00000000/episodes/ep-0000000/questions'
    expect((await ask('POST', elsewhere, question)).status).toBe(404)
    const other = await ask<{ key: string }>('POST', '/v1/keys', { name: 'reads', scopes: ['runs:read'] })
    expect((await ask('POST', path, question, other.body.key)).status).toBe(403)
  } finally {
    await service.close({ grace: 1 })
  }
})
