import { monitorEventLoopDelay } from 'node:perf_hooks'
import { beforeAll, expect, test } from 'vitest'
import { openSandbox, SandboxTimeoutError } from '../../../shared/play/sandbox/open-sandbox.ts'
import type { ProgramState } from '../../../shared/play/sandbox/program.ts'
import type { Sandbox } from '../../../shared/play/sandbox/sandbox.ts'
import { type HostileProgram, hostilePrograms } from './hostile-programs.ts'

/** Uses what hostile programs break: built-ins, the two functions of the sandbox, promises, memory. */
const honest = {
  code: `
    async function main() {
      const seen = await act('look around')
      print(seen.slice(2), [3, 1, 2].sort().join(), JSON.stringify({ n: Math.max(1, 2) }), Date.now(), Math.random())
      return new Array(100000).fill(0).length
    }
    main()`,
  seed: 3,
}
const answers = [{ observation: 'A door.', valid: true }]

let sandbox: Sandbox
let expected: ProgramState

beforeAll(async () => {
  sandbox = openSandbox({ caller: 'test' })
  expected = await sandbox.run(honest, answers)
})

test('the table holds at least fifty programs, each of its own', () => {
  expect(new Set(hostilePrograms.map(({ code }) => code)).size).toBe(hostilePrograms.length)
  expect(hostilePrograms.length).toBeGreaterThanOrEqual(50)
})

test('the program that comes after the hostile ones ends well by itself', () => {
  expect(expected).toMatchObject({
    type: 'ended',
    printed: [expect.stringMatching(/^door\. 1,2,3 {"n":2} 946684800000 0\.\d/)],
  })
})

async function outcomeOf({
  code,
  limits = {},
  answers: count = 0,
}: HostileProgram): Promise<ProgramState | 'timeout'> {
  try {
    return await sandbox.run(
      // On a busy machine only those may meet the backstop that state one.
      { code, seed: 1, limits: { time: 300_000, ...limits } },
      Array.from({ length: count }, () => ({ observation: 'Ok.', valid: true })),
    )
  } catch (error) {
    if (error instanceof SandboxTimeoutError) return 'timeout'
    throw error
  }
}

test.each(hostilePrograms)(
  '$name: $ends, the same again, and the next program is none the wiser',
  async (program) => {
    const outcome = await outcomeOf(program)
    expect(endOf(outcome)).toBe(program.ends)
    if (program.printed) expect(outcome).toMatchObject({ printed: program.printed })
    expect(await sandbox.run(honest, answers)).toEqual(expected)
    if (program.ends !== 'timeout') expect(await outcomeOf(program)).toEqual(outcome)
  },
)

test('the calling thread goes on while hostile programs run, and honest ones between them are not kept waiting', async () => {
  const failing = 'for (let i = 0; i < 45_000; i += 1) try { JSON.parse("{") } catch {}'
  const programs: HostileProgram[] = [
    ...hostilePrograms,
    { name: '45,000 failing parses', code: failing, ends: 'ended' },
  ]
  const delays = monitorEventLoopDelay({ resolution: 5 })
  delays.enable()
  const bystander = openSandbox({ caller: 'bystander' })
  let isOver = false
  let honestRuns = 0
  const hostile = Promise.all(programs.map(outcomeOf)).then((outcomes) => {
    isOver = true
    return outcomes
  })
  while (!isOver) {
    expect(await bystander.run(honest, answers)).toEqual(expected)
    if (!isOver) honestRuns += 1
  }
  delays.disable()
  expect((await hostile).map(endOf)).toEqual(programs.map(({ ends }) => ends))
  // Callers take turns: an honest run waits for about one hostile program a thread, not for all of them.
  expect(honestRuns).toBeGreaterThan(programs.length / 20)
  console.log(
    `event loop delayed by ${(delays.max / 1e6).toFixed(0)} ms at most, ${honestRuns} honest runs meanwhile`,
  )
}, 240_000)

function endOf(outcome: ProgramState | 'timeout'): string {
  if (outcome === 'timeout') return outcome
  if (outcome.type === 'acts') return `acts ${outcome.action}`
  return outcome.type === 'failed' ? outcome.reason : outcome.type
}
