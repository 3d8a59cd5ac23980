import { formatBytes, formatCount } from '../../shared/core/client/format-quantity.ts'
import type { PackFile, PackFormat, PackSource } from '../../shared/environments/data-pack.ts'
import type { DataPackRow, DataPackStore } from '../../shared/environments/data-packs/open-data-packs.ts'
import type { EnvironmentDefinition } from '../../shared/environments/environment-definition.ts'
import { interrupted } from '../command-error.ts'
import type { ProgressLine } from '../show-line.ts'

export interface AddedPack extends DataPackRow {
  splits: Record<string, number>
}

/**
 * Adds an environment's files from a source as a pack and opens the environment over it. A pack that cannot be played
 * is removed again.
 * @throws EspalierError `invalid_request` when the source lacks the expected files
 */
export async function addPack(
  store: DataPackStore,
  {
    definition,
    name,
    source,
  }: {
    definition: EnvironmentDefinition & { pack: PackFormat }
    name: string
    source: PackSource
  },
  { line, signal }: { line: ProgressLine; signal: AbortSignal },
): Promise<AddedPack> {
  const { id, pack } = definition
  const added = { files: 0, bytes: 0 }
  const row = await store.add(
    { environment: id, name },
    untilAborted(pack.collect(source), signal),
    ({ size }) => {
      added.files += 1
      added.bytes += size
      line.update(`${name}: ${formatCount(added.files)} files · ${formatBytes(added.bytes)}`)
    },
  )
  try {
    const environment = await definition.open(await store.open(id, row.digest))
    const splits: Record<string, number> = {}
    for (const { split } of environment.tasks()) splits[split] = (splits[split] ?? 0) + 1
    return { ...row, splits }
  } catch (error) {
    await store.remove(id, row.digest)
    throw error
  }
}

async function* untilAborted(files: AsyncIterable<PackFile>, signal: AbortSignal): AsyncGenerator<PackFile> {
  for await (const file of files) {
    if (signal.aborted) throw interrupted('Stopped. Nothing was added.')
    yield file
  }
}
