import { type Dataset, datasetRequestSchema, datasetSchema } from '../../shared/core/contracts/dataset.ts'

/** A dataset that is built, with what differs given. */
export function makeDataset(facts: Partial<Dataset> = {}): Dataset {
  return datasetSchema.parse({
    id: 'dataset-1',
    object: 'dataset',
    name: null,
    status: 'succeeded',
    error: null,
    created_at: '2026-11-21T09:00:00.000Z',
    request: datasetRequestSchema.parse({ runs: ['run-1'] }),
    progress: { phase: 'done', parts: 1, parts_done: 1 },
    annotation_run: null,
    rows: 12,
    splits: { train: { rows: 12, tasks: 5 } },
    left_out: {},
    gates: {},
    tokens: { tokenizer: 'estimate', total: 4321, longest: 900 },
    warnings: [],
    files: [{ name: 'data-00001.jsonl.gz', rows: 12, bytes: 2048, sha256: 'ab' }],
    ...facts,
  })
}
