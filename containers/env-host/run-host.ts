import { errorText, logEvent } from './host-log.ts'
import { reportHost } from './host-metrics.ts'
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
