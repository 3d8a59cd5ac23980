import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import {
  RemoteCallError,
  ThreadLostError,
  ThreadTimeoutError,
} from '../../../shared/core/threads/thread-errors.ts'
import { ThreadPool, type ThreadPoolOptions } from '../../../shared/core/threads/thread-pool.ts'
import type { EchoRequest } from './echo-thread.ts'

// A pool whose threads are processes; what is the same for both kinds is tested with threads.

const pools: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

const file = new URL('./echo-thread.ts', import.meta.url)

function openPool(options: Partial<ThreadPoolOptions> = {}): ThreadPool<EchoRequest, string> {
  const settings = { file, name: 'echo', size: 1, process: { memory: 64 }, ...options }
  const pool = new ThreadPool<EchoRequest, string>(settings)
  pools.push(pool)
  return pool
}

const within = { limit: 20_000, caller: 'a' }
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('calls are answered by another process, and what they throw comes with its name and code', async () => {
  const pool = openPool()
  expect(await pool.call({ echo: 'one' }, within)).toBe('one 1')
  expect(Number(await pool.call({ pid: true }, within))).not.toBe(process.pid)
  const failing = pool.call({ throws: 'wrong', code: 'odd' }, within)
  await expect(failing).rejects.toMatchObject({ message: 'wrong', thrown: 'TypeError', code: 'odd' })
  await expect(pool.call({ unclonable: true }, within)).rejects.toThrow(RemoteCallError)
  expect(pool.threads).toBe(1)
})

test('a call that outlasts its limit is ended with its process, and fails alone', async () => {
  const pool = openPool()
  const pid = Number(await pool.call({ pid: true }, within))
  const spinning = pool.call({ spin: true }, { limit: 100, caller: 'a' })
  const next = pool.call({ echo: 'next' }, within)
  await expect(spinning).rejects.toThrow(ThreadTimeoutError)
  expect(await next).toBe('next 1')
  await expect.poll(() => isAlive(pid)).toBe(false)
})

test.each([
  ['exits', { exit: 3 }, 'code 3'],
  ['fills its heap bit by bit', { grow: true }, 'out of memory'],
  ['allocates more than its heap at once', { grow: 'at once' }, 'memory'],
  ['takes memory beside its heap', { grow: 'buffers' }, 'MB of memory'],
] as const)('a process that %s fails its call alone, with the reason', async (_how, request, reason) => {
  const pool = openPool()
  const lost = pool.call(request, within)
  const next = pool.call({ echo: 'next' }, within)
  await expect(lost).rejects.toThrow(ThreadLostError)
  await expect(lost).rejects.toThrow(reason)
  expect(await next).toBe('next 1')
})

test('a thread may ask its pool, and learns what the answer failed with', async () => {
  const answer = async (question: string) => {
    if (question === 'why') throw new Error('No reason.')
    return `${question}!`
  }
  for (const pool of [
    openPool({ answer }),
    new ThreadPool<EchoRequest, string>({ file, name: 'echo', answer }),
  ]) {
    pools.push(pool)
    expect(await pool.call({ ask: 'what' }, within)).toBe('what!')
    await expect(pool.call({ ask: 'why' }, within)).rejects.toThrow('No reason.')
  }
})

test('a process that is not called for a while is ended, and the next call starts another', async () => {
  const pool = openPool({ idleFor: 20 })
  const pid = Number(await pool.call({ pid: true }, within))
  await expect.poll(() => [pool.threads, isAlive(pid)]).toEqual([0, false])
  expect(Number(await pool.call({ pid: true }, within))).not.toBe(pid)
})

const inAnotherProcess = `
  const { ThreadPool } = await import('${new URL('../../../shared/core/threads/thread-pool.ts', import.meta.url)}')
  const pool = new ThreadPool({ file: new URL('${file}'), name: 'echo', process: { memory: 64 } })
  console.log(await pool.call({ pid: true }, { limit: 20000, caller: 'a' }))`

test('a process ends although processes of a pool are idle, and they end with it', async () => {
  const script = ['--input-type=module', '--eval', inAnotherProcess]
  const { stdout } = await promisify(execFile)(process.execPath, script)
  await expect.poll(() => isAlive(Number(stdout))).toBe(false)
})

test('a process that loops ends with the one that started it, however that ended', async () => {
  const kill = `pool.call({ spin: true }, { limit: 20000, caller: 'a' }).catch(() => undefined)
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 100)`
  const script = ['--input-type=module', '--eval', `${inAnotherProcess}\n${kill}`]
  const { stdout } = await promisify(execFile)(process.execPath, script).catch((error) => error)
  expect(Number(stdout)).toBeGreaterThan(0)
  await expect.poll(() => isAlive(Number(stdout))).toBe(false)
})
