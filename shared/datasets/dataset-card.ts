import type { DatasetRequest } from '../contracts/dataset.ts'
import type { Run } from '../contracts/run.ts'
import { type LeftOutReason, leftOutReasons } from './select-episode.ts'

/** Upper ends of the size categories that the Hugging Face hub knows. */
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
 * The dataset's `README.md`, with the front matter that the Hugging Face hub and `datasets.load_dataset` read. It names
 * neither the dataset's id nor a date, so that the same request over the same runs gives the same text.
 */
export function datasetCard(facts: {
  request: DatasetRequest
  rows: number
  leftOut: Record<string, number>
  sources: Run[]
}): string {
  const { request, rows, leftOut, sources } = facts
  const title = request.name ?? `Espalier ${request.kind} rows`
  return `${[
    frontMatter(title, facts),
    `# ${title.replaceAll(/\s+/g, ' ')}`,
    `${rows === 1 ? '1 row' : `${rows} rows`} of kind \`${request.kind}\` in the format \`${request.format}\`, ${chosen(request)}. Each line of a data file is one conversation, \`messages\` of \`role\` and \`content\`, that ends on an answer of the model.`,
    rows === 0
      ? 'There are no rows: no episode of these runs was chosen. What was left out stands below.'
      : loading,
    `## Where the rows come from\n\n${table(
      ['run', 'environment', 'data', 'method', 'model'],
      sources.map(({ id, request: { environment, data = 'builtin', method, model } }) => [
        id,
        environment,
        data,
        method.id,
        `${model.endpoint}/${model.id}`,
      ]),
    )}\n\nLine by line, \`lineage-00001.jsonl.gz\` says of \`data-00001.jsonl.gz\` (and so on for every number) which run, episode and task a row is from, its reward, and the positions of its nodes in the episode's tree. \`manifest.json\` holds every file's size and SHA-256.`,
    `## What was left out\n\n${leftOutTable(leftOut)}`,
  ].join('\n\n')}\n`
}

const loading = `## Loading it

\`\`\`python
from datasets import load_dataset

rows = load_dataset("path/to/this/folder", split="train")
\`\`\`

For fine-tuning at OpenAI, which takes plain JSONL:

\`\`\`sh
gzip -dc data-*.jsonl.gz > train.jsonl
\`\`\``

function chosen(request: DatasetRequest): string {
  return request.min_reward === undefined
    ? 'from the episodes that solved their task'
    : `from the episodes with a reward of at least ${request.min_reward}`
}

function frontMatter(
  title: string,
  { request, rows, sources }: { request: DatasetRequest; rows: number; sources: Run[] },
): string {
  const environments = [...new Set(sources.map((run) => run.request.environment))].toSorted()
  const configs =
    rows === 0
      ? []
      : [
          'configs:',
          '- config_name: default',
          '  data_files:',
          '  - split: train',
          '    path: data-*.jsonl.gz',
        ]
  return [
    '---',
    `pretty_name: ${JSON.stringify(title)}`,
    ...configs,
    'task_categories:',
    '- text-generation',
    'tags:',
    ...['espalier', 'agents', request.kind, ...environments].map((tag) => `- ${JSON.stringify(tag)}`),
    'size_categories:',
    `- ${sizes.find(([end]) => rows < end)?.[1]}`,
    '---',
  ].join('\n')
}

function leftOutTable(leftOut: Record<string, number>): string {
  const reasons = Object.entries(leftOut)
  if (reasons.length === 0) return 'Nothing: every episode gave a row.'
  return table(
    ['reason', 'episodes', 'meaning'],
    reasons.map(([reason, count]) => [
      `\`${reason}\``,
      String(count),
      leftOutReasons[reason as LeftOutReason] ?? '',
    ]),
  )
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
