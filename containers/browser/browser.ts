import { serveMiniwob } from '../../shared/environments/miniwob/host/serve-miniwob.ts'
import { logEvent } from '../env-host/host-log.ts'
import { runHost } from '../env-host/run-host.ts'
import { BrowserKeeper } from './browser-keeper.ts'
import { KeptPages } from './kept-pages.ts'
import { launchBrowser } from './launch-browser.ts'
import { serveSites } from './serve-sites.ts'
import { serveWebarena } from './serve-webarena.ts'

const benchmarks = ['webarena', 'visualwebarena'] as const

// The entry point of the image, and of the child process that replaces it on one machine. A session is a context of
// the single browser, of about 20 MB. Processors limit the useful number of sessions.
await runHost(
  async () => {
    const keeper = new BrowserKeeper(() => launchBrowser([], logEvent))
    // A host whose browser does not start must fail here.
    await keeper.take()
    const pages = new KeptPages()
    return [
      serveMiniwob(keeper),
      serveSites(logEvent, pages),
      ...benchmarks.map((benchmark) => serveWebarena(benchmark, logEvent, pages)),
    ]
  },
  { ESPALIER_HOST_SLOTS: '16' },
)
