import { createHash, hash, randomUUID } from 'node:crypto'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ApiClient } from '../shared/core/client/api-client.ts'
import type {
  ModelFile,
  RegisteredModel,
  RegisteredModelRequest,
} from '../shared/core/contracts/registered-model.ts'
import { wrongUsage } from './command-error.ts'

const partBytes = 4 * 1024 * 1024

export async function uploadModel(
  client: ApiClient,
  folder: string,
  facts: Omit<RegisteredModelRequest, 'folder' | 'files'>,
  onProgress: (note: string) => void,
): Promise<RegisteredModel> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
    throw wrongUsage(`${folder}: there is no such folder.`)
  })
  const names = entries
    .filter((entry) => !entry.isDirectory() && /^[A-Za-z0-9]/.test(entry.name))
    .map(({ name }) => name)
  const files: ModelFile[] = []
  for (const name of names.toSorted()) {
    onProgress(`Sending ${name}`)
    files.push(await uploadFile(client, folder, name))
  }
  const name = facts.name ?? folder.split(/[\\/]/).filter(Boolean).at(-1) ?? 'model'
  return client.registerModel({ ...facts, name, files }, randomUUID())
}

async function uploadFile(client: ApiClient, folder: string, name: string): Promise<ModelFile> {
  const file = await open(join(folder, name))
  const whole = createHash('sha256')
  const parts: ModelFile['parts'] = []
  let bytes = 0
  try {
    for (;;) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(partBytes), 0, partBytes, bytes)
      if (bytesRead === 0) break
      const body = buffer.subarray(0, bytesRead)
      const sha256 = hash('sha256', body, 'hex')
      whole.update(body)
      await client.putWeightPart(sha256, body)
      parts.push({ sha256, bytes: bytesRead })
      bytes += bytesRead
    }
  } finally {
    await file.close()
  }
  return { name, bytes, sha256: whole.digest('hex'), parts }
}
