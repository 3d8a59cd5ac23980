import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SignedFile } from '../../cli/api-client.ts'
import { downloadDataset } from '../../cli/download-dataset.ts'

function signed(name: string, content: string): SignedFile {
  const sha256 = createHash('sha256').update(content).digest('hex')
  const bytes = content.length
  return { id: name, name, rows: 1, bytes, sha256, url: `/files/${name}`, expires_at: '2026-01-01T00:00:00Z' }
}

function clientWith(files: SignedFile[], served: string) {
  return {
    datasetFiles: async () => ({
      object: 'list' as const,
      data: files,
      has_more: false,
      first_id: null,
      last_id: null,
    }),
    download: async () => new Response(served),
  }
}

describe('downloadDataset', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'espalier-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('writes every file under its name', async () => {
    const paths = await downloadDataset(
      clientWith([signed('data-00001.jsonl.gz', 'rows')], 'rows'),
      'd',
      folder,
    )
    expect(paths).toEqual([join(folder, 'data-00001.jsonl.gz')])
    expect(await readFile(join(folder, 'data-00001.jsonl.gz'), 'utf8')).toBe('rows')
  })

  it('leaves nothing of a file that is not what it should be', async () => {
    const client = clientWith([signed('manifest.json', 'rows')], 'other rows')
    await expect(downloadDataset(client, 'd', folder)).rejects.toThrow('its SHA-256 differs')
    expect(await readdir(folder)).toEqual([])
  })

  it('writes nowhere but in the folder', async () => {
    const paths = await downloadDataset(clientWith([signed('../../out', 'rows')], 'rows'), 'd', folder)
    expect(paths).toEqual([join(folder, 'out')])
  })
})
