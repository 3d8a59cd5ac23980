import { hash } from 'node:crypto'
import { resolve } from 'node:path'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { DataPack, PackFormat } from '../../shared/environments/data-pack.ts'
import type { EnvironmentDefinition } from '../../shared/environments/environment-definition.ts'
import { folderSource } from '../../shared/environments/folder-source.ts'

/**
 * Opens some environments over a folder's data unless a request has another pack, for a host played by clients of its
 * facades.
 * @param folders by the environment's id
 * @throws EspalierError `invalid_request` for an environment that is not here or takes no data, or a folder without
 * it
 */
export async function overFolders(
  definitions: readonly EnvironmentDefinition[],
  folders: Readonly<Record<string, string>>,
): Promise<EnvironmentDefinition[]> {
  const packs = new Map<string, DataPack>()
  for (const [id, folder] of Object.entries(folders)) {
    const format = definitions.find((definition) => definition.id === id)?.pack
    if (format === undefined) {
      const choices = definitions.filter(({ pack }) => pack).map((definition) => definition.id)
      throw new EspalierError(
        'invalid_request',
        `ESPALIER_HOST_DATA names "${id}", which takes no data. Choose of: ${choices.join(', ')}.`,
      )
    }
    packs.set(id, await packOf(format, resolve(folder)))
  }
  return definitions.map((definition) => {
    const given = packs.get(definition.id)
    return given === undefined
      ? definition
      : { ...definition, open: (pack) => definition.open(pack ?? given) }
  })
}

async function packOf(format: PackFormat, folder: string): Promise<DataPack> {
  const bodies = new Map<string, Uint8Array>()
  for await (const { path, body } of format.collect(await folderSource(folder))) bodies.set(path, body)
  const files = [...bodies.keys()].sort()
  const digests = files.map((path) => [path, hash('sha256', bodies.get(path) ?? '', 'hex')])
  return {
    digest: hash('sha256', JSON.stringify(digests), 'hex').slice(0, 32),
    name: folder,
    files,
    async read(path) {
      const body = bodies.get(path)
      if (body) return body
      throw new EspalierError('not_found', `The data of ${folder} has no file "${path}".`)
    },
  }
}
