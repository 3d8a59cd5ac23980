import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openClient } from '../../cli/open-client.ts'
import { loadEndpointsWith } from '../../cli/simulated-endpoint.ts'
import { openService } from '../../local/open-service.ts'
import { type Examples, exampleModel, playExamples } from './play-examples.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder with the examples, which tests copy, and what is in it. */
    played: { folder: string; examples: Examples }
  }
}

let folder: string

/** Plays the examples once for all tests. */
export async function setup(project: TestProject): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'espalier-browser-'))
  const endpoints = await loadEndpointsWith(folder, {}, exampleModel)
  const service = await openService({ folder, port: 0, endpoints, log: () => undefined })
  const { signal } = new AbortController()
  const examples = await playExamples(openClient({ address: service.address, fetcher: fetch, signal }))
  await service.close({ grace: 1 })
  project.provide('played', { folder, examples })
}

export async function teardown(): Promise<void> {
  await rm(folder, { recursive: true, force: true })
}
