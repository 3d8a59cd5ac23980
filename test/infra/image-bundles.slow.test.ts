import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { deployedImages } from '../../infra/deployed-images.ts'
import type { ImageProgram } from '../../infra/images/write-contexts.ts'
import lock from '../../package-lock.json' with { type: 'json' }
import { buildImage, startImage } from './run-image.ts'

const examples = resolve(import.meta.dirname, '../../examples')
const pureImage: ImageProgram = { id: 'env-host', folder: 'containers/env-host' }
const sitesImage: ImageProgram = { id: 'sites', folder: 'containers/sites' }
const megabyte = 2 ** 20

interface Bill {
  components: { name: string; version: string; purl: string }[]
}

function lockedVersion({ name }: Bill['components'][number]): string | undefined {
  const packages: Record<string, { version?: string }> = lock.packages
  return packages[`node_modules/${name}`]?.version
}

async function sizeOf(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = files
    .filter((file) => file.isFile())
    .map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size)
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

test.each(deployedImages())('the image $id loads its whole program without a package', async (image) => {
  const { app, entry } = await buildImage(image)
  const environment = { PATH: process.env.PATH, ESPALIER_HOST_SLOTS: 'many' }
  const ended = promisify(execFile)(process.execPath, [entry], { cwd: app, env: environment })
  await expect(ended).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('ESPALIER_HOST_SLOTS'),
  })
  const whole = image.id === 'browser' ? ['playwright-core'] : []
  expect(await readdir(join(app, 'node_modules')).catch(() => [])).toEqual(whole)
  expect(await sizeOf(app)).toBeLessThan((image.id === 'browser' ? 20 : 6) * megabyte)

  const { components } = JSON.parse(await readFile(join(app, 'sbom.cdx.json'), 'utf8')) as Bill
  const listed = components.map(({ purl }) => purl)
  expect(components.filter(({ purl }) => purl.startsWith('pkg:npm/')).map(lockedVersion)).toEqual(
    components.filter(({ purl }) => purl.startsWith('pkg:npm/')).map(({ version }) => version),
  )
  expect(listed.join()).toContain('pkg:docker/')
  const own: Record<string, string[]> = {
    browser: ['pkg:npm/playwright-core@'],
    scienceworld: ['pkg:pypi/scienceworld@'],
  }
  for (const purl of ['pkg:npm/zod@', ...(own[image.id] ?? [])]) expect(listed.join()).toContain(purl)
})

test('the image of pure environments plays, and isolates a module of a user that imports the package', async () => {
  const ask = await startImage(pureImage, { ESPALIER_HOST_ENVIRONMENTS: join(examples, 'guess-number.ts') })
  const start = { seed: 0, token: 1 }
  const built = await ask('/sessions', { environment: 'textcraft', task: 'textcraft-0042', ...start })
  const step = { action: 'inventory', step_index: 0, token: 1 }
  const looked = await ask(`/sessions/${built.id}/step`, step)
  expect(looked.observation).toBe('Inventory: You are not carrying anything.')
  const own = await ask('/sessions', { environment: 'guess-number', task: 'guess-3', ...start })
  const guessed = await ask(`/sessions/${own.id}/step`, { ...step, action: 'guess 1' })
  expect(guessed).toMatchObject({ valid: true, observation: 'Higher.' })
  const { data } = (await ask('/environments')) as { data: { id: string }[] }
  expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(['textcraft', 'webshop', 'guess-number']))
})

test('the image of the sites serves their pages, styles and pictures', async () => {
  const { app, entry } = await buildImage(sitesImage)
  const child = spawn(process.execPath, [entry], { cwd: app, env: { PATH: process.env.PATH } })
  onTestFinished(async () => {
    const closed = once(child, 'close')
    child.kill()
    await closed
  })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  const { sites } = JSON.parse(line) as { sites: Record<string, string> }
  const page = await (await fetch(sites.shopping ?? '')).text()
  const [, style = ''] = /href="([^"]+\.css[^"]*)"/.exec(page) ?? []
  const [, picture = ''] = /src="([^"]+\.png)"/.exec(page) ?? []
  for (const path of [style, picture]) {
    const answer = await fetch(new URL(path, sites.shopping))
    expect([path, answer.status]).toEqual([path, 200])
  }
})
