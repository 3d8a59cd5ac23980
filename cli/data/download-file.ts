import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { outboundFetch } from '../../shared/core/outbound/outbound-fetch.ts'
import { CommandError } from '../command-error.ts'

export interface Download {
  readonly name: string
  readonly url: string
  readonly sha256: string | null
}

export interface DownloadNeeds {
  folder: string
  signal: AbortSignal
  advice: string
  /** @param total null if the server does not send it */
  onProgress(bytes: number, total: number | null): void
}

/**
 * Downloads a file into a folder. The file gets its name only when complete and, if its SHA-256 is known, checked. A
 * later call resumes an interrupted download.
 * @returns its path
 */
export async function downloadFile(download: Download, needs: DownloadNeeds): Promise<string> {
  const path = join(needs.folder, basename(download.name))
  const partial = `${path}.partial`
  await mkdir(needs.folder, { recursive: true })
  if ((await sizeOf(path)) > 0) return path
  await fetchInto(partial, download, needs)
  if (download.sha256 !== null && (await sha256Of(partial)) !== download.sha256) {
    await rm(partial, { force: true })
    throw new CommandError(
      'digest_differs',
      `${download.url} is not the file that it should be: its SHA-256 differs. Try again; if it stays so, the file was changed there.`,
    )
  }
  await rename(partial, path)
  return path
}

async function fetchInto(partial: string, download: Download, needs: DownloadNeeds): Promise<void> {
  const { signal, onProgress } = needs
  const begun = await sizeOf(partial)
  const response = await send(download, begun, needs)
  if (response.status === 416) {
    // The partial file is complete or too large.
    await rm(partial, { force: true })
    return fetchInto(partial, download, needs)
  }
  if (!response.ok || response.body === null) {
    throw cannotFetch(download, needs, `the server answered ${response.status}`)
  }
  const start = response.status === 206 ? begun : 0
  const length = Number(response.headers.get('content-length') ?? Number.NaN)
  const total = Number.isFinite(length) ? start + length : null
  let bytes = start
  try {
    await pipeline(
      Readable.fromWeb(response.body),
      async function* count(chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          bytes += chunk.byteLength
          onProgress(bytes, total)
          yield chunk
        }
      },
      createWriteStream(partial, { flags: start > 0 ? 'a' : 'w' }),
      { signal },
    )
  } catch (error) {
    signal.throwIfAborted()
    throw cannotFetch(download, needs, `it broke off after ${bytes} bytes: ${reasonOf(error)}`)
  }
}

async function send(download: Download, begun: number, needs: DownloadNeeds): Promise<Response> {
  const headers = begun > 0 ? { range: `bytes=${begun}-` } : {}
  try {
    return await outboundFetch(download.url, { headers, signal: needs.signal })
  } catch (error) {
    needs.signal.throwIfAborted()
    throw cannotFetch(download, needs, reasonOf(error))
  }
}

function cannotFetch({ url }: Download, { advice }: DownloadNeeds, reason: string): CommandError {
  return new CommandError('not_fetched', `${url} cannot be fetched (${reason}). ${advice}`)
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.message
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0
    throw error
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array)
  return hash.digest('hex')
}
