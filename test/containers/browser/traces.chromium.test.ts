import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { serveMiniwob } from '../../../shared/environments/miniwob/host/serve-miniwob.ts'
import { keepBrowser, ownPages } from './own-pages.ts'

const served = serveMiniwob(keepBrowser())
afterAll(() => served.stop?.())

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'espalier-traces-'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true })
})

/** Plays two actions from the start, twice in one session. @returns all answers */
async function play() {
  const session = await served.open({ task: 'click-test/3', seed: 0, files: ownPages })
  const answers = []
  for (let round = 0; round < 2; round++) {
    answers.push(await session.reset())
    for (const action of ['press [Tab]', 'click [2]']) answers.push(await session.step(action))
  }
  await session.close()
  return answers
}

test('a folder gets a trace from each reset on, and the pages answer as they do without', async () => {
  const without = await play()
  expect(await readdir(folder)).toEqual([])
  vi.stubEnv('ESPALIER_BROWSER_TRACES', folder)
  expect(await play()).toEqual(without)
  const traces = await readdir(folder)
  expect(traces).toHaveLength(2)
  for (const name of traces) {
    expect(name).toMatch(/miniwob-click-test-\d+\.zip$/)
    const names = execFileSync('unzip', ['-Z1', join(folder, name)], { encoding: 'utf8' }).split('\n')
    expect(names).toContain('trace.trace')
    expect(names.some((each) => /^screencast\/.*\.jpeg$/.test(each))).toBe(true)
  }
})

test('the newest stay', async () => {
  vi.stubEnv('ESPALIER_BROWSER_TRACES', folder)
  vi.stubEnv('ESPALIER_BROWSER_TRACES_KEPT', '1')
  await play()
  expect(await readdir(folder)).toHaveLength(1)
})

test('a number that is none is refused when a session begins', async () => {
  vi.stubEnv('ESPALIER_BROWSER_TRACES', folder)
  vi.stubEnv('ESPALIER_BROWSER_TRACES_KEPT', 'all')
  const session = await served.open({ task: 'click-test/3', seed: 0, files: ownPages })
  await expect(Promise.resolve(session.reset())).rejects.toThrow(
    /ESPALIER_BROWSER_TRACES_KEPT must be a whole number/,
  )
})
