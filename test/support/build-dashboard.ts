import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Builds `web/dist` if it is missing or older than its sources, before the tests of a project that serves it. */
export function setup(): void {
  const script = join(import.meta.dirname, '../../scripts/ensure-web.mjs')
  const { status } = spawnSync(process.execPath, [script], { stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error('The dashboard could not be built. The lines above say why.')
}
