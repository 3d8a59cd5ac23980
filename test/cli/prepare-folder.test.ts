import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { prepareFolder } from '../../cli/fetch-dataset.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const names = ['data-00001.jsonl', 'lineage-00001.jsonl.gz', 'README.md']
const next = 'espalier export --dataset dataset-1 --out FOLDER'

test('a folder is made, and may hold the same files, and files that are none of a dataset', async () => {
  const folder = join(await temporaryFolder(), 'a', 'b')
  await prepareFolder(folder, names, next)
  expect(await readdir(folder)).toEqual([])
  await writeFile(join(folder, 'data-00001.jsonl'), '')
  await writeFile(join(folder, 'notes.jsonl'), '')
  await mkdir(join(folder, 'checkpoint-500'))
  await prepareFolder(folder, names, next)
})

test.each(['data-00002.jsonl', 'data-00001.jsonl.gz', 'train-00001.parquet', 'lineage-train-00001.jsonl.gz'])(
  'rows of another dataset are not mixed in: %s',
  async (other) => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, other), '')
    await expect(prepareFolder(folder, names, next)).rejects.toThrow(
      `holds ${other}, which trainers would read too. Empty the folder, or name another: ${next}`,
    )
  },
)

test('what is no folder is said in a sentence', async () => {
  const file = join(await temporaryFolder(), 'rows')
  await writeFile(file, '')
  await expect(prepareFolder(file, names, next)).rejects.toThrow(/^Nothing can be written to .*rows: EEXIST/)
})
