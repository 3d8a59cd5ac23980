import {
  DeleteBucketCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutBucketLifecycleConfigurationCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import { deleteBucket } from '../../infra/commands/delete-bucket.ts'

/** A bucket in memory, for throttling and overlap, which the emulators do not show. */
function openBucket(objects: number, errorOf: (key: string, tries: number) => string | null = () => null) {
  const keys = new Map(Array.from({ length: objects }, (_, index) => [`key-${10_000_000 + index}`, 0]))
  const did = { deletes: 0, most: 0, running: 0, expires: false, gone: false }
  const listed: string[][] = []
  async function send(command: object): Promise<object> {
    if (command instanceof PutBucketLifecycleConfigurationCommand) {
      did.expires = command.input.LifecycleConfiguration?.Rules?.[0]?.Expiration?.Days === 1
      return {}
    }
    if (command instanceof ListObjectsV2Command) {
      const after = command.input.ContinuationToken ?? ''
      const page = [...keys.keys()].filter((key) => key > after).slice(0, 1000)
      listed.push(page)
      const last = page.at(-1)
      const more = page.length === 1000
      return { Contents: page.map((Key) => ({ Key })), ...(more && { NextContinuationToken: last }) }
    }
    if (command instanceof DeleteObjectsCommand) {
      did.deletes += 1
      did.running += 1
      did.most = Math.max(did.most, did.running)
      await new Promise((resolve) => setImmediate(resolve))
      did.running -= 1
      const Errors = []
      for (const { Key = '' } of command.input.Delete?.Objects ?? []) {
        const tries = (keys.get(Key) ?? 0) + 1
        keys.set(Key, tries)
        const Code = errorOf(Key, tries)
        if (Code === null) keys.delete(Key)
        else Errors.push({ Key, Code })
      }
      return { Errors }
    }
    if (command instanceof ListMultipartUploadsCommand) return {}
    if (command instanceof DeleteBucketCommand) {
      expect(keys.size).toBe(0)
      did.gone = true
      return {}
    }
    throw new Error(`Unexpected: ${command.constructor.name}`)
  }
  return { client: { send } as unknown as Pick<S3Client, 'send'>, did, keys }
}

test('batches are deleted side by side, a bounded number of them, and the bucket with the last', async () => {
  const { client, did } = openBucket(30_500)
  const seen: number[] = []
  await deleteBucket(client, 'the-bucket', (objects) => seen.push(objects))
  expect(did).toMatchObject({ deletes: 31, expires: true, gone: true })
  expect(did.most).toBeGreaterThan(1)
  expect(did.most).toBeLessThanOrEqual(8)
  expect(seen.at(-1)).toBe(30_500)
})

test('throttled keys are deleted again, and no others', async () => {
  const { client, did } = openBucket(1500, (key, tries) =>
    key.endsWith('7') && tries < 3 ? 'SlowDown' : null,
  )
  await deleteBucket(client, 'the-bucket', () => undefined)
  expect(did).toMatchObject({ deletes: 6, gone: true })
})

test('a refusal ends it with the key, and the bucket stays', async () => {
  const { client, did, keys } = openBucket(2500, (key) => (key === 'key-10001234' ? 'AccessDenied' : null))
  await expect(deleteBucket(client, 'the-bucket', () => undefined)).rejects.toThrow(
    /the-bucket: key-10001234: AccessDenied/,
  )
  expect(did.gone).toBe(false)
  expect(keys.has('key-10001234')).toBe(true)
})
