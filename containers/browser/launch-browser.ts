import { type Browser, chromium } from 'playwright-core'
import type { HostLog } from '../env-host/host-log.ts'
import { errorText } from '../env-host/host-log.ts'
import { findChromium } from './find-chromium.ts'
import { type Sites, sealingWords } from './seal-context.ts'

/** The same pixels and boxes on every machine with the same fonts; nothing that Chromium asks for on its own. */
const words = [
  '--font-render-hinting=none',
  '--disable-lcd-text',
  '--enable-font-subpixel-positioning',
  '--force-color-profile=srgb',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-sync',
  '--disable-background-networking',
  '--disable-component-update',
]

/**
 * Starts Chromium, in its own sandbox where the platform allows one: not as root, and not where user namespaces are forbidden.
 *
 * @param sites What its pages may reach.
 */
export async function launchBrowser(
  sites: Sites,
  log: HostLog,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Browser> {
  const executablePath = await findChromium(environment)
  const launch = (chromiumSandbox: boolean) =>
    chromium.launch({ executablePath, chromiumSandbox, args: [...words, ...sealingWords(sites)] })
  const started = (browser: Browser, isSandboxed: boolean) => {
    log('info', 'browser.started', { version: browser.version(), sandboxed: isSandboxed })
    return browser
  }
  if (process.getuid?.() === 0) return started(await launch(false), false)
  try {
    return started(await launch(true), true)
  } catch (error) {
    log('warn', 'browser.not_sandboxed', { error: errorText(error) })
    return started(await launch(false), false)
  }
}

/** How a session names what plays it: trees of pages differ between versions of Chromium. */
export function runtimeOf(browser: Browser): string {
  return `Chromium ${browser.version()}`
}
