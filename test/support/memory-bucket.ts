import { readFile, writeFile } from 'node:fs/promises'
import type { StoredObject } from '../../shared/core/world/ports.ts'
import type { TrainingJobFiles } from '../../shared/core/world/training-jobs.ts'

/** A bucket in memory. */
export class MemoryBucket implements TrainingJobFiles {
  readonly objects = new Map<string, Buffer>()
  /** Objects that were sent from files, in order. */
  readonly uploads: string[] = []

  async get(key: string, range: { start: number } = { start: 0 }): Promise<StoredObject | null> {
    const body = this.objects.get(key)
    if (body === undefined) return null
    const part = body.subarray(range.start)
    return { key, size: body.length, etag: 'etag', content_type: null, body: part }
  }

  async delete(key: string): Promise<void> {
    this.objects.delete(key)
  }

  async list(prefix: string): Promise<{ key: string; size: number }[]> {
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix)).toSorted()
    return keys.map((key) => ({ key, size: this.objects.get(key)?.length ?? 0 }))
  }

  async put(key: string, text: string): Promise<void> {
    this.objects.set(key, Buffer.from(text))
  }

  async upload(key: string, path: string): Promise<void> {
    this.uploads.push(key)
    this.objects.set(key, await readFile(path))
  }

  async download(key: string, path: string): Promise<void> {
    const body = this.objects.get(key)
    if (body === undefined) throw new Error(`There is no object ${key}.`)
    await writeFile(path, body)
  }

  append(key: string, text: string): void {
    this.objects.set(key, Buffer.concat([this.objects.get(key) ?? Buffer.alloc(0), Buffer.from(text)]))
  }
}
