// `node containers/sites/drawings/make-pictures.ts`: draws every picture of the sites' data into
// containers/sites/pictures, and removes those that no data names.
import { createHash } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { findChromium } from '../../../shared/environments/browser/find-chromium.ts'
import { pictureFile } from '../server/pictures.ts'
import { allSites } from '../server/start-sites.ts'
import { drawPicture, pictureSize } from './draw-picture.ts'

const folder = fileURLToPath(new URL('../pictures/', import.meta.url))
const pictures = [...new Set(allSites.flatMap((site) => site.pictures))].toSorted()
const browser = await chromium.launch({
  executablePath: await findChromium(process.env),
  args: ['--no-sandbox', '--headless=new', '--disable-gpu', '--force-color-profile=srgb'],
})
try {
  const page = await browser.newPage({ viewport: { width: pictureSize, height: pictureSize } })
  await mkdir(folder, { recursive: true })
  const drawings: Record<string, string> = {}
  for (const picture of pictures) {
    const drawing = drawPicture(picture)
    await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${drawing}`)
    await writeFile(`${folder}${pictureFile(picture)}`, await page.screenshot())
    drawings[picture] = createHash('sha256').update(drawing).digest('hex')
  }
  const kept = new Set(pictures.map(pictureFile))
  for (const file of await readdir(folder)) if (!kept.has(file)) await rm(`${folder}${file}`)
  // The drawing of each file: a test finds drawings that changed without being drawn again.
  await writeFile(`${folder}drawings.data.json`, `${JSON.stringify(drawings, null, 0)}\n`)
  console.log(`${pictures.length} pictures`)
} finally {
  await browser.close()
}
