import { expect, onTestFinished, test } from 'vitest'
import { playRequestSchema } from '../../../shared/core/contracts/play-session.ts'
import { trajectoryLineSchema } from '../../../shared/core/contracts/trajectory-import.ts'
import { type PlayLimits, PlaySessions } from '../../../shared/environments/playing/play-sessions.ts'
import { openInProcessHosts } from '../../support/in-process-hosts.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { createTestEnvironment, onlyEnvironment } from '../../support/test-environment.ts'

const adding = createTestEnvironment<{ sum: number }>(
  {
    reset: () => ({ state: { sum: 0 }, observation: 'The sum is 0.' }),
    step({ sum }, action) {
      const added = /^add (\d+)$/.exec(action)?.[1]
      const state = { sum: sum + Number(added ?? 0) }
      const reward = state.sum > 10 ? -1 : state.sum / 10
      const shown = { observation: `The sum is ${state.sum}.`, reward, done: state.sum >= 10 }
      return { state, ...shown, valid: added !== undefined, progress: Math.min(1, state.sum / 10) }
    },
  },
  {
    id: 'adding',
    tasks: () => [
      { id: 'ten', split: 'test', type: 'any', description: 'Reach ten.' },
      { id: 'never', split: 'test', type: 'any', description: 'Not here.', lacks: ['a moon'] },
    ],
    describe: () => ({
      rules: 'Add numbers.',
      example: null,
      tools: [
        {
          name: 'add',
          description: 'Adds.',
          schema: { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] },
          action: 'add {number}',
        },
      ],
    }),
  },
)
const me = { tenant: 'default', key: 'key-1' }
const ten = playRequestSchema.parse({ environment: 'adding', task: 'ten' })

async function openPlays(limits: Partial<PlayLimits> = {}) {
  const world = await openTestWorld()
  const hosts = openInProcessHosts({ world, environment: adding })
  await hosts.add('host-1')
  const clock = { now: () => time }
  let time = world.clock.now()
  const plays = new PlaySessions({
    environments: onlyEnvironment(adding),
    sessions: () => hosts.sessions,
    clock,
    limits,
  })
  onTestFinished(() => plays.close())
  const pass = (milliseconds: number) => {
    time += milliseconds
    plays.look()
  }
  return { hosts, pass, plays }
}

test('a person acts by texts and calls, goes back, and takes another way', async () => {
  const { plays } = await openPlays()
  const played = await plays.create(me, ten)
  const shown = () => played.steps.map(({ observation, reward }) => [observation[0], reward])
  const text = (sum: number) => ({ type: 'text', text: `The sum is ${sum}.` })
  await plays.turn(me, played.id, { from: 0, action: 'add 4' })
  await plays.turn(me, played.id, { from: 1, call: { name: 'add', arguments: { number: 3 } } })
  await plays.turn(me, played.id, { from: 2, action: 'sing' })
  expect(played.steps.at(-1)?.path.answer.valid).toBe(false)
  expect(played.steps[2]?.path.action).toBe('add 3')
  await plays.turn(me, played.id, { from: 1 })
  expect(shown()).toEqual([
    [text(0), 0],
    [text(4), 0.4],
  ])
  await plays.turn(me, played.id, { from: 1, action: 'add 6', thought: 'Six are missing.' })
  expect(shown().at(-1)).toEqual([text(10), 1])
  await expect(plays.turn(me, played.id, { from: 2, action: 'add 1' })).rejects.toMatchObject({
    code: 'session_done',
  })
  await expect(plays.turn(me, played.id, { from: 3, action: 'add 1' })).rejects.toMatchObject({
    code: 'step_conflict',
    param: 'from',
  })
  const line = trajectoryLineSchema.parse(JSON.parse(JSON.stringify(played.toLine())))
  expect(line).toMatchObject({ model: 'person', reward: 1, tree: { method: 'expert', task: 'ten', best: 2 } })
  expect(line.tree.messages).toEqual([
    { role: 'system', content: 'Add numbers.' },
    { role: 'user', content: 'The sum is 0.' },
  ])
  expect(line.tree.nodes.map(({ message }) => message)).toEqual([
    null,
    'Action: add 4',
    'Thought: Six are missing.\nAction: add 6',
  ])
  expect(line.tree.nodes[2]).toMatchObject({ reward: 1, done: true, valid: true, parent: 1, depth: 2 })
})

test('a call that fits no tool is refused in words, and the session stays where it is', async () => {
  const { plays } = await openPlays()
  const played = await plays.create(me, ten)
  const call = { name: 'multiply', arguments: {} }
  await expect(plays.turn(me, played.id, { from: 0, call })).rejects.toMatchObject({
    code: 'invalid_request',
    param: 'call',
    message: expect.stringContaining('The tools are: add'),
  })
  expect(played.steps).toHaveLength(1)
})

