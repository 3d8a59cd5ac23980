import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { downloadDataset } from '../../cli/download-dataset.ts'
import { ApiError } from '../../shared/core/client/api-error.ts'
import type { SignedFile } from '../../shared/core/client/build-calls.ts'
import { toList } from '../../shared/core/contracts/list.ts'

function signed(name: string, content: string | Buffer): SignedFile {
  const sha256 = createHash('sha256').update(content).digest('hex')
  const bytes = content.length
  return { id: name, name, rows: 1, bytes, sha256, url: `/files/${name}`, expires_at: '2026-01-01T00:00:00Z' }
}

function clientWith(files: SignedFile[], served: string | Buffer) {
  return {
    datasetFiles: async () => ({
      object: 'list' as const,
      data: files,
      has_more: false,
      first_id: null,
      last_id: null,
    }),
    download: async () => new Response(new Uint8Array(Buffer.from(served))),
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

  it('puts pictures into their folder under the names that rows have, and nothing else there', async () => {
    const picture = signed('images/x.png', 'pixels')
    const name = `images/${picture.sha256}.png`
    const files = [{ ...picture, id: name, name }, signed('images/../../out.png', 'pixels')]
    const paths = await downloadDataset(clientWith(files, 'pixels'), 'd', folder)
    expect(paths.toSorted()).toEqual([join(folder, name), join(folder, 'out.png')].toSorted())
    const other = clientWith([{ ...picture, id: name, name }], 'other pixels')
    await expect(downloadDataset(other, 'd', folder)).rejects.toThrow('its SHA-256 differs')
  })

  it('unpacks data files where it is asked to, and nothing else, after checking what is stored', async () => {
    const packed = gzipSync('rows')
    const files = ['data-00001.jsonl.gz', 'lineage-00001.jsonl.gz'].map((name) => signed(name, packed))
    const paths = await downloadDataset(clientWith(files, packed), 'd', folder, { unpack: true })
    expect(paths.map((path) => basename(path))).toEqual(['data-00001.jsonl', 'lineage-00001.jsonl.gz'])
    expect(await readFile(join(folder, 'data-00001.jsonl'), 'utf8')).toBe('rows')
    expect(await readFile(join(folder, 'lineage-00001.jsonl.gz'))).toEqual(packed)
  })

  it.each(['other rows', gzipSync('other rows')])(
    'unpacks nothing that is not what it should be',
    async (served) => {
      const client = clientWith([signed('train-00001.jsonl.gz', gzipSync('rows'))], served)
      await expect(downloadDataset(client, 'd', folder, { unpack: true })).rejects.toThrow(
        'its SHA-256 differs',
      )
      expect(await readdir(folder)).toEqual([])
    },
  )

  it('follows the list of files to its last page', async () => {
    const names = ['data-00001.jsonl.gz', 'data-00002.jsonl.gz', 'manifest.json']
    const asked: unknown[] = []
    const client = {
      ...clientWith([], 'rows'),
      async datasetFiles(_dataset: string, { after }: { after?: string | undefined }) {
        asked.push(after)
        const at = after === undefined ? 0 : names.indexOf(after) + 1
        const name = names[at] ?? ''
        return toList([signed(name, 'rows')], at < names.length - 1)
      },
    }
    const paths = await downloadDataset(client, 'd', folder)
    expect(paths.map((path) => basename(path))).toEqual(names)
    expect(asked).toEqual([undefined, ...names.slice(0, 2)])
  })

  it('asks for other addresses if its own expire, and gives up if those are refused too', async () => {
    const pictures = ['a', 'b', 'c'].map((text) => `images/${signed('', text).sha256}.png`)
    const texts = new Map(pictures.map((name, place) => [name, 'abc'[place] as string]))
    const names = ['data-00001.jsonl.gz', 'data-00002.jsonl.gz', 'manifest.json', ...pictures]
    let lists = 0
    const client = (valid: (list: string) => boolean) => ({
      datasetFiles: async () => {
        lists += 1
        return toList(
          names.map((name) => ({
            ...signed(name, texts.get(name) ?? name),
            url: `/files/${name}?list=${lists}`,
          })),
          false,
        )
      },
      async download(url: string) {
        const [path = '', list = ''] = url.split('?list=')
        const name = path.slice('/files/'.length)
        if (valid(list)) return new Response(texts.get(name) ?? name)
        throw new ApiError(403, {
          type: 'permission_error',
          code: 'invalid_signature',
          message: 'This address cannot be used: it has expired.',
          param: null,
        })
      },
    })
    let used = 0
    const paths = await downloadDataset(
      client((list) => list === '2' || used++ === 0),
      'd',
      folder,
    )
    expect(paths.map((path) => basename(path))).toEqual(names.map((name) => basename(name)))
    expect(lists).toBe(2)
    // The addresses expire when all pictures are in flight.
    const inFlight = Promise.withResolvers<void>()
    let asked = 0
    const expiring = client((list) => list === '4' || asked === 0)
    await downloadDataset(
      {
        ...expiring,
        async download(url) {
          if (url.startsWith('/files/images/') && url.endsWith('=3')) {
            asked += 1
            if (asked === pictures.length) inFlight.resolve()
            await inFlight.promise
          }
          return expiring.download(url)
        },
      },
      'd',
      join(folder, 'pictures'),
    )
    expect(lists).toBe(4)
    const refused = downloadDataset(
      client(() => false),
      'd',
      join(folder, 'other'),
    )
    await expect(refused).rejects.toThrow('it has expired')
  })
})
