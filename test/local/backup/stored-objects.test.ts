import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { copyStored, restoreStored } from '../../../local/backup/stored-objects.ts'
import { openLocalWorld } from '../../../shared/core/world/local/open-local-world.ts'
import type { Objects } from '../../../shared/core/world/ports.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const quiet = () => undefined
const bytes = (text: string) => Buffer.from(text)

async function openObjects(): Promise<Objects> {
  const world = await openLocalWorld({ folder: join(await temporaryFolder(), 'data') })
  onTestFinished(() => world.close())
  return world.objects
}

async function contentOf(objects: Objects) {
  const { objects: infos } = await objects.list('')
  return Promise.all(
    infos.map(async ({ key }) => [key, String(Buffer.from((await objects.get(key))?.body ?? []))]),
  )
}

test('the copy has all objects of the snapshot, and those that came or changed while it was made', async () => {
  const source = await openObjects()
  const folder = await temporaryFolder()
  for (const key of ['a', 'changed', 'removed', 'one\u2028two'])
    await source.put(key, bytes(key), { content_type: 'text/plain' })
  const snapshot = async () => {
    await source.delete('removed')
    await source.put('changed', bytes('newer'))
    await source.put('new', bytes('new'))
  }
  expect(await copyStored(source, folder, snapshot, quiet)).toEqual({ count: 5, damaged: [] })
  const target = await openObjects()
  await restoreStored(target, folder, quiet)
  expect(await contentOf(target)).toEqual([
    ['a', 'a'],
    ['changed', 'newer'],
    ['new', 'new'],
    ['one\u2028two', 'one\u2028two'],
    ['removed', 'removed'],
  ])
  expect((await target.get('a'))?.content_type).toBe('text/plain')
  // Interrupted and again: the same objects may be there.
  await restoreStored(target, folder, quiet)
})

test.each([
  ['an object that the backup lacks', 'other'],
  ['another body under a key of the backup', 'a'],
])('a bucket with %s is refused', async (_, key) => {
  const source = await openObjects()
  const folder = await temporaryFolder()
  await source.put('a', bytes('a'))
  await copyStored(source, folder, async () => undefined, quiet)
  const target = await openObjects()
  await target.put(key, bytes('mine'))
  await expect(restoreStored(target, folder, quiet)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining(`"${key}" that is not of this backup`),
  })
  expect(await contentOf(target)).toEqual([[key, 'mine']])
})
