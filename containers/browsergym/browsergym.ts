import { findChromium } from '../../shared/environments/browser/find-chromium.ts'
import { logEvent } from '../env-host/host-log.ts'
import { runHost } from '../env-host/run-host.ts'
import { serveBrowsergym } from './serve-browsergym.ts'

// The child process that plays BrowserGym on one machine. Each session is a Python process with two browsers, as the
// gym starts them.
await runHost(async () => [serveBrowsergym(await findChromium(process.env), logEvent)], {
  ESPALIER_HOST_SLOTS: '4',
})
