import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, expect, test, vi } from 'vitest'
import {
  RemoteCallError,
  ThreadLostError,
  ThreadTimeoutError,
  ThreadUnavailableError,
} from '../../../shared/core/threads/thread-errors.ts'
import { ThreadPool, type ThreadPoolOptions } from '../../../shared/core/threads/thread-pool.ts'
import type { EchoRequest } from './echo-thread.ts'

const pools: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

function openPool(options: Partial<ThreadPoolOptions> = {}): ThreadPool<EchoRequest, string> {
  const file = new URL('./echo-thread.ts', import.meta.url)
  const pool = new ThreadPool<EchoRequest, string>({ file, name: 'echo', size: 1, ...options })
  pools.push(pool)
  return pool
}

const within = { limit: 20_000, caller: 'a' }

test('a thread starts with the first call and stays for the next', async () => {
  const pool = openPool()
  expect(pool.threads).toBe(0)
  expect(await pool.call({ echo: 'one' }, within)).toBe('one 1')
  expect(await pool.call({ echo: 'two' }, within)).toBe('two 2')
  expect(pool.threads).toBe(1)
})

test('no more threads than the size are started, and every call is answered', async () => {
  const pool = openPool({ size: 2 })
  const calls = Array.from({ length: 20 }, (_, index) => pool.call({ echo: `${index}` }, within))
  expect(pool.threads).toBe(2)
  const answers = await Promise.all(calls)
  expect(answers.map((answer) => answer.split(' ')[0])).toEqual(calls.map((_, index) => `${index}`))
})

test('a call that outlasts its limit is ended with its thread, and fails alone', async () => {
  const pool = openPool()
  const spinning = pool.call({ spin: true }, { limit: 100, caller: 'a' })
  const next = pool.call({ echo: 'next' }, within)
  await expect(spinning).rejects.toThrow(ThreadTimeoutError)
  // Answered by another thread, whose count begins anew.
  expect(await next).toBe('next 1')
  expect(pool.threads).toBe(1)
})

test('waiting for a thread is not counted', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const asked = Promise.withResolvers<void>()
    const held = Promise.withResolvers<string>()
    const pool = openPool({
      answer: () => {
        asked.resolve()
        return held.promise
      },
    })
    const first = pool.call({ ask: 'first' }, within)
    const second = pool.call({ echo: 'second' }, { limit: 200, caller: 'a' })
    await asked.promise
    vi.advanceTimersByTime(400)
    held.resolve('first')
    expect(await Promise.all([first, second])).toEqual(['first', 'second 2'])
  } finally {
    vi.useRealTimers()
  }
})

test('callers take turns, whichever has more calls', async () => {
  const pool = openPool()
  const order: string[] = []
  const call = (echo: string, caller: string) =>
    pool
      .call({ echo }, { limit: 20_000, caller })
      .then((answer) => order.push(answer.split(' ')[0] as string))
  await Promise.all([
    ...['a1', 'a2', 'a3', 'a4'].map((echo) => call(echo, 'a')),
    ...['b1', 'b2'].map((echo) => call(echo, 'b')),
    call('c1', 'c'),
  ])
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
})

test('what the function throws comes with its name and code, and the thread goes on', async () => {
  const pool = openPool()
  const failing = pool.call({ throws: 'wrong', code: 'odd' }, within)
  await expect(failing).rejects.toThrow(RemoteCallError)
  await expect(failing).rejects.toMatchObject({ message: 'wrong', thrown: 'TypeError', code: 'odd' })
  await expect(pool.call({ unclonable: true }, within)).rejects.toThrow(RemoteCallError)
  expect(await pool.call({ echo: 'on' }, within)).toBe('on 3')
})

test.each([
  ['exits', { exit: 3 }, 'code 3'],
  ['runs out of memory', { grow: true }, 'memory limit'],
] as const)('a thread that %s fails its call alone', async (_how, request, message) => {
  const pool = openPool({ resourceLimits: { maxOldGenerationSizeMb: 32 } })
  const lost = pool.call(request, within)
  const next = pool.call({ echo: 'next' }, within)
  await expect(lost).rejects.toThrow(ThreadLostError)
  await expect(lost).rejects.toThrow(message)
  expect(await next).toBe('next 1')
})

test('a call is called off before and while it runs', async () => {
  const pool = openPool()
  await expect(
    pool.call({ echo: 'never' }, { ...within, signal: AbortSignal.abort(new Error('off')) }),
  ).rejects.toThrow('off')
  const [running, waiting] = [new AbortController(), new AbortController()]
  const spinning = pool.call({ spin: true }, { ...within, signal: running.signal })
  const behind = pool.call({ echo: 'behind' }, { ...within, signal: waiting.signal })
  const last = pool.call({ echo: 'last' }, within)
  waiting.abort(new Error('behind is off'))
  await expect(behind).rejects.toThrow('behind is off')
  running.abort(new Error('spinning is off'))
  await expect(spinning).rejects.toThrow('spinning is off')
  expect(await last).toBe('last 1')
})

test('where no thread can be started, every call says so', async () => {
  const pool = openPool({ file: new URL('./no-such-thread.ts', import.meta.url) })
  const calls = await Promise.allSettled(['one', 'two'].map((echo) => pool.call({ echo }, within)))
  for (const call of calls) {
    expect(call).toMatchObject({ status: 'rejected', reason: expect.any(ThreadUnavailableError) })
  }
})

test('a process ends although threads are idle', async () => {
  const script = `
    const { ThreadPool } = await import('${new URL('../../../shared/core/threads/thread-pool.ts', import.meta.url)}')
    const pool = new ThreadPool({ file: new URL('${new URL('./echo-thread.ts', import.meta.url)}'), name: 'echo' })
    console.log(await pool.call({ echo: 'done' }, { limit: 20000, caller: 'a' }))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
  expect(stdout.trim()).toBe('done 1')
})

test('a caller occupies no more threads than it may, and the others have the rest', async () => {
  const held = Promise.withResolvers<void>()
  let underWay = 0
  const answer = async (call: string) => {
    underWay += 1
    const most = underWay
    await held.promise
    underWay -= 1
    return `${call}, ${most} under way`
  }
  const pool = openPool({ size: 2, perCaller: 1, answer })
  const slow = ['one', 'two', 'three'].map((ask) => pool.call({ ask }, within))
  const quick = await pool.call({ echo: 'quick' }, { ...within, caller: 'b' })
  expect(quick).toBe('quick 1')
  held.resolve()
  expect(await Promise.all(slow)).toEqual(['one', 'two', 'three'].map((call) => `${call}, 1 under way`))
  expect(pool.threads).toBe(2)
})

test('calls of one caller start no more threads than it may occupy', async () => {
  const pool = openPool({ size: 4, perCaller: 1 })
  await Promise.all([1, 2, 3].map((call) => pool.call({ echo: String(call) }, within)))
  expect(pool.threads).toBe(1)
})
