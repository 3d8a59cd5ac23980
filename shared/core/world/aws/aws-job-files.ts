import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { StoredObject } from '../ports.ts'
import type { TrainingJobFiles } from '../training-jobs.ts'
import type { AwsConnections } from './aws-connections.ts'
import { awsCall } from './aws-error.ts'
import { AwsObjects } from './aws-objects.ts'

/** Bytes of a part of a large file: S3 takes 10,000 of them. */
const partSize = 64 * 1024 * 1024

export class AwsJobFiles implements TrainingJobFiles {
  readonly #client: () => S3Client
  readonly #bucket: string
  readonly #objects: AwsObjects

  constructor(connections: AwsConnections, bucket: string) {
    this.#client = connections.lazily((settings) => new S3Client(settings))
    this.#bucket = bucket
    this.#objects = new AwsObjects(connections, bucket)
  }

  get(key: string, range?: { start: number; end?: number }): Promise<StoredObject | null> {
    return this.#objects.get(key, range)
  }

  delete(key: string): Promise<void> {
    return this.#objects.delete(key)
  }

  async list(prefix: string): Promise<{ key: string; size: number }[]> {
    const found: { key: string; size: number }[] = []
    for (;;) {
      const after = found.at(-1)?.key
      const page = await this.#objects.list(prefix, after === undefined ? {} : { after })
      found.push(...page.objects.map(({ key, size }) => ({ key, size })))
      if (!page.more) return found
    }
  }

  async put(key: string, text: string): Promise<void> {
    await this.#objects.put(key, Buffer.from(text))
  }

  async upload(key: string, path: string): Promise<void> {
    await awsCall(this.#about(`write "${key}"`), () => {
      const params = { Bucket: this.#bucket, Key: key, Body: createReadStream(path) }
      return new Upload({ client: this.#client(), params, partSize }).done()
    })
  }

  async download(key: string, path: string): Promise<void> {
    await awsCall(this.#about(`read "${key}"`), async () => {
      const { Body } = await this.#client().send(new GetObjectCommand({ Bucket: this.#bucket, Key: key }))
      if (!(Body instanceof Readable)) throw new Error(`The object ${key} has no body.`)
      await pipeline(Body, createWriteStream(path))
    })
  }

  #about(doing: string) {
    return { doing, resource: `the bucket "${this.#bucket}"`, setting: 'trainers.json' }
  }
}
