import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'

/**
 * A digest of what the files hold, of their names, which may be those of tasks, and of how they are to be read: the same import
 * has the same, in whatever folder its files lie.
 */
export async function digestFiles(files: readonly string[], settings: object): Promise<string> {
  const digest = createHash('sha256').update(JSON.stringify(settings))
  for (const file of files) {
    const content = createHash('sha256')
    for await (const chunk of createReadStream(file)) content.update(chunk as Uint8Array)
    digest.update(basename(file)).update(content.digest())
  }
  return digest.digest('hex')
}
