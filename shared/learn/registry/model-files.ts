import { readFile } from 'node:fs/promises'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { ModelFile } from '../../core/contracts/registered-model.ts'
import type { Objects } from '../../core/world/ports.ts'
import type { ModelRegistration } from './model-registry.ts'
import { partKey, readStoredFile, storeFile } from './weight-parts.ts'

type GivenFiles = ModelRegistration['files']

export function modelFiles({
  objects,
  tenant,
  partBytes,
}: {
  objects: Objects
  tenant: string
  partBytes: number | undefined
}) {
  async function store(given: GivenFiles): Promise<ModelFile[]> {
    const files: ModelFile[] = []
    for (const file of given) {
      files.push('path' in file ? await storeFile(objects, tenant, file, partBytes) : file)
    }
    return files
  }

  /**
   * Checks that every part of the files is stored. A model deleted meanwhile may have removed parts found before:
   * those of files with a path are stored again.
   * @throws EspalierError `conflict`, which names a part to send again
   */
  async function check(files: readonly ModelFile[], given: GivenFiles): Promise<void> {
    for (const file of files) {
      for (const { sha256, bytes } of file.parts) {
        if ((await objects.head(partKey(tenant, sha256)))?.size === bytes) continue
        const source = given.find(({ name }) => name === file.name)
        if (source !== undefined && 'path' in source) {
          await storeFile(objects, tenant, source, partBytes)
          continue
        }
        throw new EspalierError(
          'conflict',
          `A part of ${file.name} is not stored: send ${sha256} (${bytes} bytes) again, then register the model.`,
          { param: 'files' },
        )
      }
    }
  }

  async function read(given: GivenFiles, files: readonly ModelFile[], name: string): Promise<Uint8Array> {
    const source = given.find((file) => file.name === name)
    if (source !== undefined && 'path' in source) return readFile(source.path)
    const file = files.find((each) => each.name === name)
    if (file === undefined) throw new Error(`The model has no file ${name}.`)
    await check([file], given)
    return readStoredFile(objects, tenant, file)
  }

  return { store, check, read }
}
