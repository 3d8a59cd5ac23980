import { type Browser, type BrowserServer, chromium } from 'playwright-core'

/** Chromium asks the page's service alone: no updates, no sync, no first run. */
const words = [
  '--headless=new',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

interface ChromiumSettings {
  /** Words beside the usual ones. */
  words?: readonly string[]
  /** Variables beside those of this process. */
  environment?: Readonly<Record<string, string>>
}

/** The Chromium of `CHROMIUM_PATH`, else the one that npm brought along, which Debian's would outweigh several times. The caller closes it. */
export async function launchChromium(settings: ChromiumSettings = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: await findChromium(),
    args: [...words, ...(settings.words ?? [])],
    env: { ...process.env, ...settings.environment },
  })
}

/** Launches it for processes that connect to it. The caller closes it. */
export async function startChromium(): Promise<BrowserServer> {
  return chromium.launchServer({ executablePath: await findChromium(), args: words })
}

async function findChromium(): Promise<string> {
  const { CHROMIUM_PATH } = process.env
  if (CHROMIUM_PATH !== undefined) return CHROMIUM_PATH
  const { default: packed } = await import('@sparticuz/chromium')
  return packed.executablePath()
}
