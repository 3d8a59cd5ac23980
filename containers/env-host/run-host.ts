import { availableMemory } from '../../shared/core/programs/available-memory.ts'
import { errorText, logEvent } from './host-log.ts'
import { type HostSettings, readHostSettings } from './host-settings.ts'
import { ServedEnvironments } from './served-environments.ts'
import type { ServedEnvironment } from './session-backend.ts'
import { startEnvHost } from './start-env-host.ts'

/**
 * Runs a host until it leaves, for the entry point of every image. It prints its port once it listens, or the reason
 * for its failure.
 * @param defaults environment variables, if they are not set
 */
export async function runHost(
  serve: (settings: HostSettings) => Promise<readonly ServedEnvironment[]>,
  defaults: Readonly<Record<string, string>> = {},
): Promise<void> {
  try {
    const settings = readHostSettings({ ...defaults, ...process.env })
    // Child programs inherit this environment, and do not need the key for callers.
    delete process.env.ESPALIER_HOST_ACCESS_KEY
    const environments = new ServedEnvironments(await serve(settings))
    const host = await startEnvHost(settings, environments)
    process.on('SIGTERM', () => void host.drain('asked'))
    process.on('SIGINT', () => void host.drain('asked'))
    // The parent process reads the port from here.
    process.stdout.write(`${JSON.stringify({ port: host.port })}\n`)
    const endReports = reportHost(process.env, host.health)
    await host.left
    endReports()
  } catch (error) {
    logEvent('error', 'host.failed', { error: errorText(error) })
    const failed = error instanceof Error ? error.message : String(error)
    process.stdout.write(`${JSON.stringify({ failed })}\n`)
    process.exitCode = 1
  }
}

const every = 60_000

interface HostMeasures {
  sessions: number
  slots: number
}

/**
 * A line of CloudWatch's embedded metric format, which it reads from the log. The dimensions name the stage and the
 * image, so that one stage's hosts raise no alarm of another.
 */
export function hostMetricsLine(
  dimensions: { stage: string; image: string },
  { sessions, slots }: HostMeasures,
  { now, memory, available }: { now: number; memory: number; available: number },
): string {
  const values = {
    HostSessions: sessions,
    HostSlotsUsed: Math.round((100 * sessions) / slots),
    HostMemoryUsed: Math.round((100 * memory) / available),
  }
  const units = { HostSessions: 'Count', HostSlotsUsed: 'Percent', HostMemoryUsed: 'Percent' }
  return JSON.stringify({
    _aws: {
      Timestamp: now,
      CloudWatchMetrics: [
        {
          Namespace: 'Espalier',
          Dimensions: [['service', ...Object.keys(dimensions)]],
          Metrics: Object.entries(units).map(([Name, Unit]) => ({ Name, Unit })),
        },
      ],
    },
    service: 'espalier',
    ...dimensions,
    ...values,
  })
}

function reportHost(
  { ESPALIER_STAGE: stage, ESPALIER_HOST_IMAGE: image }: Readonly<Record<string, string | undefined>>,
  measure: () => HostMeasures,
): () => void {
  if (stage === undefined || image === undefined) return () => undefined
  const available = availableMemory()
  const timer = setInterval(() => {
    const here = { now: Date.now(), memory: process.memoryUsage.rss(), available }
    process.stderr.write(`${hostMetricsLine({ stage, image }, measure(), here)}\n`)
  }, every)
  timer.unref()
  return () => clearInterval(timer)
}
