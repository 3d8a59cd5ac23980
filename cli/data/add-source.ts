import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { formatBytes, formatCount } from '../../shared/core/client/format-quantity.ts'
import { folderSource } from '../../shared/environments/folder-source.ts'
import type { DeskOptions } from '../at-desk.ts'
import { wrongUsage } from '../command-error.ts'
import { printResult } from '../print-result.ts'
import { showLine } from '../show-line.ts'
import type { Terminal } from '../terminal.ts'
import { type AddedPack, addPack } from './add-pack.ts'
import { findPackDefinition } from './find-definition.ts'
import { isArchive, unpackArchive, withoutEnding } from './unpack-archive.ts'
import { withPackStore } from './with-pack-store.ts'

export interface SourceToAdd {
  environment: string
  source: string
  options: DeskOptions & { name?: string }
}

export async function addSource(
  { environment, source, options }: SourceToAdd,
  terminal: Terminal,
): Promise<void> {
  const definition = await findPackDefinition(options.folder, environment)
  const path = resolve(source)
  const kind = await kindOf(path)
  if (kind === null) {
    throw wrongUsage(
      `${source} is no folder, and no .zip or .tar archive that can be read. ${environment} needs: ${definition.pack.description}.`,
    )
  }
  const name = options.name ?? withoutEnding(basename(path))
  const signal = terminal.interruption()
  const add = async (folder: string, isUnpacked = false): Promise<AddedPack> => {
    const line = await showLine(terminal)
    try {
      const { listed, ...unpacked } = await folderSource(folder)
      // The order of an archive's files depends on this disk.
      const found = isUnpacked || listed === undefined ? unpacked : { ...unpacked, listed }
      return await withPackStore(options, (store) =>
        addPack(store, { definition, name, source: found }, { line, signal }),
      )
    } finally {
      line.stop()
    }
  }
  const added =
    kind === 'folder'
      ? await add(path)
      : await inWorkFolder(options.folder, async (work) => {
          await unpackArchive(path, work, signal)
          return add(work, true)
        })
  printAdded(added, options, terminal)
}

export async function inWorkFolder<Result>(
  dataFolder: string,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  await mkdir(resolve(dataFolder), { recursive: true, mode: 0o700 })
  const folder = await mkdtemp(join(resolve(dataFolder), 'unpacked-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export function printAdded(added: AddedPack, options: DeskOptions, terminal: Terminal): void {
  const { environment, name, digest, files, size, splits } = added
  const tasks = Object.entries(splits).map(([split, count]) => `${split} ${formatCount(count)}`)
  printResult(terminal, options, added, () => [
    `${environment}: "${name}", ${formatCount(files)} files, ${formatBytes(size)}, digest ${digest}`,
    `  tasks: ${tasks.join(', ')}`,
    `  Runs of ${environment} play it from now on; --data builtin plays what comes along.`,
  ])
}

async function kindOf(path: string): Promise<'folder' | 'archive' | null> {
  try {
    const found = await stat(path)
    if (found.isDirectory()) return 'folder'
    return found.isFile() && isArchive(path) ? 'archive' : null
  } catch (error) {
    if (error instanceof Error && 'code' in error) return null
    throw error
  }
}
