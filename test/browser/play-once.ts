import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { openClient } from '../../cli/open-client.ts'
import { loadEndpointsWith } from '../../cli/simulated-endpoint.ts'
import { openService } from '../../local/open-service.ts'
import { spawnEspalier } from '../support/espalier-process.ts'
import { startChromium } from './launch-chromium.ts'
import { type Examples, exampleModel, playExamples, prepareExamples } from './play-examples.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder with the examples, which tests copy, and what is in it. */
    played: { folder: string; examples: Examples }
    /** Where a service shows a copy of that folder. */
    shown: string
    /** Where Chromium takes connections. */
    chromium: string
  }
}

/**
 * Plays the examples once for all tests, and starts what they share: Chromium, and a service over a copy of the examples for
 * those that change nothing.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const root = await mkdtemp(join(tmpdir(), 'espalier-browser-'))
  const [folder, copy] = [join(root, 'played'), join(root, 'shown')]
  await prepareExamples(folder)
  const endpoints = await loadEndpointsWith(folder, {}, exampleModel)
  const service = await openService({ folder, port: 0, endpoints, log: () => undefined })
  const { signal } = new AbortController()
  const examples = await playExamples(
    openClient({ address: service.address, fetcher: fetch, signal }),
    folder,
  )
  await service.close({ grace: 1 })
  await cp(folder, copy, { recursive: true })
  const chromium = await startChromium()
  const words = ['serve', '--folder', copy, '--port', '0', '--workers', '1']
  const shown = await spawnEspalier(words).started.catch(async (error) => {
    await chromium.close()
    throw error
  })
  project.provide('played', { folder, examples })
  project.provide('shown', String(shown.first.address))
  project.provide('chromium', chromium.wsEndpoint())
  return async () => {
    await Promise.all([shown.end('SIGTERM'), chromium.close()])
    await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}
