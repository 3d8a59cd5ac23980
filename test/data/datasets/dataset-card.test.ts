import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type DatasetKindId, datasetRequestSchema } from '../../../shared/core/contracts/dataset.ts'
import type { Provenance } from '../../../shared/core/contracts/provenance.ts'
import { type CardFacts, datasetCard } from '../../../shared/data/datasets/dataset-card.ts'
import { datasetFormats, findFormat } from '../../../shared/data/formats/formats.ts'
import { write } from '../formats/sample-rows.ts'

const common = { environment: 'textcraft', data: null, method: 'mcts', model: 'openai/gpt-5-mini', seed: 0 }
const run = { id: 'run_1', sort: 'run' as const, expert: false, common, attempts: 3 }

function card(
  kind: DatasetKindId,
  format: string,
  rest: Partial<CardFacts['dataset']> = {},
  sources: CardFacts['sources'] = [run],
): string {
  const title = rest.request?.name ?? 'Rows'
  const files = {
    train: ['train-00001.jsonl.gz', 'train-00002.jsonl.gz'],
    validation: ['validation-00001.jsonl.gz'],
  }
  const rows = rest.rows ?? 12_000
  return datasetCard({
    dataset: {
      request: datasetRequestSchema.parse({ runs: ['run_1'], kind, format }),
      rows,
      splits: { train: { rows: 11_000, tasks: 90 }, validation: { rows: 1_000, tasks: 10 } },
      left_out: { failed: 4 },
      gates: { duplicates: { found: 2, dropped: 1 } },
      tokens: { tokenizer: 'estimate', total: 120_000, longest: 700 },
      warnings: [],
      annotation_run: null,
      files: [{ name: 'train-00001.jsonl.gz', rows, bytes: 1, sha256: 'a'.repeat(64) }],
      ...rest,
    },
    format: findFormat(format),
    facts: { kind, title, files: rows === 0 ? {} : files, rows },
    sources,
  })
}

function frontMatter(text: string): Record<string, unknown> {
  return parse(/^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? '') as Record<string, unknown>
}

describe('the front matter', () => {
  test('names the data files of each split, packed or not, and nothing else', () => {
    expect(frontMatter(card('sft', 'trl'))).toEqual({
      pretty_name: 'Rows',
      configs: [
        {
          config_name: 'default',
          description: expect.stringMatching(/^Rows of SHA-256 [0-9a-f]{64}\.$/),
          data_files: [
            { split: 'train', path: 'train-*.jsonl*' },
            { split: 'validation', path: 'validation-*.jsonl*' },
          ],
        },
      ],
      task_categories: ['text-generation'],
      tags: ['espalier', 'agents', 'sft', 'trl', 'textcraft'],
      size_categories: ['10K<n<100K'],
    })
  })

  test('differs for datasets that differ in a byte, because load_dataset caches by it', () => {
    const files = [{ name: 'train-00001.jsonl.gz', rows: 1, bytes: 1, sha256: 'b'.repeat(64) }]
    expect(frontMatter(card('sft', 'trl', { files })).configs).not.toEqual(
      frontMatter(card('sft', 'trl')).configs,
    )
  })

  test('names the types of columns that the first rows do not determine', () => {
    const columnsOf = (kind: DatasetKindId, format: string) =>
      (frontMatter(card(kind, format)).dataset_info as { features: { name: string }[] } | undefined)?.features
    expect(columnsOf('process-reward', 'trl')).toContainEqual({ name: 'values', list: 'float64' })
    expect(columnsOf('sft', 'trl')).toBeUndefined()
    for (const { id, kinds } of datasetFormats) {
      for (const kind of kinds) {
        const named = columnsOf(kind, id)?.map(({ name }) => name)
        if (named !== undefined) expect(named).toEqual(Object.keys(write(id, kind)))
      }
    }
  })

  test('survives any name', () => {
    const name = 'a: "b" # {c}\n--- d'
    const request = datasetRequestSchema.parse({ runs: ['run_1'], name })
    const text = card('sft', 'openai', { request })
    expect(frontMatter(text).pretty_name).toBe(name)
    expect(text).toContain('\n# a: "b" # {c} --- d\n')
  })

  test('has no files where there are no rows', () => {
    const text = card('sft', 'trl', { rows: 0, splits: { train: { rows: 0, tasks: 0 } } })
    // The manifest is never taken for data.
    expect(frontMatter(text).configs).toMatchObject([{ data_files: [{ split: 'train', path: 'data-*' }] }])
    expect(text).toContain('There are no rows.')
    expect(text).not.toContain('load_dataset(')
  })
})

describe('the text', () => {
  test('says what was left out, what the gates found, and the tokens', () => {
    const text = card('sft', 'openai', { warnings: ['The run run_1 was still running.'] })
    expect(text).toContain('| `failed` | 4 | the task was not solved |')
    expect(text).toContain('| `duplicates` | 2 | 1 | equal to an earlier row')
    expect(text).toContain('120000 tokens in all, 700 in the longest row, counted by `estimate`.')
    expect(text).toContain('- The run run_1 was still running.')
    expect(text).toContain('| validation | 10 | 1000 |')
    expect(text).toContain('| run_1 | run | textcraft | builtin | mcts | openai/gpt-5-mini | 3 |')
  })

  test('says that data was generated, and names a pack by its digest', () => {
    const of = (provenance: Provenance) =>
      card('sft', 'openai', {}, [{ ...run, common: { ...common, provenance } }])
    expect(of({ origin: 'generated', about: 'households made for Espalier', pack: null })).toContain(
      'Generated data: households made for Espalier. These numbers do not compare with published ones.',
    )
    const pack = { name: 'json_2.1.1', digest: '0123456789abcdef' }
    expect(of({ origin: 'original', about: 'games of ALFWorld', pack })).toContain(
      'Original data: games of ALFWorld (pack "json_2.1.1", digest 0123456789abcdef).',
    )
  })

  test('names a simulated model as such, and no other', () => {
    const simulated = { ...run, common: { ...common, model: 'simulated/gardener' } }
    expect(card('sft', 'openai', {}, [simulated])).toContain('such rows prove plumbing')
    expect(card('sft', 'openai')).not.toContain('simulated')
  })

  test('says how packed files are unpacked where the trainer cannot read them', () => {
    expect(card('sft', 'openai')).toContain('gzip -d *.gz')
    expect(card('sft', 'trl')).not.toContain('gzip')
  })

  test('has the parameters in one order, whatever order they are kept in', () => {
    const requests = [
      { alpha: 0.5, beta: 0.2 },
      { beta: 0.2, alpha: 0.5 },
    ].map((parameters) => datasetRequestSchema.parse({ runs: ['run_1'], kind: 'revision', parameters }))
    const [one, other] = requests.map((request) => card('revision', 'openai', { request }))
    expect(one).toContain('"alpha":0.5')
    expect(one).toBe(other)
  })

  test('is the same for the same facts, whatever the format and the kind', () => {
    for (const { id, kinds } of datasetFormats) {
      for (const kind of kinds) {
        const text = card(kind, id)
        expect(text).toBe(card(kind, id))
        expect(text).toContain(`Kind \`${kind}\``)
        expect(text).not.toMatch(/undefined|\[object/)
      }
    }
  })
})
