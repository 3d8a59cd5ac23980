import { afterEach, beforeAll, expect, test } from 'vitest'
import { createRandom } from '../../../shared/core/random/random.ts'
import { openGuestEngine } from '../../../shared/play/sandbox/guest-engine.ts'
import { openSandbox, SandboxTimeoutError } from '../../../shared/play/sandbox/open-sandbox.ts'
import type { ActAnswer, ProgramState, SandboxLimits } from '../../../shared/play/sandbox/program.ts'
import { SandboxFaultError } from '../../../shared/play/sandbox/sandbox-fault-error.ts'
import { toProgram } from '../../../shared/play/sandbox/to-program.ts'
import { openHere } from './run-here.ts'

let sandbox: Awaited<ReturnType<typeof openHere>>

beforeAll(async () => {
  sandbox = await openHere()
})

const zone = process.env.TZ
afterEach(() => {
  if (zone === undefined) delete process.env.TZ
  else process.env.TZ = zone
})

const run = (code: string, answers: ActAnswer[] = [], limits: Partial<SandboxLimits> = {}): ProgramState =>
  sandbox.run({ code, seed: 0, limits }, answers)

const seen = (observation: string): ActAnswer => ({ observation, valid: true })
const refused = (observation: string): ActAnswer => ({ observation, valid: false })

function printedBy(code: string, answers: ActAnswer[] = []): string[] {
  const state = run(code, answers)
  if (state.type !== 'ended') throw new Error(`The program did not end: ${JSON.stringify(state)}`)
  return state.printed
}

test('a program stands at its first action without an answer, and goes on with each answer', () => {
  const code = `
    const place = act('look')
    act('go to ' + place)
    print('there')`
  expect(run(code)).toEqual({ type: 'acts', action: 'look' })
  expect(run(code, [seen('desk')])).toEqual({ type: 'acts', action: 'go to desk' })
  expect(run(code, [seen('desk'), seen('You arrive.')])).toEqual({ type: 'ended', printed: ['there'] })
})

test('an observation comes through as it is, whatever is written in it', () => {
  const observation = 'Ein „Zitat“ 𝒳 \\n "quoted"\nand a line + more'
  expect(printedBy('print(act("look"))', [seen(observation)])).toEqual([observation])
  expect(printedBy('print(act("look"))', [seen('cut\0short')])).toEqual(['cut\ufffdshort'])
})

test('an action that is not possible throws its observation, which a program may catch', () => {
  const code = 'try { act("fly") } catch (error) { print(error.message, error instanceof Error) }'
  expect(printedBy(code, [refused('You cannot fly.')])).toEqual(['You cannot fly. true'])
})

test('an action that is not possible and not caught ends the program, with the line', () => {
  expect(run('print("on")\n\nact("fly")', [refused('You cannot fly.')])).toEqual({
    type: 'failed',
    reason: 'invalid_action',
    message: 'You cannot fly.',
    line: 3,
    printed: ['on'],
  })
})

test('async programs work as their writer expects, with and without a call of main that waits', () => {
  const main =
    'async function main() { const one = await act("one"); await act("two " + one); print("done") }'
  for (const code of [`${main}\nmain()`, `${main}\nawait main()`, `(${main})()`]) {
    expect(run(code, [seen('a')])).toEqual({ type: 'acts', action: 'two a' })
    expect(run(code, [seen('a'), seen('b')])).toEqual({ type: 'ended', printed: ['done'] })
    expect(run(code, [seen('a'), refused('No.')])).toMatchObject({ type: 'failed', reason: 'invalid_action' })
  }
})

test('await at the top is understood, also beside what is wrong', () => {
  expect(run('const a = await act("one")')).toEqual({ type: 'acts', action: 'one' })
  expect(run('await act("one")\nlet a = = 1')).toMatchObject({ reason: 'syntax', line: 2 })
})

test.each([
  ['let a = = 1', 'syntax', 1],
  ['\nnothing()', 'thrown', 2],
  ['throw { odd: true }', 'thrown', null],
  ['\n\nfunction f() { f() }\nf()', 'stack', 3],
  ['for (;;);', 'interrupted', null],
  ['new ArrayBuffer(2 ** 30)', 'memory', 1],
] as const)('%j fails as %s', (code, reason, line) => {
  expect(run(code)).toMatchObject({ type: 'failed', reason, line })
})

test('what was thrown is reported in its own words', () => {
  const messageOf = (code: string) => {
    const state = run(code)
    return state.type === 'failed' ? state.message : null
  }
  expect(messageOf('throw new RangeError("too far")')).toBe('too far')
  expect(messageOf('throw { odd: true }')).toBe('{"odd":true}')
  expect(messageOf('throw "plain"')).toBe('plain')
  expect(messageOf('act(5)')).toContain('it got number')
  expect(messageOf('throw new Error("x".repeat(1e6))')?.length).toBeLessThan(3000)
})

test('a program that never stops acting is stopped after its most actions', () => {
  const code = 'for (let i = 0; ; i += 1) act("wait " + i)'
  const answers = Array.from({ length: 300 }, () => seen('Time passes.'))
  expect(run(code, answers.slice(0, 199))).toEqual({ type: 'acts', action: 'wait 199' })
  expect(run(code, answers)).toMatchObject({
    reason: 'interrupted',
    message: expect.stringContaining('200 actions'),
  })
  expect(run(code, answers, { mostActs: 3 })).toMatchObject({ message: expect.stringContaining('3 actions') })
})

