import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative } from 'node:path'
import {
  DeleteObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { pageCaching, pageType } from '../../shared/core/contracts/page-headers.ts'

// Milliseconds for which files of an earlier build stay, so that open pages still find their parts after an update.
const kept = 7 * 86_400_000

/**
 * Uploads the built dashboard: assets first, then the page, so that no client gets a page with missing assets.
 * Finally removes old files of earlier builds.
 * @param now milliseconds since 1970
 */
export async function putPages(
  client: S3Client,
  place: { folder: string; bucket: string; now: number },
): Promise<void> {
  const { folder, bucket, now } = place
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const keys = files
    .filter((file) => file.isFile())
    .map((file) => relative(folder, join(file.parentPath, file.name)))
  if (!keys.includes('index.html')) throw new Error(`${folder} holds no dashboard.`)
  const others = keys.filter((key) => key !== 'index.html')
  for (const key of [...others, 'index.html']) {
    await client.send(
      new PutObjectCommand({
        Bucket: bucket,
        Key: key,
        Body: await readFile(join(folder, key)),
        ContentType: pageType(extname(key)),
        CacheControl: pageCaching(`/${key}`),
      }),
    )
  }
  const current = new Set(keys)
  await removeObjects(
    client,
    bucket,
    ({ Key = '', LastModified }) => !current.has(Key) && Number(LastModified) < now - kept,
  )
}

export function removePages(client: S3Client, bucket: string): Promise<void> {
  return removeObjects(client, bucket, () => true)
}

type StoredObject = NonNullable<ListObjectsV2CommandOutput['Contents']>[number]

async function removeObjects(
  client: S3Client,
  bucket: string,
  goes: (stored: StoredObject) => boolean,
): Promise<void> {
  let next: string | undefined
  do {
    const page: ListObjectsV2CommandOutput = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, ContinuationToken: next }),
    )
    for (const stored of page.Contents ?? []) {
      if (goes(stored)) await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: stored.Key }))
    }
    next = page.NextContinuationToken
  } while (next !== undefined)
}
