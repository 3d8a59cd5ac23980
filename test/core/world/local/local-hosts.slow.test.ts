import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { openLocalWorld } from '../../../../shared/core/world/local/open-local-world.ts'
import type { Host } from '../../../../shared/core/world/ports.ts'
import { startProcess } from './child-process.ts'
import { images, openTestWorld, testFolder } from './local-test-world.ts'

const stuck = fileURLToPath(new URL('stuck-host.ts', import.meta.url))

async function answers(address: string | null): Promise<boolean> {
  try {
    await fetch(address ?? '', { signal: AbortSignal.timeout(5000) })
    return true
  } catch (error) {
    if (error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError')) return false
    throw error
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
}

async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20))
}

describe('a host on this machine', () => {
  test('may drain, and what it prints is kept', async () => {
    const folder = await testFolder()
    const { hosts } = await openTestWorld(folder)
    const host = await hosts.launch({ image: 'greeting', token: 't', environment: { GREETING: 'hello' } })
    expect(host).toMatchObject({
      status: 'running',
      address: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    })
    await hosts.stop(host.id, { grace: 10 })
    expect(await readFile(join(folder, 'hosts', `${host.id}.log`), 'utf8')).toMatch(
      /\{"port":\d+\}\ndraining\n/,
    )
  })

  test('that does not leave when asked is ended after its grace', async () => {
    const { hosts } = await openTestWorld(await testFolder())
    const host = await hosts.launch({ image: 'greeting', token: 't', environment: { STUBBORN: '1' } })
    await hosts.stop(host.id, { grace: 0.1 })
    expect(await hosts.describe([host.id])).toMatchObject([{ status: 'stopped', reason: 'It was stopped.' }])
  })

  test('that ends early says with what and where its output is', async () => {
    const folder = await testFolder()
    const { hosts } = await openTestWorld(folder)
    const { id, reason } = await hosts.launch({ image: 'broken', token: 't' })
    const log = join(folder, 'hosts', `${id}.log`)
    expect(reason).toBe(`It ended with code 3 before it reported its port; its output is in ${log}.`)
    expect(await readFile(log, 'utf8')).toContain('This host cannot start.')
  })

  test('sees the environment it was given and not ours, which holds secrets', async () => {
    process.env.GREETING = 'ours'
    try {
      const { hosts } = await openTestWorld(await testFolder())
      const { address } = await hosts.launch({ image: 'greeting', token: 't' })
      expect(await (await fetch(address ?? '')).text()).toBe('')
    } finally {
      delete process.env.GREETING
    }
  })

  test('is told which Chromium to start', async () => {
    const folder = await testFolder()
    const entry = join(folder, 'telling-host.mjs')
    await writeFile(
      entry,
      'console.log(process.env.ESPALIER_CHROMIUM, \'\\n{"port": 1}\'); setInterval(() => {}, 1000)',
    )
    vi.stubEnv('ESPALIER_CHROMIUM', '/somewhere/chromium')
    const world = await openLocalWorld({ folder, images: { telling: entry } })
    const { id } = await world.hosts.launch({ image: 'telling', token: 't' })
    await world.close()
    vi.unstubAllEnvs()
    expect(await readFile(join(folder, 'hosts', `${id}.log`), 'utf8')).toContain('/somewhere/chromium')
  })

  test('does not outlive a closed world', async () => {
    const world = await openTestWorld(await testFolder())
    const { address } = await world.hosts.launch({ image: 'greeting', token: 't' })
    expect(await answers(address)).toBe(true)
    await world.close()
    expect(await answers(address)).toBe(false)
  })

  test('goes away when the process that launched it is killed', async () => {
    const parent = startProcess('holder-process.ts', [await testFolder(), '', images.greeting])
    const [line = ''] = await parent.printed(1)
    const { address } = JSON.parse(line) as Host
    expect(await answers(address)).toBe(true)
    await parent.kill()
    await until(async () => !(await answers(address)))
  })

  test('goes away even when it is stuck in an endless loop', async () => {
    const folder = await testFolder()
    const parent = startProcess('holder-process.ts', [folder, '', stuck])
    const [line = ''] = await parent.printed(1)
    const log = join(folder, 'hosts', `${(JSON.parse(line) as Host).id}.log`)
    // What it prints comes through a pipe, and may be later than that it listens.
    let pid = Number.NaN
    await until(async () => {
      pid = Number(/pid (\d+)\n/.exec(await readFile(log, 'utf8'))?.[1])
      return Number.isInteger(pid)
    })
    expect(isAlive(pid)).toBe(true)
    await parent.kill()
    await until(() => !isAlive(pid))
  })
})
