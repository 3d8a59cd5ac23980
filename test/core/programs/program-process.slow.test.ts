import { execFile } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { hideVariables } from '../../../shared/core/programs/hide-variables.ts'
import { ProgramLostError, ProgramProcess } from '../../../shared/core/programs/program-process.ts'
import { programVariables } from '../../../shared/core/programs/program-variables.ts'
import { retryKilled } from '../../../shared/core/threads/retry-killed.ts'

const repository = resolve(import.meta.dirname, '../../..')
const answered = z.looseObject({})

/** A program in Python: its lines run for each question, with `ask` as the question and `answer` as the answer. */
async function program(lines: string): Promise<{ command: string[]; log(): void }> {
  const folder = await mkdtemp(join(tmpdir(), 'program-'))
  const file = join(folder, 'program.py')
  await writeFile(
    file,
    `import json, os, signal, subprocess, sys, time
for line in sys.stdin:
    ask = json.loads(line)
    answer = {"id": ask["id"]}
${lines.replaceAll(/^/gm, '    ')}
    print(json.dumps(answer), flush=True)
`,
  )
  return { command: ['python3', file], log: () => undefined }
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((next) => setTimeout(next, 20))
}

describe('a program', () => {
  test('sees no key of the service, and what it needs to run', async () => {
    const started = new ProgramProcess({
      ...(await program('answer["names"] = sorted(os.environ)')),
      variables: programVariables([], {
        ...process.env,
        OPENAI_API_KEY: 'k',
        ESPALIER_KEY: 'k',
        AWS_SECRET: 'k',
      }),
    })
    const { names } = await started.ask({ op: 'describe' }, z.object({ names: z.array(z.string()) }))
    expect(names).toContain('PATH')
    expect(names.filter((name) => /KEY|SECRET|TOKEN/.test(name))).toEqual([])
    await started.end()
  })

  test('that is killed is tried again; one that ends by itself is not', async () => {
    let starts = 0
    const described = await retryKilled(async () => {
      starts += 1
      const lines = starts < 3 ? 'os.kill(os.getpid(), signal.SIGKILL)' : 'answer["fine"] = True'
      const started = new ProgramProcess(await program(lines))
      try {
        return await started.ask({ op: 'describe' }, answered)
      } finally {
        await started.end()
      }
    })
    expect(described).toMatchObject({ fine: true })
    expect(starts).toBe(3)
    const faulty = new ProgramProcess(await program('os._exit(3)'))
    const failing = faulty.ask({ op: 'describe' }, answered)
    await expect(failing).rejects.toBeInstanceOf(ProgramLostError)
    await expect(failing).rejects.toMatchObject({ isKilled: false, transient: false })
  })

  test.each([
    ['by itself', (inner: string) => `exec ${inner}`],
    ['in a shell that waits for it', (inner: string) => `${inner}; exit $?`],
  ])('that is killed %s is killed from outside, and may be tried again', async (_, script) => {
    const { command, log } = await program('os.kill(os.getpid(), signal.SIGKILL)')
    const started = new ProgramProcess({ command: ['/bin/sh', '-c', script(command.join(' '))], log })
    await expect(started.ask({ op: 'step' }, answered)).rejects.toMatchObject({
      isKilled: true,
      transient: true,
      message: expect.stringContaining('ended by SIGKILL'),
    })
  })

  test('that takes more memory than it may is ended, and says so', async () => {
    const options = await program('kept = [bytearray(b"x" * 2**20) for _ in range(600)]; time.sleep(60)')
    const started = new ProgramProcess({ ...options, memory: 128 })
    await expect(started.ask({ op: 'step' }, answered)).rejects.toThrow(
      /took \d+ MB of memory, and may take 128/,
    )
    await started.ended
  })

  test('cannot take the machine’s memory at once', async () => {
    const lines = `try:
    kept = bytearray(2**40)
except MemoryError:
    answer["refused"] = True`
    const started = new ProgramProcess(await program(lines))
    expect(await started.ask({ op: 'step' }, answered)).toMatchObject({ refused: true })
    await started.end()
  })

  test('takes what it started with it, also from a session of its own', async () => {
    const lines = `child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
answer["child"] = child.pid`
    const started = new ProgramProcess(await program(lines))
    const { child } = await started.ask({ op: 'step' }, z.object({ child: z.int() }))
    expect(isAlive(child)).toBe(true)
    await started.end()
    await untilGone(child)
  })

  test('that is late at one kind of question is ended after the time of that kind', async () => {
    const started = new ProgramProcess({ ...(await program('time.sleep(60)')), within: { step: 0.3 } })
    await expect(started.ask({ op: 'step' }, answered)).rejects.toThrow(
      /did not answer step within 0.3 seconds/,
    )
    await started.ended
  })
})

test.runIf(process.platform === 'linux')('a process hides its keys from others, and keeps them', async () => {
  const script = `
    import { readFileSync } from 'node:fs'
    import { execFileSync } from 'node:child_process'
    import { hideVariables } from ${JSON.stringify(join(repository, 'shared/core/programs/hide-variables.ts'))}
    const isHidden = hideVariables()
    const child = execFileSync('cat', ['/proc/' + process.pid + '/environ'], { encoding: 'latin1' })
    console.log(JSON.stringify({
      isHidden, kept: process.env.SOME_API_KEY, seen: child.includes('sk-secret'), path: child.includes('PATH='),
      passedOn: execFileSync('sh', ['-c', 'echo $SOME_API_KEY'], { encoding: 'utf8' }).trim(),
    }))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, SOME_API_KEY: 'sk-secret' },
  })
  expect(JSON.parse(stdout)).toEqual({
    isHidden: true,
    kept: 'sk-secret',
    seen: false,
    path: true,
    passedOn: 'sk-secret',
  })
})

test.runIf(process.platform === 'linux')('hiding twice changes nothing more', async () => {
  hideVariables()
  const before = await readFile('/proc/self/environ')
  hideVariables()
  expect(await readFile('/proc/self/environ')).toEqual(before)
})

test.each([
  [['python3', 'env.py'], /no program python3\. Install Python 3\.11 or later \(apt-get install python3/],
  [['no-such-program'], /no program no-such-program\. Install it, or name its path/],
] as const)('a program that this machine lacks is named with the cure: %j', async (command, message) => {
  const started = new ProgramProcess({ command, log: () => undefined, variables: { PATH: '/nowhere' } })
  await expect(started.ask({ op: 'describe' }, answered)).rejects.toThrow(message)
  await started.end()
})
