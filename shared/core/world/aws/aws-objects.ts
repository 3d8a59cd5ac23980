import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { byteRange } from '../byte-range.ts'
import { checkKey } from '../check-key.ts'
import { contentDisposition } from '../content-disposition.ts'
import { damagedError } from '../damage-book.ts'
import type { ObjectInfo, Objects, PutOptions, StoredObject } from '../ports.ts'
import type { AwsConnections } from './aws-connections.ts'
import { type AwsCall, awsCall, isPassing, metadataOf, nameOf } from './aws-error.ts'
import { jitteredPause } from './jittered-pause.ts'

const longest = 7 * 24 * 3600

/**
 * An address that downloads an object as a file. It expires after a week at the latest, and with the credentials that
 * signed it: those of a function's role last for some hours.
 */
async function signObject(
  client: S3Client,
  bucket: string,
  key: string,
  { expires_in, file_name }: { expires_in: number; file_name?: string },
): Promise<{ url: string; expires_at: Date }> {
  const now = new Date(Math.floor(Date.now() / 1000) * 1000)
  const seconds = Math.max(1, Math.min(longest, Math.ceil(expires_in)))
  const command = new GetObjectCommand({
    Bucket: bucket,
    Key: key,
    ResponseContentDisposition: contentDisposition({ key, file_name: file_name ?? null }),
    ResponseCacheControl: 'private, no-store',
  })
  const url = await getSignedUrl(client, command, { expiresIn: seconds, signingDate: now })
  return { url, expires_at: new Date(now.getTime() + seconds * 1000) }
}

/** From this size on a body is uploaded in concurrent parts, so that a lost connection costs one part only. Bytes. */
const largeBody = 16 * 1024 * 1024
const partSize = 8 * 1024 * 1024
const defaultLimit = 1000
const maxPage = 1000

const maxTries = 8

type PutResult = { written: true; etag: string } | { written: false }
type Range = { start: number; end?: number }

export class AwsObjects implements Objects {
  readonly #client: () => S3Client
  readonly #bucket: string

