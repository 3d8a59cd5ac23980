import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { Episode } from '../../shared/contracts/episode.ts'
import type { List } from '../../shared/contracts/list.ts'
import type { NodeDetail } from '../../shared/contracts/node-detail.ts'
import type { Run } from '../../shared/contracts/run.ts'
import { launchChromium } from '../browser/launch-chromium.ts'
import { startEspalier } from '../service/processes.ts'
import { request } from '../service/request.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { addMiniwob } from './miniwob-pages.ts'

const root = join(import.meta.dirname, '../..')

test("the guide's search on pages runs, and the dashboard shows the screenshot of a node", async () => {
  const folder = await temporaryFolder()
  await addMiniwob(folder)
  const guide = await readFile(join(root, 'docs/environments.md'), 'utf8')
  const [, words = ''] = /^espalier (run --environment miniwob .*)$/m.exec(guide) ?? []
  expect(words).toContain('screenshots=true')
  const espalier = [join(root, 'cli/espalier.ts'), ...words.split(' '), '--folder', folder]
  await promisify(execFile)(process.execPath, espalier)

  const service = await startEspalier('serve', '--folder', folder, '--port', '0')
  const { data: runs } = await request<List<Run>>(service, 'GET', '/v1/runs')
  expect(runs).toMatchObject([{ status: 'succeeded', episodes: { errored: 0 } }])
  const run = `/v1/runs/${runs[0]?.id}`
  const { data: episodes } = await request<List<Episode>>(service, 'GET', `${run}/episodes`)
  const episode = episodes[0]?.id ?? ''
  const node = await request<NodeDetail>(service, 'GET', `${run}/episodes/${episode}/nodes/1`)
  expect(node.observation).toMatchObject([{ type: 'text' }, { media_type: 'image/png' }])

  const browser = await launchChromium()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  await page.goto(`${service.first.address}/runs/${runs[0]?.id}/episodes/${episode}?node=1`)
  const alt = 'What the environment showed: picture 2 of node 1'
  await page.getByAltText(alt).scrollIntoViewIfNeeded()
  const width = () => page.evaluate(`document.querySelector('img[alt="${alt}"]').naturalWidth`)
  await expect.poll(width).toBe(500)
  await service.end('SIGTERM')
})
