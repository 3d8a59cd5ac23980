import {
  AbortMultipartUploadCommand,
  DeleteBucketCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  type S3Client,
} from '@aws-sdk/client-s3'
import { EspalierError } from '../../shared/core/contracts/errors.ts'

/** Empties a bucket without versions, and deletes it. It may be interrupted and restarted. */
export async function deleteBucket(
  client: S3Client,
  bucket: string,
  onProgress: (objects: number) => void,
): Promise<void> {
  let deleted = 0
  while (true) {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }))
    if (Contents.length === 0) break
    const Objects = Contents.map(({ Key }) => ({ Key }))
    const { Errors = [] } = await client.send(
      new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
    )
    const [failed] = Errors
    if (failed !== undefined) {
      throw new EspalierError('storage_failed', `${bucket}: ${failed.Key}: ${failed.Message ?? failed.Code}`)
    }
    deleted += Objects.length
    onProgress(deleted)
  }
  while (true) {
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket: bucket }))
    if (Uploads.length === 0) break
    for (const { Key, UploadId } of Uploads) {
      await client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId }))
    }
  }
  await client.send(new DeleteBucketCommand({ Bucket: bucket }))
}
