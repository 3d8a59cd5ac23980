import { hash } from 'node:crypto'
import { stringify } from 'yaml'
import type { Dataset } from '../../core/contracts/dataset.ts'
import { findFormat } from '../formats/formats.ts'
import type { FormatFacts } from '../formats/trainer-format.ts'
import type { PlanSource } from './build/plan.ts'

const sizes = [
  [1e3, 'n<1K'],
  [1e4, '1K<n<10K'],
  [1e5, '10K<n<100K'],
  [1e6, '100K<n<1M'],
  [1e7, '1M<n<10M'],
  [1e8, '10M<n<100M'],
  [Number.POSITIVE_INFINITY, '100M<n<1B'],
] as const

/**
 * The YAML before a dataset's `README.md` (https://huggingface.co/docs/hub/datasets-cards and
 * /docs/hub/datasets-manual-configuration). It names the data files of each split, so that loaders never read lineage
 * as data, by patterns that also match uncompressed files.
 *
 * `datasets.load_dataset` caches by the folder's last name and this YAML alone (5.2.0, `load.py`), so for two folders
 * `data` it would load the first twice. The digest in `description` distinguishes them.
 */
export function cardFrontMatter({
  dataset: { request, rows, files },
  facts,
  sources,
}: {
  dataset: Pick<Dataset, 'request' | 'rows' | 'files'>
  facts: FormatFacts
  sources: readonly PlanSource[]
}): string {
  const environments = sources.flatMap(({ common }) => common?.environment ?? [])
  const data_files = Object.entries(facts.files).flatMap(([split, [first]]) =>
    first === undefined ? [] : { split, path: patternOf(first) },
  )
  const features =
    findFormat(request.format).columns?.(request.kind, facts.isPictured === true, facts.structure) ?? null
  const front = {
    pretty_name: facts.title,
    configs: [
      {
        config_name: 'default',
        description: contentOf(files),
        data_files: data_files.length === 0 ? nothing : data_files,
      },
    ],
    ...(features === null ? {} : { dataset_info: { features } }),
    task_categories: [facts.isPictured ? 'image-text-to-text' : 'text-generation'],
    tags: ['espalier', 'agents', request.kind, request.format, ...new Set(environments.toSorted())],
    size_categories: [sizes.find(([end]) => rows < end)?.[1]],
  }
  return `---\n${stringify(front, { lineWidth: 0, aliasDuplicateObjects: false })}---`
}

/** For a dataset without rows: otherwise `load_dataset` would read the manifest as one. */
const nothing = [{ split: 'train', path: 'data-*' }]

function patternOf(name: string): string {
  return name.replace(/-\d+\./, '-*.').replace(/\.gz$/, '*')
}

function contentOf(files: Dataset['files']): string {
  const digests = files.map(({ name, sha256 }) => `${sha256} ${name}\n`).join('')
  return `Rows of SHA-256 ${hash('sha256', digests, 'hex')}.`
}
