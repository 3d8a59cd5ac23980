import { expect, test } from 'vitest'
import { openSandbox, SandboxTimeoutError } from '../../../shared/play/sandbox/open-sandbox.ts'
import type { Program, ProgramState } from '../../../shared/play/sandbox/program.ts'

const sandbox = openSandbox({ caller: 'test' })
const ok = { observation: 'A door.', valid: true }

function run(code: string, answers = [ok], more: Partial<Program> = {}): Promise<ProgramState> {
  return sandbox.run(
    { code, language: 'python', seed: 1, limits: { time: 300_000 }, ...more },
    answers,
  ) as Promise<ProgramState>
}

test('a program runs from its top to its first action without an answer', async () => {
  const code = 'if "door" in act("look"):\n    act("go out")\nprint("done", 1)'
  expect(await run(code, [])).toEqual({ type: 'acts', action: 'look' })
  expect(await run(code)).toEqual({ type: 'acts', action: 'go out' })
  expect(await run(code, [ok, ok])).toEqual({ type: 'ended', printed: ['done 1'] })
})

test('an impossible action raises InvalidAction, which a program may catch', async () => {
  const refused = [{ observation: 'No.', valid: false }]
  expect(await run('\nact("fly")', refused)).toMatchObject({
    reason: 'invalid_action',
    message: 'No.',
    line: 2,
  })
  const caught = 'try:\n    act("fly")\nexcept InvalidAction as error:\n    print(error)'
  expect(await run(caught, refused)).toEqual({ type: 'ended', printed: ['No.'] })
})

const os = 'import collections\nos = collections._sys.modules["os"]\n'

test.each([
  ['a syntax error', 'x = (', 'syntax', /never closed/],
  ['an error', 'raise KeyError("x")', 'thrown', /^KeyError: 'x'$/],
  ['a loop without an end', 'while True: pass', 'interrupted', /too long/],
  [
    'a loop that catches everything',
    'while True:\n  try:\n    while True: pass\n  except BaseException: pass',
    'interrupted',
    /too long/,
  ],
  ['recursion', 'def f(): f()\nf()', 'stack', /stack overflow/],
  ['brackets', `x = ${'('.repeat(300)}1${')'.repeat(300)}`, 'stack', /nested too deeply/],
  ['memory', 'x = [0] * 10**9', 'memory', /out of memory/],
  ['too many actions', 'while True: act("look")', 'interrupted', /more than 1 actions/],
  ['a file', 'open("/etc/passwd")', 'thrown', /NameError/],
  [
    'a module that reaches out',
    'import socket',
    'thrown',
    /Programs may import only bisect,.*socket is not there/,
  ],
  ['an action that is no text', 'act(1)', 'thrown', /it got int/],
  ['a file behind a module', `${os}os.open("/etc/passwd", 0)`, 'thrown', /may not do this: open/],
  ['a command behind a module', `${os}os.system("true")`, 'thrown', /may not do this: os.system/],
  ['a child behind a module', `${os}os.fork()`, 'thrown', /may not do this: os.fork/],
  ['a signal behind a module', `${os}os.kill(1, 9)`, 'thrown', /may not do this: os.kill/],
  [
    'the removal of its count',
    'import collections\ncollections._sys.settrace(None)',
    'thrown',
    /sys.settrace/,
  ],
  [
    "another hook in place of the sandbox's",
    'import collections\nf = collections._sys.modules["espalier.programs.confine"].refuse\nf.__code__ = (lambda *_: None).__code__',
    'thrown',
    /object.__setattr__/,
  ],
  ['the end of its process', `${os}os._exit(0)`, 'thrown', /ended its process/],
] as const)('a program fails by %s', async (_name, code, reason, message) => {
  const limits = { time: 300_000, mostActs: 1 }
  const state = await run(code, [ok], { limits })
  expect(state).toMatchObject({ type: 'failed', reason, message: expect.stringMatching(message) })
  expect(await run('print(act("look"))')).toEqual({ type: 'ended', printed: ['A door.'] })
})

// Python reports none of these to the hook.
test.runIf(process.platform === 'linux')(
  'the kernel refuses the calls that Python does not report',
  async () => {
    const tried = ['os.stat("/etc")', 'os.getcwd()', 'os.dup(3)', 'os.pipe()']
    const code = tried.map(
      (call) => `try:\n  ${call}\n  print("allowed")\nexcept OSError:\n  print("refused")`,
    )
    const printed = tried.map(() => 'refused')
    expect(await run(os + code.join('\n'))).toEqual({ type: 'ended', printed })
  },
)

test('a built-in that never ends meets the limit of time', async () => {
  const late = run('max(range(10**12))', [], { limits: { time: 500 } })
  await expect(late).rejects.toThrow(SandboxTimeoutError)
})

test('chance, sets and printed objects are the same in every process', async () => {
  const code = 'import random\nprint(random.random(), {"b", "c", "a"}, lambda: 1)'
  const states = await Promise.all([run(code), run(code), run(code)])
  expect(new Set(states.map((state) => JSON.stringify(state))).size).toBe(1)
  expect(states[0]).toMatchObject({ printed: [expect.not.stringContaining('0x')] })
  expect(await run(code, [ok], { seed: 2 })).not.toEqual(states[0])
})

test('no program finds what an earlier one changed', async () => {
  await run('import math, re\nmath.pi = 3\nre.cache = 1')
  expect(await run('import math\nprint(math.pi > 3.1)')).toEqual({ type: 'ended', printed: ['True'] })
})

test.each([
  ['`carry(["a"], to="b", count=-1).`', { name: 'carry', code: 'carry(["a"], to="b", count=-1)' }],
  ['carry({"a": (1, None)}, True)', { name: 'carry', code: 'carry({"a": (1, None)}, True)' }],
  ['carry(x)', null],
  ['carry("a") + 1', null],
  ['carry(*["a"])', null],
  ['carry(1e999)', null],
  ['drop("a")', null],
  ['carry(', null],
  ['x.carry("a")', null],
])('the call %s is read', async (text, call) => {
  expect(await sandbox.readCall(text, ['carry'], 'python')).toEqual(call)
})

test('functions are read with the imports that they need, and calls as the rest', async () => {
  const code =
    'import re\n\n# Why.\ndef go(a, b=1, *c, d=[1], **e):\n    """Goes."""\n    return re\n\nplace = "é"; go(place)\n'
  expect(await sandbox.readFunctions(code, 'python')).toEqual({
    type: 'read',
    functions: [
      {
        name: 'go',
        parameters: ['a', 'b=1', '*c', 'd=[1]', '**e'],
        code: 'import re\ndef go(a, b=1, *c, d=[1], **e):\n    """Goes."""\n    return re',
        comment: 'Goes.',
      },
    ],
    rest: 'import re\nplace = "é"\ngo(place)',
  })
})

test.each([
  ['def go(:', /invalid syntax/],
  ['def go():\n  yield 1', /"go" is a generator/],
  ['async def go(): pass', /"go" is asynchronous/],
  ['def act(x): pass', /hides what programs act by/],
  ['def go(): pass\ndef go(): pass', /declared twice/],
])('functions of %j are refused', async (code, message) => {
  expect(await sandbox.readFunctions(code, 'python')).toMatchObject({
    type: 'failed',
    message: expect.stringMatching(message),
  })
})
