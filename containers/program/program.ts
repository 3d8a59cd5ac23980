import { logEvent } from '../env-host/host-log.ts'
import { runHost } from '../env-host/run-host.ts'
import { serveCommands } from './serve-commands.ts'

// The child process that plays programs of `environments.json` on one machine: it starts them, bounds them and starts them again.
await runHost(async () => [serveCommands(logEvent)])
