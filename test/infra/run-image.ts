import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { type ImageProgram, writeImageContext } from '../../infra/images/write-contexts.ts'
import { openLocalWorld } from '../../shared/core/world/local/open-local-world.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

export async function buildImage(image: ImageProgram): Promise<{ app: string; entry: string }> {
  const out = await temporaryFolder()
  await writeImageContext(image, out)
  const [, command = '[]'] = /^CMD (\[.+\])$/m.exec(await readFile(join(out, 'Dockerfile'), 'utf8')) ?? []
  const [program, path = ''] = JSON.parse(command) as string[]
  expect(program).toBe('node')
  return { app: join(out, 'app'), entry: join(out, 'app', path) }
}

export async function startImage(image: ImageProgram, environment: Record<string, string> = {}) {
  const { entry } = await buildImage(image)
  const world = await openLocalWorld({ folder: await temporaryFolder(), images: { image: entry } })
  onTestFinished(() => world.close())
  const { address, reason } = await world.hosts.launch({ image: 'image', token: 't', environment })
  expect(reason).toBeNull()
  return async (path: string, body?: object): Promise<Record<string, unknown>> => {
    const posted = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const answer = await fetch(`${address}${path}`, body && { ...posted, body: JSON.stringify(body) })
    return (await answer.json()) as Record<string, unknown>
  }
}
