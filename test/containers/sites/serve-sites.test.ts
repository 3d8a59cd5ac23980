import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { startSites } from '../../../containers/sites/server/start-sites.ts'

const entry = join(import.meta.dirname, '../../../containers/sites/sites.ts')

/** Starts the program, and reads the one line that it prints. */
async function serve(environment: Record<string, string>): Promise<{ line: unknown; child: ChildProcess }> {
  const child = spawn(process.execPath, [entry], { env: { ...process.env, ...environment } })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { line: JSON.parse(line), child }
}

test('the program serves every site until it is asked to stop, and writes log-ins that are let in', async () => {
  const states = await mkdtemp(join(tmpdir(), 'espalier-sites-'))
  onTestFinished(() => rm(states, { recursive: true }))
  const { line, child } = await serve({ ESPALIER_SITES_STATES: states })
  const { sites } = line as { sites: Record<string, string> }
  expect(Object.keys(sites)).toEqual(['shopping', 'reddit', 'classifieds'])
  expect((await readdir(states)).toSorted()).toEqual([
    'classifieds.reddit.shopping_state.json',
    'classifieds.reddit_state.json',
    'classifieds.shopping_state.json',
    'classifieds_state.json',
    'reddit.shopping_state.json',
    'reddit_state.json',
    'shopping_state.json',
  ])
  for (const [name, address] of Object.entries(sites)) {
    const { cookies } = JSON.parse(await readFile(join(states, `${name}_state.json`), 'utf8')) as {
      cookies: { name: string; value: string }[]
    }
    const cookie = cookies.map((each) => `${each.name}=${each.value}`).join('; ')
    const page = await fetch(`${address}/account`, { headers: { cookie }, redirect: 'manual' })
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Log out')])
    expect((await fetch(`${address}/account`, { redirect: 'manual' })).status).toBe(303)
  }
  child.kill('SIGTERM')
  const [code] = (await once(child, 'exit')) as [number]
  expect(code).toBe(0)
})

test('a port that is no number is refused with the name of the variable', async () => {
  const { line } = await serve({ PORT: 'shop' })
  expect(line).toEqual({ failed: expect.stringContaining('PORT is a number') })
})

test('a port that is taken is refused, and no site is left behind', async () => {
  const first = await startSites()
  onTestFinished(() => first.stop())
  const port = Number(new URL(first.addresses.shopping).port)
  await expect(startSites({ port })).rejects.toMatchObject({ code: 'conflict', param: 'PORT' })
})
