import { setTimeout as sleep } from 'node:timers/promises'
import {
  AbortMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutBucketLifecycleConfigurationCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { EspalierError } from '../../shared/core/contracts/errors.ts'

/** Batches of 1,000 in flight: S3 deletes some 3,500 objects a second below one prefix. */
const mostAtOnce = 8
const passing = new Set(['SlowDown', 'InternalError', 'ServiceUnavailable'])
const mostTries = 8

/**
 * Empties a bucket without versions, and deletes it. It may be interrupted and restarted. First it lets all objects
 * expire after a day, for nothing, so that S3 goes on where an interruption left.
 */
export async function deleteBucket(
  client: Pick<S3Client, 'send'>,
  bucket: string,
  onProgress: (objects: number) => void,
): Promise<void> {
  await expireAll(client, bucket)
  let deleted = 0
  const remove = async (keys: string[]) => {
    await deleteKeys(client, bucket, keys)
    deleted += keys.length
    onProgress(deleted)
  }
  // Functions that still ran may have written more.
  while ((await emptyOnce(client, bucket, remove)) > 0);
  await abortUploads(client, bucket)
  await client.send(new DeleteBucketCommand({ Bucket: bucket }))
}

async function expireAll(client: Pick<S3Client, 'send'>, bucket: string): Promise<void> {
  const rule = {
    ID: 'delete-all',
    Status: 'Enabled' as const,
    Filter: { Prefix: '' },
    Expiration: { Days: 1 },
    AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
  }
  const LifecycleConfiguration = { Rules: [rule] }
  await client.send(new PutBucketLifecycleConfigurationCommand({ Bucket: bucket, LifecycleConfiguration }))
}

async function emptyOnce(
  client: Pick<S3Client, 'send'>,
  bucket: string,
  remove: (keys: string[]) => Promise<void>,
): Promise<number> {
  const running = new Set<Promise<void>>()
  let [found, next]: [number, string | undefined] = [0, undefined]
  do {
    const { Contents = [], NextContinuationToken }: ListObjectsV2CommandOutput = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, ContinuationToken: next }),
    )
    next = NextContinuationToken
    found += Contents.length
    if (Contents.length === 0) continue
    while (running.size >= mostAtOnce) await Promise.race(running)
    const batch = remove(Contents.flatMap(({ Key }) => (Key === undefined ? [] : [Key])))
    running.add(batch)
    // A failure ends the loop by the next race, or at its end.
    batch.then(
      () => running.delete(batch),
      () => undefined,
    )
  } while (next !== undefined)
  await Promise.all(running)
  return found
}

async function deleteKeys(client: Pick<S3Client, 'send'>, bucket: string, keys: string[]): Promise<void> {
  let left = keys
  for (let tried = 1; left.length > 0; tried += 1) {
    const Delete = { Objects: left.map((Key) => ({ Key })), Quiet: true }
    const { Errors = [] } = await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete }))
    const lasting =
      Errors.find(({ Code = '' }) => !passing.has(Code)) ?? (tried === mostTries ? Errors[0] : null)
    if (lasting) {
      const { Key, Message, Code } = lasting
      throw new EspalierError('storage_failed', `${bucket}: ${Key}: ${Message ?? Code}`)
    }
    left = Errors.flatMap(({ Key }) => (Key === undefined ? [] : [Key]))
    if (left.length > 0) await sleep(100 * 2 ** tried)
  }
}

async function abortUploads(client: Pick<S3Client, 'send'>, bucket: string): Promise<void> {
  while (true) {
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))
    if (Uploads.length === 0) return
    for (const { Key, UploadId } of Uploads) {
      await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }))
    }
  }
}
