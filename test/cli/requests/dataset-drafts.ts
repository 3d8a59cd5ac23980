import fc from 'fast-check'
import { datasetFormatSchema, datasetKindSchema } from '../../../shared/core/contracts/dataset.ts'
import type { DatasetDraft } from '../../../web/pages/new-dataset/dataset-draft.ts'

const id = fc.constantFrom('run-01-a', 'run-02-b', 'import-03-c')
const text = fc.constantFrom(
  "it's $5 `now`",
  '-x',
  '--name',
  '12',
  'true',
  'a=b',
  '\\',
  '~/x',
  'שלום',
  'two\nlines',
)
const ids = fc.uniqueArray(id, { minLength: 1 })
const drops = fc.constant('keep' as const)

/** Drafts as people fill them. */
export const drafts: fc.Arbitrary<DatasetDraft> = fc.record(
  {
    name: text,
    runs: ids,
    trajectories: ids,
    experts: ids,
    kind: fc.constantFrom(...datasetKindSchema.options),
    format: fc.constantFrom(...datasetFormatSchema.options),
    parameters: fc.dictionary(
      fc.constantFrom('margin', 'pairs', 'restore_action'),
      fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
      { minKeys: 1 },
    ),
    splits: fc.constantFrom<Record<string, number>[]>({ train: 1 }, { train: 0.9, validation: 0.1 }),
    gates: fc.record(
      {
        held_out: drops,
        duplicates: drops,
        max_tokens: fc.integer({ min: 1, max: 9999 }),
        tokenizer: fc.constant('o200k_base' as const),
        empty_turns: drops,
      },
      { requiredKeys: ['held_out'] },
    ),
    model: fc.record({ endpoint: text, id: text }, { requiredKeys: ['id'] }),
    limits: fc.record(
      { cost: fc.constantFrom(1e-9, 0.5), tokens: fc.constant(9) },
      { requiredKeys: ['cost'] },
    ),
    scores: fc.constantFrom<NonNullable<DatasetDraft['scores']>[]>(
      [{ name: 'helpful' }],
      [
        { name: 'helpful', at_least: 0.5 },
        { name: 'no-detours', at_most: 0 },
      ],
    ),
    seed: fc.nat(),
    rows_per_file: fc.integer({ min: 1, max: 1000 }),
  },
  { requiredKeys: ['runs'] },
)
