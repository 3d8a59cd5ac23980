import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AwsConnections } from '../../shared/core/world/aws/aws-connections.ts'
import { AwsJobFiles } from '../../shared/core/world/aws/aws-job-files.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type AwsTestWorld, openAwsTestWorld } from './aws-test-world.ts'

let opened: AwsTestWorld
let connections: AwsConnections
let files: AwsJobFiles

beforeAll(async () => {
  opened = await openAwsTestWorld()
  connections = new AwsConnections()
  files = new AwsJobFiles(connections, opened.options.bucket)
})

afterAll(async () => {
  await connections.close()
  await opened.dispose()
})

test('a file goes to the bucket and comes back, and only what is new of one that grows is read', async () => {
  const folder = await temporaryFolder()
  const body = Buffer.alloc(3_000_000, 'weights')
  await writeFile(join(folder, 'sent'), body)
  await files.upload('jobs/one/model.safetensors', join(folder, 'sent'))
  await files.download('jobs/one/model.safetensors', join(folder, 'fetched'))
  expect(Buffer.compare(await readFile(join(folder, 'fetched')), body)).toBe(0)
  await files.put('jobs/one/progress.jsonl', 'first\n')
  await files.put('jobs/one/progress.jsonl', 'first\nsecond\n')
  const rest = await files.get('jobs/one/progress.jsonl', { start: 6 })
  expect([Buffer.from(rest?.body ?? []).toString(), rest?.size]).toEqual(['second\n', 13])
  expect((await files.get('jobs/one/progress.jsonl', { start: 13 }))?.body).toHaveLength(0)
})

test('every file below a prefix is listed, and one that is not there is none', async () => {
  for (const name of ['a', 'b', 'c/d']) await files.put(`jobs/two/${name}`, name)
  await files.put('jobs/twofold', 'other')
  expect(await files.list('jobs/two/')).toEqual([
    { key: 'jobs/two/a', size: 1 },
    { key: 'jobs/two/b', size: 1 },
    { key: 'jobs/two/c/d', size: 3 },
  ])
  await files.delete('jobs/two/a')
  await files.delete('jobs/two/a')
  expect(await files.get('jobs/two/a')).toBeNull()
  expect(await files.list('jobs/none/')).toEqual([])
})
