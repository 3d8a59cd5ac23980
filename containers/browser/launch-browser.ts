import { type Browser, chromium } from 'playwright-core'
import { findChromium } from '../../shared/environments/browser/find-chromium.ts'
import type { HostLog } from '../env-host/host-log.ts'
import { errorText } from '../env-host/host-log.ts'
import { type Sites, sealingWords } from './seal-context.ts'

/** Settings for the same pixels and boxes on every machine with the same fonts, without Chromium's own requests. */
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
 * Starts Chromium, in its own sandbox if the platform allows one: not as root, and not if user namespaces are
 * forbidden.
 * @param sites The sites that its pages may reach.
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

export function runtimeOf(browser: Browser): string {
  return `Chromium ${browser.version()}`
}