  constructor(connections: AwsConnections, bucket: string) {
    // S3 keeps a checksum of every object, and the SDK compares each whole body with it, whatever the environment
    // says.
    this.#client = connections.lazily(
      (settings) =>
        new S3Client({
          ...settings,
          requestChecksumCalculation: 'WHEN_SUPPORTED',
          responseChecksumValidation: 'WHEN_SUPPORTED',
          // Other stores have no host name for each bucket.
          forcePathStyle: Boolean(process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL),
        }),
    )
    this.#bucket = bucket
  }

  async put(key: string, body: Uint8Array, options: PutOptions = {}): Promise<PutResult> {
    checkKey('the key of an object', key, 1024)
    for (let tries = 1; ; tries += 1) {
      try {
        const etag = await awsCall(this.#call('write', key), () => this.#write(key, body, options))
        return { written: true, etag }
      } catch (error) {
        if (isRefusal(error, options)) return { written: false }
        if (!isCollision(error) || tries === maxTries) throw error
        await jitteredPause(tries)
      }
    }
  }

  async get(key: string, range?: Range): Promise<StoredObject | null> {
    byteRange(0, range)
    for (let tries = 1; ; tries += 1) {
      try {
        return await awsCall(this.#call('read', key), () => this.#read(key, range))
      } catch (error) {
        if (isOtherBody(error))
          throw damagedError(`the object "${key}"`, 'its body is not what was written', error)
        if (!isBrokenOff(error) || tries === maxTries) throw error
        await jitteredPause(tries)
      }
    }
  }

  async head(key: string): Promise<ObjectInfo | null> {
    const found = await this.#describe(key)
    return found && { key, size: found.size, etag: found.etag }
  }

  async list(
    prefix: string,
    { after, limit = defaultLimit }: { after?: string; limit?: number } = {},
  ): Promise<{ objects: ObjectInfo[]; more: boolean }> {
    const objects: ObjectInfo[] = []
    let more = true
    for (let from = after; more && objects.length < limit; from = objects.at(-1)?.key ?? from) {
      const page = await awsCall(this.#call('list', prefix), () =>
        this.#client().send(
          new ListObjectsV2Command({
            Bucket: this.#bucket,
            Prefix: prefix,
            MaxKeys: Math.min(maxPage, limit - objects.length),
            // Keys may contain characters that XML cannot.
            EncodingType: 'url',
            ...(from !== undefined && { StartAfter: from }),
          }),
        ),
      )
      for (const { Key = '', Size = 0, ETag = '' } of page.Contents ?? []) {
        objects.push({ key: decodeURIComponent(Key.replaceAll('+', ' ')), size: Size, etag: ETag })
      }
      more = page.IsTruncated === true
    }
    return { objects, more }
  }

  async delete(key: string): Promise<void> {
    await awsCall(this.#call('delete', key), () =>
      this.#client().send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key })),
    )
  }

  async sign(
    key: string,
    options: { expires_in: number; file_name?: string },
  ): Promise<{ url: string; expires_at: Date }> {
    return awsCall(this.#call('sign', key), () => signObject(this.#client(), this.#bucket, key, options))
  }

  async #write(key: string, body: Uint8Array, options: PutOptions): Promise<string> {
    const params = {
      Bucket: this.#bucket,
      Key: key,
      Body: body,
      ...(options.content_type !== undefined && { ContentType: options.content_type }),
      ...(options.if_none_match !== undefined && { IfNoneMatch: options.if_none_match }),
      ...(options.if_match !== undefined && { IfMatch: options.if_match }),
    }
    const client = this.#client()
    if (body.byteLength < largeBody) return (await client.send(new PutObjectCommand(params))).ETag ?? ''
    // The conditions go with the last step, which creates the object; if it fails, the parts are removed.
    return (await new Upload({ client, params, partSize }).done()).ETag ?? ''
  }

  async #read(key: string, range: Range | undefined): Promise<StoredObject | null> {
    try {
      const answer = await this.#client().send(
        new GetObjectCommand({
          Bucket: this.#bucket,
          Key: key,
          ...(range !== undefined && { Range: rangeHeader(range) }),
        }),
      )
      const body = (await answer.Body?.transformToByteArray()) ?? new Uint8Array()
      const size = Number(answer.ContentRange?.split('/').at(-1) ?? body.byteLength)
      return { key, size, etag: answer.ETag ?? '', content_type: typeIn(answer.ContentType), body }
    } catch (error) {
      if (nameOf(error) === 'NoSuchKey') return null
      if (metadataOf(error).status !== 416) throw error
      const info = await this.#describe(key)
      return info && { ...info, body: new Uint8Array() }
    }
  }

  async #describe(key: string): Promise<(ObjectInfo & { content_type: string | null }) | null> {
    try {
      const answer = await awsCall(this.#call('look up', key), () =>
        this.#client().send(new HeadObjectCommand({ Bucket: this.#bucket, Key: key })),
      )
      const { ContentLength = 0, ETag = '', ContentType } = answer
      return { key, size: ContentLength, etag: ETag, content_type: typeIn(ContentType) }
    } catch (error) {
      if (nameOf(error) === 'NotFound') return null
      throw error
    }
  }

  #call(doing: string, key: string): AwsCall {
    return {
      doing: `${doing} "${key}"`,
      resource: `the bucket "${this.#bucket}"`,
      setting: 'ESPALIER_BUCKET',
    }
  }
}

function isRefusal(error: unknown, { if_match }: PutOptions): boolean {
  if (metadataOf(error).status === 412) return true
  return if_match !== undefined && nameOf(error) === 'NoSuchKey'
}

/**
 * True if another write was in flight, or an upload in parts is no longer known: a try whose answer was lost
 * completed it. Either way the write as a whole may be retried.
 */
function isCollision(error: unknown): boolean {
  return /^(ConditionalRequestConflict|OperationAborted|NoSuchUpload)$/.test(nameOf(rootOf(error)))
}

function isOtherBody(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Checksum mismatch')
}

function isBrokenOff(error: unknown): boolean {
  const root = rootOf(error)
  return isPassing(root) && typeof root === 'object' && root !== null && !('$metadata' in root)
}

function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error
}

function rangeHeader({ start, end }: Range): string {
  return start < 0 ? `bytes=${start}` : `bytes=${start}-${end ?? ''}`
}

const untyped = new Set(['application/octet-stream', 'binary/octet-stream'])

function typeIn(type: string | undefined): string | null {
  return type === undefined || untyped.has(type) ? null : type
}
