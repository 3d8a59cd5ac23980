import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { putPages, removePages } from '../../functions/put-pages/put-pages.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { makeTestResources, type TestResources } from './aws-test-resources.ts'

const week = 7 * 86_400_000
const client = new S3Client()
let resources: TestResources
let bucket: string

beforeAll(async () => {
  resources = await makeTestResources()
  bucket = resources.options.bucket
})
afterAll(() => resources.remove())

async function keys(): Promise<(string | undefined)[]> {
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }))
  return Contents.map(({ Key }) => Key).sort()
}

test('pages are put with their types and times; older ones stay for a week; all go with the stage', async () => {
  const folder = await temporaryFolder()
  const write = async (name: string) => writeFile(join(folder, name), name)
  await mkdir(join(folder, 'assets'))
  for (const name of ['index.html', 'theme.js', 'assets/index-1.js', 'assets/index-1.css']) await write(name)
  await putPages(client, { folder, bucket, now: Date.now() })
  expect(await keys()).toEqual(['assets/index-1.css', 'assets/index-1.js', 'index.html', 'theme.js'])
  const page = await client.send(new GetObjectCommand({ Bucket: bucket, Key: 'index.html' }))
  expect(page).toMatchObject({ ContentType: 'text/html; charset=utf-8', CacheControl: 'no-cache' })
  const asset = await client.send(new GetObjectCommand({ Bucket: bucket, Key: 'assets/index-1.css' }))
  expect(asset.ContentType).toBe('text/css; charset=utf-8')
  expect(asset.CacheControl).toContain('immutable')

  await rm(join(folder, 'assets/index-1.js'))
  await write('assets/index-2.js')
  await putPages(client, { folder, bucket, now: Date.now() + week / 2 })
  expect(await keys()).toContain('assets/index-1.js')
  await putPages(client, { folder, bucket, now: Date.now() + 2 * week })
  expect(await keys()).toEqual(['assets/index-1.css', 'assets/index-2.js', 'index.html', 'theme.js'])

  await removePages(client, bucket)
  expect(await keys()).toEqual([])
})

test('a folder without a page changes nothing', async () => {
  const folder = await temporaryFolder()
  await expect(putPages(client, { folder, bucket, now: Date.now() })).rejects.toThrow('holds no dashboard')
})
