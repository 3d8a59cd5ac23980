import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { hostImages } from '../../local/host-images.ts'
import { wireLocalService } from '../../local/wire-local-service.ts'
import packageFile from '../../package.json' with { type: 'json' }
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { codeVersion } from '../../shared/core/engine/code-version.ts'
import { lockFolder } from '../../shared/core/world/local/folder-lock.ts'
import { openLocalWorld } from '../../shared/core/world/local/open-local-world.ts'
import {
  type FoundDamage,
  type VerifiedStore,
  verifyStore,
} from '../../shared/core/world/local/verify-store.ts'
import { loadEndpoints } from '../../shared/play/models/load-endpoints.ts'
import { CommandError } from '../command-error.ts'
import type { GlobalOptions } from '../global-options.ts'
import { printResult } from '../print-result.ts'
import { showLine } from '../show-line.ts'
import type { Terminal } from '../terminal.ts'

const derived = /^runs\/([^/]+)\/episodes\/([^/]+)\/(?:.*\/)?(?:tree|trajectory)\.json$/

export function addVerifyCommand(program: Command, terminal: Terminal): void {
  program
    .command('verify')
    .description(
      'Compare everything in the data folder with its checksums; rebuild damaged trees from their journals, and list the other damage.',
    )
    .addHelpText('after', '\nExample: espalier verify --folder .espalier')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      if (options.service !== undefined)
        throw new CommandError('invalid_option', '"verify" reads a data folder: leave out --service.', 2)
      const folder = resolve(options.folder)
      if (!existsSync(join(folder, 'espalier.db')))
        throw new CommandError(
          'not_found',
          `There is no data in ${folder}: name its folder with --folder.`,
          2,
        )
      const { mended, failed, ...left } = await verifyAndMend(folder, terminal)
      const result = { ok: left.damage.length === 0, folder, ...left, mended, not_derived: failed }
      printResult(terminal, options, result, () => describe({ ...left, mended, failed }))
      if (result.ok) return
      const message = `${left.damage.length} damaged: restore them from a backup.`
      throw new CommandError('damaged', message, 1, { isPrinted: true })
    })
}

async function verifyAndMend(
  folder: string,
  terminal: Terminal,
): Promise<VerifiedStore & { mended: string[]; failed: string[] }> {
  const first = await scan(folder, terminal)
  const episodes = first.damage.flatMap(episodeOf)
  if (episodes.length === 0) return { ...first, mended: [], failed: [] }
  const { written, failed } = await deriveEnds(folder, unique(episodes), terminal.environment).catch(
    (error: unknown) => ({ written: [], failed: [error instanceof Error ? error.message : String(error)] }),
  )
  const second = await scan(folder, terminal)
  const left = new Set(second.damage.map(({ name }) => name))
  const wasDamaged = new Set(first.damage.map(({ name }) => name))
  const mended = written.filter((key) => wasDamaged.has(key) && !left.has(key))
  const { reindexed, sums_added } = first
  return { ...second, reindexed, sums_added, mended, failed }
}

async function scan(folder: string, terminal: Terminal): Promise<VerifiedStore> {
  const lock = lockFolder(folder)
  if (lock === null)
    throw new CommandError(
      'conflict',
      `${folder} is in use: end the service that holds it, and verify again.`,
      1,
    )
  const line = await showLine(terminal)
  try {
    return await verifyStore(folder, (done, total) => line.update(`Verified ${done} of ${total}.`))
  } catch (error) {
    throw EspalierError.isInstance(error) && error.code === 'storage_failed'
      ? notOpened(folder, error.message)
      : error
  } finally {
    line.stop()
    lock.release()
  }
}

/** Without the database's first page, nothing says which object a body belongs to. */
function notOpened(folder: string, why: string): CommandError {
  const bodies = join(folder, 'bodies')
  const count = existsSync(bodies) ? readdirSync(bodies).length : 0
  const message = `${why} Nothing in it can be verified or mended before that: restore the whole folder from a copy. ${count} large bodies (trees, journals, datasets) still lie in ${bodies}, a file each.`
  return new CommandError('storage_failed', message, 1)
}

function episodeOf({ kind, name }: FoundDamage): EpisodeToDerive[] {
  const [, run, episode] = (kind === 'object' && derived.exec(name)) || []
  return run === undefined || episode === undefined ? [] : [{ run, episode }]
}

function unique(episodes: EpisodeToDerive[]): EpisodeToDerive[] {
  return [...new Map(episodes.map((one) => [`${one.run}/${one.episode}`, one])).values()]
}

function describe(found: VerifiedStore & { mended: string[]; failed: string[] }): string[] {
  const { objects, items, damage, sums_added, reindexed, mended, failed } = found
  return [
    `${objects} objects and ${items} items were read.`,
    ...(sums_added > 0 ? [`${sums_added} of older versions have checksums now.`] : []),
    ...(reindexed ? ['Indexes of the database were made anew.'] : []),
    ...mended.map((key) => `mended   ${key}: written anew from its journal`),
    ...damage.map(({ kind, name, why }) => `damaged  ${kind} ${name}: ${why}`),
    ...failed.map((why) => `         not derived: ${why}`),
    damage.length === 0 ? 'Nothing is damaged.' : `${damage.length} damaged: restore them from a backup.`,
  ]
}

interface EpisodeToDerive {
  run: string
  episode: string
}

/**
 * Rewrites damaged trees and trajectories of a data folder from their journals. Nothing is played.
 * @returns the written keys, and the reason for each episode that cannot be rebuilt
 */
async function deriveEnds(
  folder: string,
  episodes: readonly EpisodeToDerive[],
  environment: NodeJS.ProcessEnv,
): Promise<{ written: string[]; failed: string[] }> {
  const found = { written: [] as string[], failed: [] as string[] }
  const world = await openLocalWorld({ folder, images: hostImages })
  try {
    const { engine, models } = await wireLocalService({
      folder,
      world,
      endpoints: await loadEndpoints({ path: join(folder, 'endpoints.json'), environment }),
      code: codeVersion(packageFile.version),
      capacity: 1,
      duties: [],
      onError: (error, what) => found.failed.push(`${what}: ${String(error)}`),
    })
    try {
      for (const one of episodes) {
        try {
          found.written.push(...(await engine.deriveEnd(one)))
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error)
          found.failed.push(`${one.run} ${one.episode}: ${why}`)
        }
      }
    } finally {
      await models.close()
    }
  } finally {
    await world.close()
  }
  return found
}
