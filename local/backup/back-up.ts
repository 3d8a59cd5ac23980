import { join, resolve } from 'node:path'
import { backUpFolder, demandEmpty, restoreFolder } from './local-folder.ts'
import type { WorldPlace } from './postgres-world.ts'
import {
  beginBackup,
  checkFiles,
  type OnProgress,
  readBackup,
  refused,
  type SealedBackup,
} from './sealed-backup.ts'

export type BackedUpWorld = { folder: string } | WorldPlace

/**
 * Copies a world into a new folder while its service runs. An interrupted backup leaves `TARGET.partial`, which the
 * next one with the same target continues.
 */
export async function backUp(
  world: BackedUpWorld,
  target: string,
  onProgress: OnProgress,
): Promise<SealedBackup> {
  const unfinished = await beginBackup(target)
  const data = join(unfinished.folder, 'data')
  try {
    const facts =
      'folder' in world
        ? await backUpFolder(resolve(world.folder), data, onProgress)
        : await (await import('./postgres-world.ts')).backUpWorld(world, data, onProgress)
    return await unfinished.seal(facts, onProgress)
  } finally {
    unfinished.release()
  }
}

/**
 * Restores a complete backup into an empty world of its kind, after comparing all its files with their digests.
 * @throws EspalierError `conflict`: the world is not empty; `invalid_request`: the backup is unfinished or changed, or
 * of a world of another kind
 */
export async function restore(
  backup: string,
  world: BackedUpWorld,
  onProgress: OnProgress,
): Promise<SealedBackup> {
  const path = resolve(backup)
  const { sealed, files } = await readBackup(path)
  demandKind(path, sealed, world)
  if ('folder' in world) await demandEmpty(resolve(world.folder))
  await checkFiles(path, files, onProgress)
  if ('folder' in world) await restoreFolder(path, files, world.folder, onProgress)
  else await (await import('./postgres-world.ts')).restoreWorld(join(path, 'data'), sealed, world, onProgress)
  return sealed
}

function demandKind(path: string, { store, world: made }: SealedBackup, world: BackedUpWorld): void {
  const kind = 'folder' in world ? 'local' : 'postgres'
  if (made === 'local' && kind === 'postgres')
    throw refused(`${path} is the backup of a data folder: restore it with --folder, without --world.`)
  if (made === 'postgres' && kind === 'local')
    throw refused(`${path} is the backup of a shared world: restore it with --world and --objects.`)
  const wanted = !('folder' in world) && world.objects.startsWith('s3://') ? 's3' : 'folder'
  if (store !== wanted)
    throw refused(
      `${path} has its objects from ${store === 's3' ? 'a bucket: name s3://bucket' : 'a folder: name a folder'} with --objects.`,
    )
}
