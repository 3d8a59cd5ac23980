import { describe, expect, test } from 'vitest'
import { indexTasks } from '../../../../containers/env-host/agentgym/agentgym-games.ts'
import { textcraft } from '../../../../shared/environments/textcraft/textcraft.ts'
import { facadeHost } from '../facade-host.ts'

const base = '/agentgym/textcraft'
/** What AgentGym's client sends to create. */
const creation = { minecraft_dir: 'agentenv_textcraft/', commands: null, goal: null }

function openingOf(dataIndex: number): string {
  return textcraft.reset(indexTasks('textcraft', textcraft.tasks())[dataIndex]?.id ?? '', 0).observation
}

describe("the routes of AgentGym's TextCraft server", () => {
  test('play a game in its shapes', async () => {
    const { get, post } = await facadeHost()
    expect(await (await get(base)).json()).toBe('This is environment TextCraft.')
    const created = await post(`${base}/create`, creation)
    expect(created.status).toBe(200)
    expect(await created.json()).toEqual({ id: 0, observation: openingOf(0), done: false, reward: 0 })
    expect(await (await post(`${base}/create`, creation)).json()).toMatchObject({
      id: 1,
      observation: openingOf(1),
    })
    const reset = await post(`${base}/reset`, { id: 0, data_idx: 17 })
    expect(await reset.json()).toEqual({ id: 0, observation: openingOf(17), done: false, reward: 0 })
    const step = await post(`${base}/step`, { id: 0, action: 'inventory' })
    const observation = 'Inventory: You are not carrying anything.'
    expect(await step.json()).toEqual({ observation, reward: 0, done: false })
    expect(await (await get(`${base}/observation?id=0`)).json()).toBe(observation)
    expect(await (await get(`${base}/observation?id=1`)).json()).toBe(openingOf(1))
    expect(await (await get(`${base}/detail?id=0`)).json()).toEqual({
      observation,
      done: false,
      reward: 0,
      deleted: false,
    })
    expect(await (await post(`${base}/close`, { id: 0 })).json()).toBe(true)
    expect(await (await post(`${base}/close`, { id: 0 })).json()).toBe(false)
  })

  test('count tasks round and round, and take the first where none is named', async () => {
    const { post } = await facadeHost()
    await post(`${base}/create`, {})
    const count = textcraft.tasks().length
    expect(await (await post(`${base}/reset`, { id: 0, data_idx: count + 3 })).json()).toMatchObject({
      observation: openingOf(3),
    })
    expect(await (await post(`${base}/reset`, { id: 0 })).json()).toMatchObject({ observation: openingOf(0) })
  })

  test('answer what has no session with an error and the status 200', async () => {
    const { get, post } = await facadeHost()
    const step = (id: number) => post(`${base}/step`, { id, action: 'inventory' })
    expect(await (await step(7)).json()).toEqual({ error: 'The id 7 is not valid.' })
    expect(await (await step(-1)).json()).toEqual({ error: 'The id -1 is not valid.' })
    await post(`${base}/create`, {})
    await post(`${base}/close`, { id: 0 })
    const answer = await step(0)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ error: 'The task with environment 0 has been deleted.' })
    expect(await (await get(`${base}/observation?id=0`)).json()).toEqual({
      error: 'The task with environment 0 has been deleted.',
    })
  })

  test("answer what does not fit with FastAPI's 422", async () => {
    const { get, post } = await facadeHost()
    const missing = await post(`${base}/step`, { id: 0 })
    expect(missing.status).toBe(422)
    expect(await missing.json()).toEqual({
      detail: [{ type: 'missing', loc: ['body', 'action'], msg: 'Field required', input: { id: 0 } }],
    })
    expect(await (await post(`${base}/step`, { id: 'x', action: 3 })).json()).toEqual({
      detail: [
        { type: 'int_parsing', loc: ['body', 'id'], msg: 'Input should be a valid integer', input: 'x' },
        { type: 'string_type', loc: ['body', 'action'], msg: 'Input should be a valid string', input: 3 },
      ],
    })
    expect((await post(`${base}/create`)).status).toBe(422)
    expect((await post(`${base}/create`, [1])).status).toBe(422)
    expect((await get(`${base}/observation`)).status).toBe(422)
    expect((await post(`${base}/step`, { id: '0', action: 'x' })).status).toBe(200)
  })

  test('hold no more sessions than the host has slots, and say 503 when there is none', async () => {
    const { post, table } = await facadeHost({ slots: 2 })
    await post(`${base}/create`, {})
    await post(`${base}/create`, {})
    const full = await post(`${base}/create`, {})
    expect(full.status).toBe(503)
    expect(await full.json()).toEqual({ error: expect.stringContaining('as many as it may') })
    await post(`${base}/close`, { id: 0 })
    expect((await post(`${base}/create`, {})).status).toBe(200)
    expect(table.health().sessions).toBe(2)
  })

  test('give the slot of an unused session to a new one, the longest unused first', async () => {
    const { post, table, wait } = await facadeHost({ slots: 2 })
    await post(`${base}/create`, {})
    await post(`${base}/create`, {})
    wait(61)
    const step = async (id: number) => (await post(`${base}/step`, { id, action: 'inventory' })).json()
    expect(await step(0)).toMatchObject({ done: false })
    expect(await (await post(`${base}/create`, {})).json()).toMatchObject({ id: 2 })
    expect(await step(1)).toEqual({ error: 'The task with environment 1 has been deleted.' })
    expect(await step(0)).toMatchObject({ done: false })
    expect((await post(`${base}/create`, {})).status).toBe(503)
    expect(table.health().sessions).toBe(2)
  })

  test('take no slot of a session that a worker holds', async () => {
    const { post, table, wait } = await facadeHost({ slots: 1 })
    await table.create({ environment: 'textcraft', task: textcraft.tasks()[0]?.id ?? '', seed: 0, token: 1 })
    wait(300)
    expect((await post(`${base}/create`, {})).status).toBe(503)
  })

  test('serve one split under a path of its own', async () => {
    const { get, post } = await facadeHost()
    const tests = indexTasks('textcraft', textcraft.tasks()).filter(({ split }) => split === 'test')
    const split = `${base}/split/test`
    expect(await (await get(split)).json()).toBe('This is environment TextCraft.')
    expect(await (await get(`${split}/`)).json()).toBe('This is environment TextCraft.')
    expect(await (await post(`${split}/create`, {})).json()).toMatchObject({ id: 0 })
    for (const index of [0, 40, tests.length + 1]) {
      const { observation } = textcraft.reset(tests[index % tests.length]?.id ?? '', 0)
      const reset = await post(`${split}/reset`, { id: 0, data_idx: index })
      expect(await reset.json()).toMatchObject({ observation })
    }
    expect(await (await post(`${split}/step/`, { id: 0, action: 'inventory' })).json()).toMatchObject({
      done: false,
    })
    // Sessions of the whole and of a split have numbers of their own.
    expect(await (await post(`${base}/step`, { id: 0, action: 'inventory' })).json()).toEqual({
      error: 'The id 0 is not valid.',
    })
    const unknown = await post(`${base}/split/exam/create`, {})
    expect(unknown.status).toBe(404)
    expect(await unknown.json()).toEqual({ error: expect.stringContaining('test, train') })
  })

  test('stand under their address with a slash at its end too', async () => {
    const { get, post } = await facadeHost()
    expect(await (await get(`${base}/`)).json()).toBe('This is environment TextCraft.')
    expect(await (await post(`${base}/create/`, {})).json()).toMatchObject({ id: 0 })
  })

  test('call a session deleted that was let go, and bring it back with a reset', async () => {
    const { post, table, wait } = await facadeHost()
    await post(`${base}/create`, {})
    await post(`${base}/create`, {})
    wait(601)
    expect(table.reap()).toBe(2)
    expect(await (await post(`${base}/step`, { id: 0, action: 'inventory' })).json()).toEqual({
      error: 'The task with environment 0 has been deleted.',
    })
    expect(await (await post(`${base}/reset`, { id: 1 })).json()).toMatchObject({ id: 1 })
    expect(await (await post(`${base}/close`, { id: 1 })).json()).toBe(true)
    expect(table.health().sessions).toBe(0)
  })

  test('give the last answer again after the end', async () => {
    const { post } = await facadeHost()
    const dataIndex = indexTasks('textcraft', textcraft.tasks()).findIndex(({ type }) => type === 'depth-1')
    const { observation } = (await (await post(`${base}/create`, {})).json()) as { observation: string }
    expect(dataIndex).toBe(0)
    const lines = observation.split('\n')
    const goal = lines.at(-1)?.replace(/^Goal: craft (.*)\.$/, '$1') ?? ''
    const [, command = ''] =
      lines.map((line) => new RegExp(`^craft \\d+ ${goal} using (.*)$`).exec(line)).find(Boolean) ?? []
    for (const ingredient of command.split(', ')) {
      await post(`${base}/step`, { id: 0, action: `get ${ingredient}` })
    }
    const action = `craft 1 ${goal} using ${command}`
    const won = await (await post(`${base}/step`, { id: 0, action })).json()
    expect(won).toMatchObject({ reward: 1, done: true })
    expect(await (await post(`${base}/step`, { id: 0, action: 'inventory' })).json()).toEqual(won)
  })

  test('survive odd actions', async () => {
    const { post, errors } = await facadeHost()
    await post(`${base}/create`, {})
    for (const action of ['', '\u0000\n\t', 'craft '.repeat(170_000), '🌳']) {
      const answer = await post(`${base}/step`, { id: 0, action })
      expect(answer.status).toBe(200)
      expect(await answer.json()).toMatchObject({ reward: 0, done: false })
    }
    expect((await post(`${base}/step`, { id: 0, action: 'x'.repeat(5_000_000) })).status).toBe(413)
    expect(errors).toEqual([])
  })

  test.each([
    ['another web page', 'http://localhost', 'http://elsewhere.example', 403],
    ['a page whose name was made to lead here', 'http://rebound.example', 'http://rebound.example', 403],
    ['a client that names the host by its address', 'http://127.0.0.1:80', 'http://127.0.0.1', 200],
    ['a client that names the host', 'http://[::1]:36001', 'http://[::1]:36001', 200],
    ['a client in its network', 'http://lab:36001', 'http://lab:36001', 200],
  ])('answer %s as they should', async (_who, address, origin, status) => {
    const { app } = await facadeHost()
    const headers = { origin, 'content-type': 'application/json' }
    const answer = await app.request(`${address}${base}/create`, { method: 'POST', headers, body: '{}' })
    expect(answer.status).toBe(status)
  })
})
