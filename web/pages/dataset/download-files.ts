import type { SignedFile } from '../../../shared/core/client/build-calls.ts'
import { api } from '../../service/api.ts'

/** Milliseconds between two downloads: browsers drop some of several simultaneous ones. */
const pause = 400

/**
 * Downloads files of a dataset one after the other, with freshly signed addresses.
 *
 * @throws ApiError, ConnectionError if the addresses cannot be read
 */
export async function downloadFiles(dataset: string, names: readonly string[]): Promise<void> {
  const files = await signedFiles(dataset)
  for (const [index, name] of names.entries()) {
    const file = files.get(name)
    if (file === undefined) throw new Error(`The dataset has no file ${name}.`)
    if (index > 0) await new Promise((resolve) => setTimeout(resolve, pause))
    const link = document.createElement('a')
    link.href = file.url
    link.download = `${dataset}-${name}`
    link.rel = 'noopener'
    link.click()
  }
}

async function signedFiles(dataset: string): Promise<Map<string, SignedFile>> {
  const files = new Map<string, SignedFile>()
  for (let after: string | undefined; ; ) {
    const page = await api.datasetFiles(dataset, { limit: 1000, after })
    for (const file of page.data) files.set(file.name, file)
    if (!page.has_more || page.last_id === null) return files
    after = page.last_id
  }
}
