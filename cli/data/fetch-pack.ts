import { constants, copyFile, rm } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { formatBytes } from '../../shared/core/client/format-quantity.ts'
import { unknownName } from '../../shared/core/contracts/validation/nearest-name.ts'
import type { PackFormat } from '../../shared/environments/data-pack.ts'
import { folderSource } from '../../shared/environments/folder-source.ts'
import type { DeskOptions } from '../at-desk.ts'
import { wrongUsage } from '../command-error.ts'
import { type ProgressLine, showLine } from '../show-line.ts'
import type { Terminal } from '../terminal.ts'
import { addPack } from './add-pack.ts'
import { inWorkFolder, printAdded } from './add-source.ts'
import { type Download, downloadFile } from './download-file.ts'
import { findPackDefinition } from './find-definition.ts'
import { isArchive, unpackArchive } from './unpack-archive.ts'
import { withPackStore } from './with-pack-store.ts'

export interface PackToFetch {
  environment: string
  file?: string
  options: DeskOptions & { name?: string }
}

export async function fetchPack(
  { environment, file, options }: PackToFetch,
  terminal: Terminal,
): Promise<void> {
  const definition = await findPackDefinition(options.folder, environment)
  const downloads = chooseDownloads(definition.pack, environment, file)
  const folder = join(resolve(options.folder), 'downloads', environment)
  const signal = terminal.interruption()
  const line = await showLine(terminal)
  try {
    const paths: string[] = []
    for (const download of downloads) {
      paths.push(await fetchOne(download, { folder, signal, line, environment, downloads }))
    }
    const added = await inWorkFolder(options.folder, async (work) => {
      for (const path of paths) {
        if (isArchive(path)) await unpackArchive(path, work, signal)
        else await copyFile(path, join(work, basename(path)), constants.COPYFILE_FICLONE)
      }
      const source = await folderSource(work)
      const name = options.name ?? 'public'
      return withPackStore(options, (store) => addPack(store, { definition, name, source }, { line, signal }))
    }).catch(async (error: unknown) => {
      // A file without a checksum may itself be the fault.
      const unchecked = paths.filter((_path, index) => downloads[index]?.sha256 === null)
      await Promise.all(unchecked.map((path) => rm(path, { force: true })))
      throw error
    })
    // Kept until here, so that a failure after the download does not require another download.
    await rm(folder, { recursive: true, force: true })
    line.stop()
    printAdded(added, options, terminal)
  } finally {
    line.stop()
  }
}

function chooseDownloads(
  { downloads }: PackFormat,
  environment: string,
  file: string | undefined,
): readonly Download[] {
  const names = downloads.map(({ name }) => name)
  if (downloads.length === 0) {
    throw wrongUsage(
      `The data of ${environment} is offered nowhere. Add your own: espalier data add ${environment} FOLDER`,
    )
  }
  const chosen = downloads.filter(({ name }) => file === undefined || name === file)
  if (chosen.length > 0) return chosen
  throw wrongUsage(unknownName(`The public data of ${environment} has no file`, file, names))
}

function fetchOne(
  download: Download,
  needs: {
    folder: string
    signal: AbortSignal
    line: ProgressLine
    environment: string
    downloads: readonly Download[]
  },
): Promise<string> {
  const { folder, signal, line, environment, downloads } = needs
  const addresses = downloads.map(({ url }) => url).join(' and ')
  const advice = `Without a network: fetch ${addresses} elsewhere, put what you fetched into one folder, and add it: espalier data add ${environment} FOLDER. With one, try again: what is there already is not fetched twice.`
  return downloadFile(download, {
    folder,
    signal,
    advice,
    onProgress: (bytes, total) => {
      const of = total === null ? '' : ` of ${formatBytes(total)}`
      line.update(`${download.name}: ${formatBytes(bytes)}${of}`)
    },
  })
}
