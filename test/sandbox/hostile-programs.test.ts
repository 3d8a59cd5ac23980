import { beforeAll, expect, test } from 'vitest'
import { openSandbox } from '../../shared/sandbox/open-sandbox.ts'
import type { ProgramState } from '../../shared/sandbox/program.ts'
import type { Sandbox } from '../../shared/sandbox/sandbox.ts'
import { SandboxTimeout } from '../../shared/sandbox/sandbox-timeout.ts'
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
  sandbox = await openSandbox()
  expected = sandbox.run(honest, answers)
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

function outcomeOf({ code, limits = {}, answers: count = 0 }: HostileProgram): ProgramState | 'timeout' {
  try {
    return sandbox.run(
      // On a busy machine only those may meet the backstop that state one.
      { code, seed: 1, limits: { time: 300_000, ...limits } },
      Array.from({ length: count }, () => ({ observation: 'Ok.', valid: true })),
    )
  } catch (error) {
    if (error instanceof SandboxTimeout) return 'timeout'
    throw error
  }
}

test.each(hostilePrograms)('$name: $ends, and the next program is none the wiser', (program) => {
  const outcome = outcomeOf(program)
  expect(endOf(outcome)).toBe(program.ends)
  if (program.printed) expect(outcome).toMatchObject({ printed: program.printed })
  expect(sandbox.run(honest, answers)).toEqual(expected)
})

test.each(hostilePrograms.filter(({ ends }) => ends !== 'timeout'))(
  '$name: comes out the same again',
  (program) => {
    expect(outcomeOf(program)).toEqual(outcomeOf(program))
  },
)

function endOf(outcome: ProgramState | 'timeout'): string {
  if (outcome === 'timeout') return outcome
  if (outcome.type === 'acts') return `acts ${outcome.action}`
  return outcome.type === 'failed' ? outcome.reason : outcome.type
}
