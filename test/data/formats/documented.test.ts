import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { datasetKindSchema } from '../../../shared/core/contracts/dataset.ts'
import { datasetFormats } from '../../../shared/data/formats/formats.ts'

test('docs/datasets.md has the table of the kinds that each format holds', async () => {
  const text = await readFile('docs/datasets.md', 'utf8')
  const kinds = datasetKindSchema.options
  const mark = (format: (typeof datasetFormats)[number]) =>
    kinds.map((kind) => (format.kinds.includes(kind) ? ' ✓ |' : ' |')).join('')
  expect(text).toContain(
    [
      `| format | ${kinds.join(' | ')} |`,
      `|---|${kinds.map(() => '---|').join('')}`,
      ...datasetFormats.map((format) => `| \`${format.id}\` |${mark(format)}`),
    ].join('\n'),
  )
})