test('what is printed is shown as text, and what is too much is said to be cut', () => {
  expect(printedBy('print("a", 1, null, undefined, [1, { b: 2 }], new TypeError("odd"), 2n)')).toEqual([
    'a 1 null undefined [1,{"b":2}] TypeError: odd 2',
  ])
  expect(printedBy('console.log("one"); console.error("two")')).toEqual(['one', 'two'])
  const lines = printedBy('for (let i = 0; i < 1e4; i += 1) print(i)')
  expect(lines).toHaveLength(101)
  expect(lines.at(-1)).toBe('… (more than 100 lines)')
  const [line] = printedBy('print("x".repeat(1e6))')
  expect(line).toMatch(/^x{2000}… \(cut\)$/)
})

test('chance is that of the seed, the same as outside', () => {
  const state = sandbox.run({ code: 'print(Math.random(), Math.random())', seed: 41 }, [])
  const random = createRandom(41)
  expect(state).toEqual({ type: 'ended', printed: [`${random()} ${random()}`] })
})

test('time stands still, and is that of no zone', () => {
  const code = `
    print(Date.now(), new Date().toISOString(), Date(), String(new Date(0)), typeof performance)
    print(new Date(2020, 5, 1, 12).toISOString(), new Date('2020-06-01T12:00').getHours(), Date.parse('Jun 1 2020'))
    print(new Date('2020-06-01T12:00:00+02:00').getHours(), new Date(0).getTimezoneOffset(), new Date(0).toLocaleTimeString())
    print(new Date() instanceof Date, new Date(new Date(5)).getTime(), new Date(NaN).getTime(), new Date(0).getDate())
    const later = new Date(0); later.setHours(5); print(later.toISOString(), JSON.stringify({ later }))`
  const expected = [
    '946684800000 2000-01-01T00:00:00.000Z Sat, 01 Jan 2000 00:00:00 GMT Thu, 01 Jan 1970 00:00:00 GMT undefined',
    `2020-06-01T12:00:00.000Z 12 ${Date.UTC(2020, 5, 1)}`,
    '10 0 00:00:00',
    'true 5 NaN 1',
    '1970-01-01T05:00:00.000Z {"later":"1970-01-01T05:00:00.000Z"}',
  ]
  for (const name of ['UTC', 'Pacific/Auckland', 'America/New_York']) {
    process.env.TZ = name
    expect(new Date(2020, 5, 1).getTimezoneOffset() === 0).toBe(name === 'UTC')
    expect(printedBy(code)).toEqual(expected)
  }
})

test('a program that outlasts the wall clock has no state, and the next one runs', async () => {
  const threads = openSandbox({ caller: 'test' })
  const endless = 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)'
  await expect(threads.run({ code: endless, seed: 0, limits: { time: 200 } }, [])).rejects.toThrow(
    SandboxTimeoutError,
  )
  expect(await threads.run({ code: 'act("on")', seed: 0 }, [])).toEqual({ type: 'acts', action: 'on' })
})

test('what goes wrong with the engine itself is no state of the program', async () => {
  const engine = await openGuestEngine()
  const host = { take: () => '', note: () => true, report: () => undefined, interrupted: () => undefined }
  const broken = () => {
    throw new Error('broken')
  }
  expect(() => engine.run(host, broken)).toThrow(SandboxFaultError)
  expect(engine.run(host, () => undefined)).toBe('done')
})

test('on a thread, what goes wrong with the engine is reported as such', async () => {
  const threads = openSandbox({ caller: 'test' })
  const wrong = { code: null as unknown as string, seed: 0 }
  await expect(threads.run(wrong, [])).rejects.toThrow(SandboxFaultError)
})

test('a program that is called off is ended with its thread', async () => {
  const threads = openSandbox({ caller: 'test' })
  const endless = 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)'
  const running = threads.run({ code: endless, seed: 0 }, [], AbortSignal.timeout(50))
  await expect(running).rejects.toThrow('timeout')
})

test('functions and a statement make a program', () => {
  const functions = [
    { code: '// Takes and goes.\nfunction carry(thing, room) { act("take " + thing); go(room) }' },
    { code: 'function go(room) { act("go to " + room) }' },
  ]
  const program = toProgram({ functions, statement: 'carry("ball", "kitchen")', seed: 0 })
  expect(sandbox.run(program, [])).toEqual({ type: 'acts', action: 'take ball' })
  expect(sandbox.run(program, [seen('Taken.')])).toEqual({ type: 'acts', action: 'go to kitchen' })
})

test('sandboxes opened at once share their threads and do not meet', async () => {
  const [one, other] = [openSandbox({ caller: 'one' }), openSandbox({ caller: 'other' })]
  expect(await one.run({ code: 'globalThis.left = 1; act("x")', seed: 0 }, [])).toEqual({
    type: 'acts',
    action: 'x',
  })
  expect(await other.run({ code: 'print(typeof left)', seed: 0 }, [])).toEqual({
    type: 'ended',
    printed: ['undefined'],
  })
})
