import type { SignedFile } from '../../../shared/client/build-calls.ts'
import { api } from '../../service/api.ts'

/** Between two downloads, milliseconds: browsers drop some of those that begin at the same moment. */
const pause = 400

/**
 * Has the browser download files of a dataset, one after the other, by addresses that are signed now.
 *
 * @throws ApiError, ConnectionError where the addresses cannot be read
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
