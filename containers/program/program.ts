import { logEvent } from '../env-host/host-log.ts'
import { runHost } from '../env-host/run-host.ts'
import { serveCommands } from './serve-commands.ts'

await runHost(async () => [serveCommands(logEvent)])
