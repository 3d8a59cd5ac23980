import { setTimeout as sleep } from 'node:timers/promises'
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { indexTasks } from '../../../containers/env-host/agentgym/agentgym-games.ts'
import { openAgentgymEnvironment } from '../../../shared/environments/agentgym/agentgym-environment.ts'
import type { AgentgymServer } from '../../../shared/environments/agentgym/agentgym-kinds.ts'
import { agentgymRegistrationSchema } from '../../../shared/environments/agentgym/agentgym-registration.ts'
import { AgentgymSessions } from '../../../shared/environments/agentgym/agentgym-sessions.ts'
import { alfworldDefinition } from '../../../shared/environments/alfworld/definition.ts'
import type { PureEnvironment } from '../../../shared/environments/environment.ts'
import { SessionLostError } from '../../../shared/environments/session-lost-error.ts'
import { textcraft } from '../../../shared/environments/textcraft/textcraft.ts'
import { webshopDefinition } from '../../../shared/environments/webshop/definition.ts'
import { facadeHost, scriptedDefinition } from '../../containers/env-host/facade-host.ts'
import { serveApp } from '../../support/serve-app.ts'

const { signal } = new AbortController()

function sessionsAt(server: AgentgymServer, address: string, more: { max_sessions?: number } = {}) {
  return new AgentgymSessions(agentgymRegistrationSchema.parse({ id: 'lab', server, address, ...more }))
}

const open = (sessions: AgentgymSessions, index: number, holder = 'test') =>
  sessions.open({ task: `lab-${String(index).padStart(5, '0')}`, seed: 0, holder }, signal)

