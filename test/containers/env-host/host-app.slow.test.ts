import { describe, expect, test } from 'vitest'
import { startEnvHost } from '../../../containers/env-host/start-env-host.ts'
import { errorBodySchema } from '../../../shared/core/contracts/error-body.ts'
import {
  hostHealthSchema,
  sessionActionsSchema,
  sessionSchema,
  sessionStepSchema,
} from '../../../shared/core/contracts/session.ts'
import { serveAll } from './open-table.ts'

const settings = {
  port: 0,
  bind: '127.0.0.1',
  slots: 3,
  sessionIdle: 60,
  leaveAfter: 600,
  yieldAfter: 60,
  leavesSpent: false,
  data: {},
  modules: [],
  moduleLimits: {},
  programs: [],
  accessKey: null as string | null,
  roots: { agentgym: null, openenv: null },
}
const task = { environment: 'textcraft', task: 'textcraft-0042', seed: 0, token: 1 }

async function openHost(changed: Partial<typeof settings> = {}, isSpent = () => false) {
  const environments = await serveAll(undefined, isSpent)
  const host = await startEnvHost({ ...settings, ...changed }, environments, () => undefined)
  const address = `http://127.0.0.1:${host.port}`
  const post = (path: string, body: unknown, type = 'application/json') =>
    fetch(`${address}${path}`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return { host, address, post, [Symbol.asyncDispose]: () => host.drain('the test is over') }
}

async function refusal(answer: Response): Promise<[number, string]> {
  const { error } = errorBodySchema.parse(await answer.json())
  return [answer.status, error.code]
}

describe('a host over HTTP', () => {
  test('answers no web page, whatever type it sends', async () => {
    await using opened = await openHost()
    const headers = { 'content-type': 'application/json', origin: 'http://rebound.example' }
    const answer = await fetch(`${opened.address}/sessions`, {
      method: 'POST',
      headers,
      body: JSON.stringify(task),
    })
    expect(await refusal(answer)).toEqual([403, 'foreign_origin'])
    expect(await (await fetch(`${opened.address}/health`)).json()).toMatchObject({ sessions: 0 })
  })

  test('lists the possible actions of a session to its holder', async () => {
    await using opened = await openHost()
    const { post } = opened
    const { id } = sessionSchema.parse(await (await post('/sessions', task)).json())
    const listed = await post(`/sessions/${id}/actions`, { token: 1 })
    expect(listed.status).toBe(200)
    expect(sessionActionsSchema.parse(await listed.json())).toMatchObject({ session: id, actions: null })
    await post(`/sessions/${id}/actions`, { token: 2 })
    expect(await refusal(await post(`/sessions/${id}/actions`, { token: 1 }))).toEqual([
      409,
      'session_fenced',
    ])
  })

  test('opens, steps, snapshots, forks and closes sessions, and says how many slots are free', async () => {
    await using opened = await openHost()
    const { address, post } = opened
    const created = await post('/sessions', task)
    expect(created.status).toBe(201)
    const { id } = sessionSchema.parse(await created.json())
    const stepped = await post(`/sessions/${id}/step`, { action: 'inventory', step_index: 0, token: 1 })
    const { path, observation } = sessionStepSchema.parse(await stepped.json())
    expect(observation).toBe('Inventory: You are not carrying anything.')
    expect(await (await post(`/sessions/${id}/snapshot`, { token: 1 })).json()).toMatchObject({
      path,
      step_index: 1,
    })
    const forked = await post(`/sessions/${id}/fork`, { token: 1, fork: { token: 1 } })
    expect([forked.status, sessionSchema.parse(await forked.json()).path]).toEqual([201, path])
    const health = hostHealthSchema.parse(await (await fetch(`${address}/health`)).json())
    expect(health).toMatchObject({ status: 'ok', environments: ['textcraft'], sessions: 2, free_slots: 1 })
    const remove = () => fetch(`${address}/sessions/${id}?token=1`, { method: 'DELETE' })
    expect(await (await remove()).json()).toEqual({ object: 'session', id, deleted: true })
    expect(await refusal(await remove())).toEqual([404, 'unknown_session'])
  })

  test('plays an action of one megabyte as the environment does', async () => {
    await using opened = await openHost()
    const { post } = opened
    const { id } = sessionSchema.parse(await (await post('/sessions', task)).json())
    for (const [step_index, action] of [
      'x'.repeat(2 ** 20),
      `get 1 ${'\u0000\u001b'.repeat(1000)}`,
    ].entries()) {
      const answer = await post(`/sessions/${id}/step`, { action, step_index, token: 1 })
      expect(sessionStepSchema.parse(await answer.json())).toMatchObject({ reward: 0, done: false })
    }
    expect((await post('/sessions', task)).status).toBe(201)
  })

  test('takes the files of a task with the start of a session', async () => {
    await using opened = await openHost()
    const files = { 'tasks/long.json': 'x'.repeat(8 * 2 ** 20) }
    const answer = await opened.post('/sessions', { ...task, files })
    // It has no use for them, and has read them.
    expect(answer.status === 201 || (await refusal(answer))[0] < 413).toBe(true)
  })

  test('takes a body whose length was not said, up to what it takes at all', async () => {
    await using opened = await openHost()
    const send = (text: string) =>
      fetch(`${opened.address}/sessions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: new Blob([text]).stream(),
        duplex: 'half',
      })
    expect((await send(JSON.stringify(task))).status).toBe(201)
    expect(await refusal(await send('x'.repeat(37 * 2 ** 20)))).toEqual([413, 'body_too_large'])
  })

  test('answers what it cannot use with what is wrong, and lives on', async () => {
    await using opened = await openHost()
    const { address, post } = opened
    const step = { action: 'inventory', step_index: 0, token: 1 }
    const wrong: [Promise<Response>, [number, string]][] = [
      [post('/sessions', '{"environment":'), [400, 'invalid_json']],
      [post('/sessions', 'x'.repeat(37 * 2 ** 20)), [413, 'body_too_large']],
      [post('/sessions/slot-1/step', 'x'.repeat(5 * 2 ** 20)), [413, 'body_too_large']],
      [post('/sessions', task, 'text/plain'), [415, 'unsupported_media_type']],
      [post('/sessions', { ...task, token: 0 }), [400, 'invalid_request']],
      [post('/sessions', { ...task, tokn: 1 }), [400, 'unknown_field']],
      [post('/sessions', { ...task, id: '../etc' }), [400, 'invalid_request']],
      [post('/sessions', '['.repeat(2000) + ']'.repeat(2000)), [400, 'invalid_request']],
      [post('/sessions', { ...task, environment: 'chess' }), [400, 'unknown_environment']],
      [post('/sessions', { ...task, task: 'nowhere' }), [400, 'unknown_task']],
      [post('/sessions/unknown/step', step), [404, 'unknown_session']],
      [post('/sessions/unknown/step', { ...step, step_index: -1 }), [400, 'invalid_request']],
      [post('/sessions/unknown/jump', step), [404, 'not_found']],
      [fetch(`${address}/sessions/unknown`, { method: 'DELETE' }), [400, 'invalid_request']],
    ]
    const answers = await Promise.all(wrong.map(async ([answer]) => refusal(await answer)))
    expect(answers).toEqual(wrong.map(([, expected]) => expected))
    expect((await fetch(`${address}/health`)).status).toBe(200)
  })

  test('refuses a session more than it may hold', async () => {
    await using opened = await openHost({ slots: 1 })
    await opened.post('/sessions', task)
    expect(await refusal(await opened.post('/sessions', task))).toEqual([503, 'host_full'])
  })

  test('closes a session that is unused', async () => {
    await using opened = await openHost({ sessionIdle: 0.05 })
    const { id } = sessionSchema.parse(await (await opened.post('/sessions', task)).json())
    const held = async () =>
      hostHealthSchema.parse(await (await fetch(`${opened.address}/health`)).json()).sessions
    await expect.poll(held).toBe(0)
    const step = { action: 'inventory', step_index: 0, token: 1 }
    expect(await refusal(await opened.post(`/sessions/${id}/step`, step))).toEqual([404, 'unknown_session'])
  })

  test('says what it serves', async () => {
    await using opened = await openHost()
    const get = async (path: string) => fetch(`${opened.address}${path}`)
    expect(await (await get('/environments')).json()).toMatchObject({
      object: 'list',
      data: [{ object: 'environment', id: 'textcraft', snapshot: 'native', default_max_steps: 20 }],
    })
    expect(await (await get('/environments/textcraft')).json()).toMatchObject({
      guide: { rules: expect.any(String), example: expect.anything() },
    })
    const first = (await (await get('/environments/textcraft/tasks?limit=2')).json()) as { last_id: string }
    const next = await (await get(`/environments/textcraft/tasks?limit=1&after=${first.last_id}`)).json()
    expect(next).toMatchObject({ object: 'list', has_more: true, data: [{ object: 'task' }] })
    expect(await refusal(await get('/environments/chess'))).toEqual([400, 'unknown_environment'])
    expect(await refusal(await get('/environments/textcraft/tasks?after=none'))).toEqual([
      400,
      'unknown_task',
    ])
    expect(await refusal(await get('/environments/textcraft/tasks?limit=0'))).toEqual([
      400,
      'invalid_request',
    ])
  })

  test('leaves by itself when it has had no session for long enough', async () => {
    await using opened = await openHost({ leaveAfter: 0.01 })
    await opened.host.left
    await expect(fetch(`${opened.address}/health`)).rejects.toThrow()
  })

  test('leaves by itself when its session is over, and may have left something behind', async () => {
    let isSpent = false
    await using opened = await openHost({ sessionIdle: 10, leavesSpent: true }, () => isSpent)
    const session = sessionSchema.parse(await (await opened.post('/sessions', task)).json())
    isSpent = true
    const closing = await fetch(`${opened.address}/sessions/${session.id}?token=1`, { method: 'DELETE' })
    expect(closing.ok).toBe(true)
    await opened.host.left
    await expect(fetch(`${opened.address}/health`)).rejects.toThrow()
  })
})
