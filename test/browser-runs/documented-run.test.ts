import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { Episode } from '../../shared/core/contracts/episode.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { NodeDetail } from '../../shared/core/contracts/node-detail.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { launchChromium } from '../browser/launch-chromium.ts'
import { startEspalier } from '../service/processes.ts'
import { request } from '../service/request.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { addMiniwob } from './miniwob-pages.ts'

const root = join(import.meta.dirname, '../..')

/** Runs the first command of a page of the guide that begins with these words, over a folder. */
async function runDocumented(page: string, begins: string, folder: string): Promise<string> {
  const guide = await readFile(join(root, 'docs', page), 'utf8')
  const words = guide.split('\n').find((line) => line.startsWith(`espalier ${begins}`)) ?? ''
  expect(words).not.toBe('')
  const espalier = [join(root, 'cli/espalier.ts'), ...words.split(' ').slice(1), '--folder', folder]
  await promisify(execFile)(process.execPath, espalier)
  return words
}

test("the guide's searches on pages and sites run, and the dashboard shows screenshots before and after an action", async () => {
  const folder = await temporaryFolder()
  await addMiniwob(folder)
  const words = await runDocumented('environments.md', 'run --environment miniwob', folder)
  expect(words).toContain('screenshots=true')
  await runDocumented('sites.md', 'run --environment sites --preset exact-vwa', folder)

  const service = await startEspalier('serve', '--folder', folder, '--port', '0')
  const { data: runs } = await request<List<Run>>(service, 'GET', '/v1/runs')
  const of = (environment: string) => runs.find((each) => each.request.environment === environment)
  const onSites = of('sites')
  expect(onSites).toMatchObject({
    status: 'succeeded',
    episodes: { errored: 0 },
    request: { preset: { id: 'exact-vwa' }, environment_options: { observation: 'image_som' } },
  })
  const onPages = of('miniwob')
  expect(onPages).toMatchObject({ status: 'succeeded', episodes: { errored: 0 } })
  for (const run of [onSites, onPages]) {
    const episodes = `/v1/runs/${run?.id}/episodes`
    const { data } = await request<List<Episode>>(service, 'GET', episodes)
    const node = await request<NodeDetail>(service, 'GET', `${episodes}/${data[0]?.id}/nodes/1`)
    expect(node.observation).toMatchObject([{ type: 'text' }, { media_type: 'image/png' }])
  }

  const browser = await launchChromium()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  const { data: episodes } = await request<List<Episode>>(service, 'GET', `/v1/runs/${onPages?.id}/episodes`)
  await page.goto(`${service.first.address}/runs/${onPages?.id}/episodes/${episodes[0]?.id}?node=1`)
  const widthOf = (alt: string) => page.evaluate(`document.querySelector('img[alt="${alt}"]')?.naturalWidth`)
  for (const node of [0, 1]) {
    await expect.poll(() => widthOf(`What the environment showed: picture 1 of node ${node}`)).toBe(500)
  }
  await page.getByText('Before the action').waitFor()
  await page.getByText('After the action').waitFor()
  await page.getByRole('tab', { name: 'Screenshot' }).press('ArrowRight')
  const text = page.getByRole('tab', { selected: true, name: /^(DOM|Accessibility tree|Text)$/ })
  await expect.poll(() => text.evaluate('document.activeElement.textContent')).toBe(await text.innerText())
  await page.getByText('After the action').waitFor({ state: 'detached' })
  await service.end('SIGTERM')
})