describe('sessions on an AgentGym server', () => {
  test('play the same episode of TextCraft as the environment in process', async () => {
    const { app, table } = await facadeHost()
    const sessions = sessionsAt('textcraft', `${await serveApp(app)}/agentgym/textcraft/`)
    for (const index of [0, 41, 300]) {
      const task = indexTasks('textcraft', textcraft.tasks())[index]?.id ?? ''
      let { state, observation } = textcraft.reset(task, 0)
      const { live, result: opening } = await open(sessions, index)
      const start = { observation, reward: 0, done: false, valid: true, progress: 0 }
      expect(opening).toEqual({ ...start, state_hash: null, snapshot: null })
      for (const action of actionsFor(observation)) {
        const result = textcraft.step(state, action)
        ;({ state, observation } = result)
        const { state: _, ...answer } = result
        expect(await live.step(action, signal)).toEqual({ ...answer, state_hash: null, snapshot: null })
      }
      expect(await live.restore(null, signal)).toEqual(opening)
      await live.close()
    }
    expect(table.health().sessions).toBe(0)
  })

  test('play the same episode of WebShop as the environment in process', async () => {
    const { app } = await facadeHost({ definitions: [webshopDefinition] })
    const sessions = sessionsAt('webshop', `${await serveApp(app)}/agentgym/webshop`)
    const shop = (await webshopDefinition.open(null)) as PureEnvironment
    const core = await shop.open('webshop-7')
    let { state, observation } = core.reset('webshop-7', 0)
    const { live, result: opening } = await open(sessions, 7)
    expect(opening.observation).toBe(observation)
    const words = shop
      .tasks()
      .find(({ id }) => id === 'webshop-7')
      ?.description.split(',')[0]
    const next = [
      () => `search[${words}]`,
      firstProduct,
      () => 'click[Description]',
      () => 'click[< Prev]',
      () => 'click[Buy Now]',
    ]
    let earned = 0
    for (const choose of next) {
      const action = choose(observation)
      const result = core.step(state, action)
      ;({ state, observation } = result)
      const { reward, done } = result
      expect(await live.step(action, signal)).toMatchObject({ observation, reward, done, valid: true })
      earned = reward
    }
    expect(earned).toBeGreaterThan(0)
    await live.close()
  })

  test('play the same episode of ALFWorld as the environment in process', async () => {
    const { app } = await facadeHost({ definitions: [alfworldDefinition] })
    const sessions = sessionsAt('alfworld', `${await serveApp(app)}/agentgym/alfworld`)
    const house = (await alfworldDefinition.open(null)) as PureEnvironment
    const task = indexTasks('alfworld', house.tasks())[3]?.id ?? ''
    const core = await house.open(task)
    let { state, observation } = core.reset(task, 0)
    const { live, result: opening } = await open(sessions, 3)
    expect(opening.observation).toBe(
      `${observation}\nAVAILABLE ACTIONS: ${core.validActions?.(state).join(',')}`,
    )
    for (let step = 0; step < 30; step += 1) {
      const possible = core.validActions?.(state) ?? []
      const action = step % 7 === 6 ? 'go to nowhere 1' : (possible[(step * 5) % possible.length] ?? '')
      const result = core.step(state, action)
      ;({ state, observation } = result)
      const { reward, done, valid } = result
      const arrived = observation.replace(/^You arrive at loc \d+\. /, '')
      expect(await live.step(action, signal)).toMatchObject({ observation: arrived, reward, done, valid })
      if (done) break
    }
    await live.close()
  })

  test('show ALFWorld as the client of AgentGym does', async () => {
    const house = scriptedDefinition('alfworld', [{ id: 'trial_1', type: 'look' }], {
      opening: '-= Welcome =-\n\nYou are in a room.',
      answers: { 'use lamp 1': { observation: 'You win.', reward: 1, done: true } },
      actions: ['look', 'use lamp 1'],
    })
    const { app } = await facadeHost({ definitions: [house] })
    const sessions = sessionsAt('alfworld', `${await serveApp(app)}/agentgym/alfworld`)
    const { live, result: opening } = await open(sessions, 0)
    expect(opening.observation).toBe('You are in a room.\nAVAILABLE ACTIONS: look,use lamp 1')
    expect(await live.step('dance', signal)).toMatchObject({ observation: 'Nothing happens.', valid: false })
    expect(await live.step('use lamp 1', signal)).toMatchObject({
      reward: 1,
      done: true,
      valid: true,
      progress: 1,
    })
    await expect(live.step('look', signal)).rejects.toMatchObject({ code: 'session_done' })
  })

  test('use the sessions of a server again that cannot close them', async () => {
    const shop = scriptedDefinition('webshop', [{ id: 'webshop-0', type: 'x' }], {
      opening: 'WebShop [SEP] Search',
      answers: { 'click[buy now]': { observation: 'Bye', reward: 0.5, done: true } },
      actions: [],
    })
    const { app, table } = await facadeHost({ definitions: [shop] })
    const sessions = sessionsAt('webshop', `${await serveApp(app)}/agentgym/webshop`)
    for (let round = 0; round < 3; round += 1) {
      const { live, result: opening } = await open(sessions, 0)
      expect(opening).toMatchObject({ observation: 'WebShop [SEP] Search', done: false })
      expect(await live.step('buy it', signal)).toMatchObject({ valid: false, progress: 0 })
      expect(await live.step('click[buy now]', signal)).toMatchObject({
        reward: 0.5,
        done: true,
        progress: 0.5,
      })
      await live.close()
    }
    expect(table.health().sessions).toBe(1)
  })

  test("have ScienceWorld's score as their reward, and its disasters below 0", async () => {
    const lab = scriptedDefinition('scienceworld-plain', [{ id: 'boil/3', type: 'boil' }], {
      opening: 'Your task is to boil water.\nYou are in the lab.',
      answers: {
        'open door': { observation: 'Open.', reward: 0.25 },
        'focus on air': { observation: 'Wrong.', reward: -1, done: true },
      },
      actions: [],
    })
    const { app } = await facadeHost({ definitions: [lab] })
    const sessions = sessionsAt('sciworld', `${await serveApp(app)}/agentgym/scienceworld`)
    const { live, result: opening } = await open(sessions, 0)
    expect(opening.observation).toBe('Your task is to boil water.\nYou are in the lab.')
    expect(await live.step('open door', signal)).toMatchObject({ reward: 0.25, progress: 0.25 })
    expect(await live.step('focus on air', signal)).toMatchObject({ reward: -1, done: true, progress: 0.25 })
    await live.close()
  })

  test("have BabyAI's score so far as their reward", async () => {
    const app = new Hono()
    const seen: unknown[] = []
    app.post('/create', async (context) => {
      seen.push(await context.req.text())
      return context.json({ id: 4 })
    })
    app.post('/reset', async (context) => {
      seen.push(await context.req.json())
      return context.json({ observation: 'Your goal: go', reward: 0, score: 0, deleted: false, done: false })
    })
    app.post('/step', async (context) => {
      const { id, action } = (await context.req.json()) as { id: number; action: string }
      seen.push({ id, action })
      if (action === 'fly') {
        const observation = 'The action is not recognized. Please check valid actions.'
        return context.json({ observation, reward: 0, score: 0.5, done: false })
      }
      return context.json({ observation: 'You moved.', reward: 0.4, score: 0.9, done: true })
    })
    app.post('/close', async (context) => {
      seen.push(await context.req.json())
      return context.json(true)
    })
    const { live, result: opening } = await open(sessionsAt('babyai', await serveApp(app)), 43)
    expect(opening).toMatchObject({ observation: 'Your goal: go', reward: 0, done: false })
    expect(await live.step('fly', signal)).toMatchObject({ reward: 0.5, valid: false, progress: 0.5 })
    expect(await live.step('move forward', signal)).toMatchObject({ reward: 0.9, done: true, valid: true })
    await live.close()
    await live.close()
    expect(seen).toEqual([
      '',
      { id: 4, data_idx: 43 },
      { id: 4, action: 'fly' },
      { id: 4, action: 'move forward' },
      { id: 4 },
    ])
  })

  test('are no more at once than the registration allows', async () => {
    const { app, table } = await facadeHost()
    const sessions = sessionsAt('textcraft', `${await serveApp(app)}/agentgym/textcraft`, { max_sessions: 2 })
    const first = await open(sessions, 0)
    await open(sessions, 1)
    const third = open(sessions, 2)
    const stop = new AbortController()
    const fourth = sessions.open({ task: 'lab-00003', seed: 0, holder: 'x' }, stop.signal)
    stop.abort(new Error('stopped'))
    await expect(fourth).rejects.toThrow('stopped')
    expect(table.health().sessions).toBe(2)
    await first.live.close()
    expect((await third).result.done).toBe(false)
    expect(table.health().sessions).toBe(2)
  })

  test('start one game at a time at an address, for all callers together, while steps go on', async () => {
    const app = new Hono()
    const { promise: stepped, resolve: onStep } = Promise.withResolvers<void>()
    const held = { starts: 0, most: 0, before: Promise.resolve() }
    const start = async (answer: object) => {
      held.starts += 1
      held.most = Math.max(held.most, held.starts)
      await held.before
      await sleep(2)
      held.starts -= 1
      return Response.json(answer)
    }
    app.post('/create', () => start({ id: 0 }))
    app.post('/reset', () => start({ observation: 'Go.', reward: 0, done: false }))
    app.post('/step', (context) => {
      onStep()
      return context.json({ observation: 'Gone.', reward: 0, done: false })
    })
    app.post('/close', (context) => context.json(true))
    const address = await serveApp(app)
    const [one, other] = [sessionsAt('textcraft', address), sessionsAt('textcraft', `${address}/`)]
    const opened = await Promise.all([0, 1, 2].flatMap((index) => [open(one, index), open(other, index)]))
    const [first, second, third, ...rest] = opened.map(({ live }) => live)
    held.before = stepped
    const resets = rest.map((live) => live.restore(null, signal))
    await first?.step('go', signal)
    await Promise.all(resets)
    expect(held.most).toBe(1)
    const stop = new AbortController()
    const waiting = second?.restore(null, signal)
    const stopped = third?.restore(null, stop.signal)
    stop.abort(new Error('stopped'))
    await expect(stopped).rejects.toThrow('stopped')
    expect(await waiting).toMatchObject({ observation: 'Go.' })
  })

  test('send half of a surrogate pair as the character that stands for it', async () => {
    const { app } = await facadeHost()
    const sessions = sessionsAt('textcraft', `${await serveApp(app)}/agentgym/textcraft`)
    const { live } = await open(sessions, 0)
    expect(await live.step('get \ud800', signal)).toMatchObject({
      observation: 'Could not execute get \ufffd',
      valid: false,
    })
  })

  test('wait for a server that is full', async () => {
    const { app } = await facadeHost({ slots: 1 })
    const sessions = sessionsAt('textcraft', `${await serveApp(app)}/agentgym/textcraft`)
    const { live } = await open(sessions, 0)
    const next = open(sessions, 1)
    setTimeout(() => void live.close(), 150)
    expect((await next).result.done).toBe(false)
  })
})

