import { errorText, logEvent } from './host-log.ts'
import { readHostSettings } from './host-settings.ts'
import { startEnvHost } from './start-env-host.ts'

// The entry point of the image, and of the child process that takes its place on one machine.
try {
  const host = await startEnvHost(readHostSettings(process.env))
  process.on('SIGTERM', () => void host.drain('asked'))
  process.on('SIGINT', () => void host.drain('asked'))
  // Whoever launched this process reads its port from here.
  process.stdout.write(`${JSON.stringify({ port: host.port })}\n`)
  await host.left
} catch (error) {
  logEvent('error', 'host.failed', { error: errorText(error) })
  process.exitCode = 1
}
