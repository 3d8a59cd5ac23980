import { cp } from 'node:fs/promises'
import { inject, onTestFinished } from 'vitest'
import { openClient } from '../../cli/open-client.ts'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import { type Started, startEspalier } from '../service/processes.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import type { Examples } from './play-examples.ts'

export interface Served {
  service: Started
  address: string
  folder: string
  client: ApiClient
}

/** Starts the real service as a process, with one worker, over a folder of the test's own, until the test ends. */
export async function serveFolder(folder: string, ...words: string[]): Promise<Served> {
  const service = await startEspalier('serve', '--folder', folder, '--port', '0', '--workers', '1', ...words)
  const address = String(service.first.address)
  const stopping = new AbortController()
  onTestFinished(() => stopping.abort())
  return {
    service,
    address,
    folder,
    client: openClient({ address, fetcher: fetch, signal: stopping.signal }),
  }
}

export async function serveExamples(...words: string[]): Promise<Served & { examples: Examples }> {
  const { folder: played, examples } = inject('played')
  const folder = await temporaryFolder()
  await cp(played, folder, { recursive: true })
  return { ...(await serveFolder(folder, ...words)), examples }
}

export type SharedExamples = Pick<Served, 'address' | 'client'> & { examples: Examples }

/** The examples on the service that all tests share: for tests that change nothing. */
export function sharedExamples(): SharedExamples {
  const address = inject('shown')
  const { examples } = inject('played')
  const { signal } = new AbortController()
  return { address, client: openClient({ address, fetcher: fetch, signal }), examples }
}