describe('an AgentGym server that fails', () => {
  const scripted = (answer: (path: string, calls: number) => Response | Promise<Response>) => {
    const app = new Hono()
    const calls = new Map<string, number>()
    app.all('*', (context) => {
      const { path } = context.req
      calls.set(path, (calls.get(path) ?? 0) + 1)
      return answer(path, calls.get(path) ?? 0)
    })
    return { app, calls }
  }
  const fine: Record<string, object> = {
    '/create': { id: 0 },
    '/reset': { observation: 'Go.', reward: 0, done: false },
    '/step': { observation: 'Gone.', reward: 0, done: false },
    '/close': [],
  }

  test('is asked again while it is busy, also for a step', async () => {
    const { app, calls } = scripted((path, count) =>
      count === 1 ? new Response('', { status: 503 }) : Response.json(fine[path]),
    )
    const { live } = await open(sessionsAt('textcraft', await serveApp(app)), 0)
    expect(await live.step('go', signal)).toMatchObject({ observation: 'Gone.' })
    expect(calls.get('/step')).toBe(2)
  })

  test('is not asked again for a step that it may have taken: the session is lost', async () => {
    const { app, calls } = scripted((path) =>
      path === '/step' ? new Response('', { status: 500 }) : Response.json(fine[path]),
    )
    const { live } = await open(sessionsAt('textcraft', await serveApp(app)), 0)
    await expect(live.step('go', signal)).rejects.toThrow(SessionLostError)
    expect(calls.get('/step')).toBe(1)
    await live.close()
    expect(calls.has('/close')).toBe(false)
  })

  test('has lost a session that it does not know, and is opened another', async () => {
    const said = ['The id 0 is not valid.', 'The task with environment 0 has been deleted.']
    for (const error of said) {
      const { app } = scripted((path) => Response.json(path === '/step' ? { error } : fine[path]))
      const { live } = await open(sessionsAt('textcraft', await serveApp(app)), 0)
      await expect(live.step('go', signal)).rejects.toThrow(SessionLostError)
    }
  })

  test('is quoted where it answers with an error', async () => {
    const { app, calls } = scripted((path) =>
      Response.json(path === '/reset' ? { error: "'minecraft:stick'" } : fine[path]),
    )
    const refusal = open(sessionsAt('textcraft', await serveApp(app)), 0)
    await expect(refusal).rejects.toMatchObject({
      code: 'endpoint_failed',
      message: expect.stringContaining("'minecraft:stick'"),
    })
    expect(calls.get('/close')).toBe(1)
  })

  test('is not believed when it is of another kind, answers no JSON, or leads elsewhere', async () => {
    const answers = [
      () => Response.json({ observation: 3 }),
      () => new Response('<html>'),
      () => Response.redirect('http://127.0.0.1:9/create', 307),
      () => new Response('no', { status: 404 }),
    ]
    for (const answer of answers) {
      const { app } = scripted((path) => (path === '/reset' ? answer() : Response.json(fine[path])))
      const refusal = open(sessionsAt('textcraft', await serveApp(app)), 0)
      await expect(refusal).rejects.toMatchObject({ code: 'endpoint_failed' })
    }
  })

  test('is waited for no longer than the timeout', async () => {
    const { app } = scripted((path) => (path === '/step' ? new Promise(() => {}) : Response.json(fine[path])))
    const address = await serveApp(app)
    const registration = { id: 'lab', server: 'textcraft' as const, address, max_sessions: 1 }
    const { live } = await open(new AgentgymSessions(registration, { timeout: 1 }), 0)
    await expect(live.step('go', signal)).rejects.toThrow(SessionLostError)
  })

  test('is lost when it cannot be reached', async () => {
    const sessions = sessionsAt('textcraft', 'http://127.0.0.1:9')
    await expect(open(sessions, 0)).rejects.toThrow(SessionLostError)
  })
})

test('a task that the environment has not is refused', async () => {
  const environment = openAgentgymEnvironment(
    agentgymRegistrationSchema.parse({ id: 'lab', server: 'webshop', address: 'http://127.0.0.1:9' }),
  )
  expect(environment.tasks()).toHaveLength(6910)
  const sessions = sessionsAt('webshop', 'http://127.0.0.1:9')
  const request = { task: 'lab-x', seed: 0, holder: 'test' }
  await expect(sessions.open(request, signal)).rejects.toMatchObject({ code: 'unknown_task' })
})

function firstProduct(observation: string): string {
  return `click[${/\bB0\w{8}\b/.exec(observation)?.[0]}]`
}

/** All that the commands shown can have one try, from raw materials to the goal: some of it works, some does not. */
function actionsFor(observation: string): string[] {
  const crafts = [...observation.matchAll(/^craft .*$/gm)].map(([line]) => line).slice(0, 6)
  const gets = crafts.flatMap((line) =>
    (line.split(' using ')[1] ?? '').split(', ').map((item) => `get ${item}`),
  )
  return ['inventory', 'get lost', ...gets, 'inventory', 'craft 1 x using y'].slice(0, 20)
}