test('nothing is saved without a step, nor a punishment as a share', async () => {
  const { plays } = await openPlays()
  const played = await plays.create(me, ten)
  expect(() => played.toLine()).toThrow('take a step first')
  await plays.turn(me, played.id, { from: 0, action: 'add 11' })
  expect(() => played.toLine()).toThrow('Its reward is -1')
})

test('a session is its owner’s: another tenant and another key find none', async () => {
  const { plays } = await openPlays()
  const { id } = await plays.create(me, ten)
  for (const other of [
    { tenant: 'other', key: 'key-1' },
    { tenant: 'default', key: 'key-2' },
    { tenant: 'default', key: null },
  ]) {
    const refusal = { code: 'unknown_session', param: 'session' }
    expect(() => plays.get(other, id)).toThrow(expect.objectContaining(refusal))
    await expect(plays.turn(other, id, { from: 0, action: 'add 1' })).rejects.toMatchObject(refusal)
    await expect(plays.end(other, id)).rejects.toMatchObject(refusal)
  }
  expect(plays.get(me, id).played.steps).toHaveLength(1)
})

test('a tenant, and the service, hold only so many sessions, those being opened too', async () => {
  const { plays } = await openPlays({ tenant: 2, all: 3 })
  const opened = await Promise.allSettled([1, 2, 3].map(() => plays.create(me, ten)))
  expect(opened.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  expect(opened[2]).toMatchObject({ reason: { code: 'limits_exceeded' } })
  const other = { tenant: 'other', key: null }
  await plays.create(other, ten)
  await expect(plays.create({ tenant: 'third', key: null }, ten)).rejects.toMatchObject({
    code: 'limits_exceeded',
    message: expect.stringContaining('3 tasks'),
  })
  const [first] = opened
  if (first?.status !== 'fulfilled') throw new Error('The first was opened.')
  await plays.end(me, first.value.id)
  await plays.create(me, ten)
})

test('an unknown task, one that cannot be played here, and too many steps are refused', async () => {
  const { plays } = await openPlays({ steps: 1 })
  const request = (task: string) => playRequestSchema.parse({ environment: 'adding', task })
  await expect(plays.create(me, request('twelve'))).rejects.toMatchObject({ code: 'unknown_task' })
  await expect(plays.create(me, request('never'))).rejects.toThrow('it needs a moon')
  expect(plays.open).toBe(0)
  const { id } = await plays.create(me, ten)
  await plays.turn(me, id, { from: 0, action: 'add 1' })
  await expect(plays.turn(me, id, { from: 1, action: 'add 1' })).rejects.toMatchObject({
    code: 'limits_exceeded',
  })
})

test('an idle session gives its place to runs, comes back to its state, and ends at last', async () => {
  const { hosts, pass, plays } = await openPlays({ rest: 60_000, end: 600_000 })
  const played = await plays.create(me, ten)
  await plays.turn(me, played.id, { from: 0, action: 'add 4' })
  const closed = () => hosts.calls.filter(({ operation }) => operation === 'close').length
  pass(59_999)
  expect(closed()).toBe(0)
  pass(1)
  await expect.poll(closed).toBe(1)
  await plays.turn(me, played.id, { from: 1, action: 'add 5' })
  expect(played.steps.at(-1)?.reward).toBe(0.9)
  expect(hosts.calls.filter(({ operation }) => operation === 'create')).toHaveLength(2)
  pass(600_000)
  expect(() => plays.get(me, played.id)).toThrow(expect.objectContaining({ code: 'unknown_session' }))
  expect(plays.open).toBe(0)
})

test('a session survives the loss of its host, and none survives the end of the service', async () => {
  const { hosts, plays } = await openPlays()
  const played = await plays.create(me, ten)
  await plays.turn(me, played.id, { from: 0, action: 'add 4' })
  hosts.lose('host-1')
  await hosts.add('host-2')
  await plays.turn(me, played.id, { from: 1, action: 'add 5' })
  expect(played.steps.at(-1)?.reward).toBe(0.9)
  await plays.close()
  expect(() => plays.get(me, played.id)).toThrow(expect.objectContaining({ code: 'unknown_session' }))
})

test('without a place on a host a session is not opened, and the wait has an end', async () => {
  const { hosts, plays } = await openPlays({ answer: 200 })
  hosts.lose('host-1')
  await expect(plays.create(me, ten)).rejects.toMatchObject({ code: 'host_timed_out' })
  expect(plays.open).toBe(0)
})
