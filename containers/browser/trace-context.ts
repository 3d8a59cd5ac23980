import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { errorText, logEvent } from '../env-host/host-log.ts'

/** Maximum traces in the folder, unless `ESPALIER_BROWSER_TRACES_KEPT` sets another number. */
const usuallyKept = 100

interface TraceSettings {
  folder: string
  kept: number
}

const traces = new WeakMap<BrowserContext, TraceSettings & { path: string }>()
let written = 0

/**
 * Opens a context for the pages of one session. If `ESPALIER_BROWSER_TRACES` names a folder, {@link closeContext}
 * writes a trace there for Playwright's trace viewer: actions, snapshots of the page, a film strip, requests, the
 * console.
 * @param name Of environment and task, for the file's name.
 */
export async function openContext(
  browser: Browser,
  name: string,
  options: BrowserContextOptions,
): Promise<BrowserContext> {
  const context = await browser.newContext(options)
  const settings = readTraceSettings(process.env)
  if (settings === null) return context
  try {
    written += 1
    const time = new Date().toISOString().replaceAll(':', '-')
    const file = `${time}-${String(written).padStart(4, '0')}-${name.replaceAll(/[^\w.-]+/g, '-')}.zip`
    await mkdir(settings.folder, { recursive: true })
    await context.tracing.start({ title: name, screenshots: true, snapshots: true })
    traces.set(context, { ...settings, path: join(settings.folder, file) })
    return context
  } catch (error) {
    await context.close()
    throw error
  }
}

/**
 * Closes a context, and writes its trace if enabled. Never fails: a context whose browser is gone is already closed.
 */
export async function closeContext(context: BrowserContext): Promise<void> {
  const trace = traces.get(context)
  traces.delete(context)
  try {
    if (trace !== undefined) {
      await context.tracing.stop({ path: trace.path })
      await dropOldest(trace)
    }
  } catch (error) {
    logEvent('warn', 'browser.trace_not_written', { path: trace?.path, error: errorText(error) })
  }
  await context.close().catch(() => undefined)
}

function readTraceSettings(environment: NodeJS.ProcessEnv): TraceSettings | null {
  const folder = environment.ESPALIER_BROWSER_TRACES
  if (folder === undefined || folder === '') return null
  const kept = Number(environment.ESPALIER_BROWSER_TRACES_KEPT ?? usuallyKept)
  if (Number.isSafeInteger(kept) && kept > 0) return { folder, kept }
  throw new EspalierError('host_unreachable', 'ESPALIER_BROWSER_TRACES_KEPT must be a whole number above 0.')
}

async function dropOldest({ folder, kept }: TraceSettings): Promise<void> {
  const found = (await readdir(folder)).filter((name) => /^\d{4}-\d\d-\d\dT.*\.zip$/.test(name))
  const old = found.toSorted().slice(0, Math.max(0, found.length - kept))
  await Promise.all(old.map((name) => rm(join(folder, name), { force: true })))
}
