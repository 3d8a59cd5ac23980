import { expect, test } from 'vitest'
import { openService } from '../../local/open-service.ts'
import type { PlaySession } from '../../shared/core/contracts/play-session.ts'
import type { TrajectoryImport } from '../../shared/core/contracts/trajectory-import.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test('a person plays a task on the service, saves it as an expert, and other tenants reach nothing', async () => {
  const service = await openService({ folder: await temporaryFolder(), auth: 'keys', log: () => undefined })
  const ask = async <Answer>(method: string, path: string, body: unknown, key: string) => {
    const answer = await service.app.request(path, {
      method,
      headers: {
        ...(key !== '' && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Answer }
  }
  const keyOf = async (scopes: string[]) => {
    const made = await ask<{ key: string }>('POST', '/v1/keys', { name: 'a person', scopes }, service.word)
    return made.body.key
  }
  try {
    expect((await ask('GET', '/health', undefined, '')).body).toMatchObject({ sessions: true })
    const [mine, other] = [await keyOf(['runs:write']), await keyOf(['runs:write'])]
    const start = { environment: 'textcraft', task: 'textcraft-0092' }
    const { body: started, status } = await ask<PlaySession>('POST', '/v1/sessions', start, mine)
    expect(status).toBe(201)
    expect(started).toMatchObject({ object: 'play_session', can_undo: true, steps: [{ action: null }] })
    const path = `/v1/sessions/${started.id}`
    expect((await ask('GET', path, undefined, other)).status).toBe(404)
    const act = { from: 0, action: 'inventory', thought: 'Look first.' }
    expect((await ask('POST', `${path}/turns`, act, other)).status).toBe(404)
    const { body: after } = await ask<PlaySession>('POST', `${path}/turns`, act, mine)
    expect(after.steps[1]).toMatchObject({ action: 'inventory', thought: 'Look first.', valid: true })
    const { body: saved } = await ask<TrajectoryImport>('POST', `${path}/save`, undefined, mine)
    expect(saved).toMatchObject({ status: 'complete', trajectories: 1, rejected: 0 })
    const reader = await keyOf(['datasets:read'])
    const list = await ask<{ data: object[] }>(
      'GET',
      `/v1/trajectories/${saved.id}/trajectories`,
      undefined,
      reader,
    )
    expect(list.body.data).toEqual([
      expect.objectContaining({
        environment: 'textcraft',
        task: start.task,
        method: 'expert',
        model: 'imported/person',
        reward: 0,
      }),
    ])
    expect((await ask('DELETE', path, undefined, mine)).status).toBe(200)
    const ended = await ask<{ error: object }>('GET', path, undefined, mine)
    expect(ended).toMatchObject({ status: 404, body: { error: { code: 'unknown_session' } } })
    const unknown = await ask<{ error: object }>(
      'POST',
      '/v1/sessions',
      { ...start, environment: 'mazes' },
      mine,
    )
    expect(unknown).toMatchObject({ status: 400, body: { error: { code: 'unknown_environment' } } })
  } finally {
    await service.close({ grace: 1 })
  }
})
