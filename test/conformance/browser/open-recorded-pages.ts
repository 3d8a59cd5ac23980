import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { launchChromium } from '../../browser/launch-chromium.ts'
import { lentFolder } from '../../support/temporary-folder.ts'
import { conformanceFolder } from '../conformance-folder.ts'
import { writeFontSettings } from './write-font-settings.ts'

/** Without a character set, as the reference's own server answered. */
const types: Record<string, string> = { '.html': 'text/html', '.png': 'image/png' }

export interface RecordedPages {
  /** Opens a page of the folder in a context of its own. */
  open(file: string, viewport?: { width: number; height: number }): Promise<Page>
  /** The recorded text with this server's address, and back. */
  toServed(text: string): string
  toRecorded(text: string): string
}

/** Serves the recorded pages, and opens them in Chromium, for the tests of one file. */
export function openRecordedPages(): RecordedPages {
  let browser: Browser | undefined
  let fonts: Awaited<ReturnType<typeof lentFolder>> | undefined
  let port = 0
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname)
    readFile(join(conformanceFolder, 'browser/pages', path)).then(
      (body) => response.writeHead(200, { 'content-type': types[extname(path)] ?? 'text/plain' }).end(body),
      () => response.writeHead(404).end(),
    )
  })

  beforeAll(async () => {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    port = (server.address() as AddressInfo).port
    fonts = await lentFolder()
    browser = await launchChromium({
      words: [
        '--font-render-hinting=none',
        '--disable-lcd-text',
        '--enable-font-subpixel-positioning',
        '--force-color-profile=srgb',
      ],
      environment: { FONTCONFIG_FILE: await writeFontSettings(fonts.folder) },
    })
  })
  afterAll(async () => {
    await browser?.close()
    await fonts?.remove()
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })

  return { open, toServed, toRecorded }

  async function open(file: string, viewport = { width: 1280, height: 720 }): Promise<Page> {
    if (browser === undefined) throw new Error('the browser has not started')
    const context = await browser.newContext({ viewport, deviceScaleFactor: 1 })
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${port}/${file}`)
    return page
  }

  function toServed(text: string): string {
    return text.replaceAll('PAGES-LOCALHOST', `localhost:${port}`).replaceAll('PAGES', `127.0.0.1:${port}`)
  }

  function toRecorded(text: string): string {
    return text.replaceAll(`127.0.0.1:${port}`, 'PAGES')
  }
}
