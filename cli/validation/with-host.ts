import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hostImages } from '../../local/host-images.ts'
import { HostProcess } from '../../shared/core/world/local/host-process.ts'
import { type ListedModules, moduleVariables } from '../../shared/environments/added/list-modules.ts'
import { describeMissing, missingOfImage } from '../../shared/environments/runtimes/image-runtimes.ts'
import { CommandError } from '../command-error.ts'

const lastLines = 10

const grace = 5

/**
 * Runs a host of an image as a child process for the duration of the work.
 * @param host modules: whose environments it serves too
 */
export async function withHost<Result>(
  { image, modules }: { image: string; modules: ListedModules },
  work: (address: string) => Promise<Result>,
): Promise<Result> {
  const entry = hostImages[image]
  if (entry === undefined) throw new CommandError('no_host', `There is no image "${image}" here.`)
  const missing = await missingOfImage(image, process.env)
  if (missing.length > 0) throw new CommandError('not_supported', describeMissing(missing))
  const folder = await mkdtemp(join(tmpdir(), 'espalier-host-'))
  const log = join(folder, 'host.log')
  const environment = moduleVariables(modules)
  const host = new HostProcess({ id: `host_${randomUUID()}`, image, entry, environment, log })
  try {
    await host.started()
    const { address, reason } = host.describe()
    if (address !== null) return await work(address)
    const said = (await readFile(log, 'utf8')).trim().split('\n').slice(-lastLines).join('\n')
    const why = reason?.replace(/; its output is in .*$/, '') ?? 'It did not start'
    throw new CommandError('no_host', `No host of ${image} could be started. ${why}; it said:\n${said}`)
  } finally {
    await host.stop(grace)
    await rm(folder, { recursive: true, force: true })
  }
}
