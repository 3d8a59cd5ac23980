import type { Dataset } from '../../core/contracts/dataset.ts'
import { type GateId, gates } from '../../core/contracts/gates.ts'
import { type LeftOutReason, leftOutReasons } from '../../core/contracts/left-out-reasons.ts'
import { provenanceNotice } from '../../core/contracts/provenance.ts'
import type { DatasetFormat, FormatFacts } from '../formats/trainer-format.ts'
import type { PlanSource } from './build/plan.ts'
import { canonicalJson } from './canonical-json.ts'
import { cardFrontMatter } from './card-front-matter.ts'
import { findKind } from './dataset-kinds.ts'

export interface CardFacts {
  dataset: Pick<
    Dataset,
    | 'request'
    | 'rows'
    | 'splits'
    | 'left_out'
    | 'gates'
    | 'tokens'
    | 'warnings'
    | 'annotation_run'
    | 'files'
    | 'mixed'
    | 'pictures'
  >
  format: DatasetFormat
  facts: FormatFacts
  sources: readonly PlanSource[]
}

/**
 * The dataset's `README.md`, with the front matter for the Hugging Face hub and `datasets.load_dataset`. It names
 * neither the dataset's id nor a date, so that the same request over the same sources yields the same text.
 */
export function datasetCard(card: CardFacts): string {
  const { dataset, sources } = card
  return `${[
    cardFrontMatter(card),
    `# ${card.facts.title.replaceAll(/\s+/g, ' ')}`,
    about(card),
    ...warnings(dataset),
    loading(card),
    `## Splits\n\n${table(
      ['split', 'tasks', 'rows'],
      Object.entries(dataset.splits).map(([split, { tasks, rows }]) => [split, String(tasks), String(rows)]),
    )}${tokens(dataset)}`,
    ...pictures(card),
    `## Where the rows come from\n\n${sourceTable(sources)}${data(sources)}${simulated(sources)}${mixedIn(dataset)}${asked(dataset)}`,
    lineage,
    `## What was left out\n\n${leftOutTable(dataset.left_out)}`,
    `## Gates\n\nEvery row passed these, in this order.\n\n${gateTable(dataset.gates)}`,
  ].join('\n\n')}\n`
}

function about({ dataset: { request, rows }, format }: CardFacts): string {
  const { id, description, source } = findKind(request.kind)
  return `${rows === 1 ? '1 row' : `${rows} rows`}.

- Kind \`${id}\`: ${sentence(description)} Source: ${sentence(source)}
- Parameters: \`${canonicalJson(request.parameters)}\`.${scores(request)}
- Format \`${format.id}\`: ${sentence(format.description)}`
}

function scores({ scores: filters = [] }: CardFacts['dataset']['request']): string {
  if (filters.length === 0) return ''
  const shown = filters.map(({ at_least = 0, at_most = 1, by, name }) => {
    return `\`${name}\`${by === undefined ? '' : ` by ${by}`} from ${at_least} to ${at_most}`
  })
  return `\n- Scores: only episodes with ${shown.join(', ')}, as they stood when the dataset was planned; the lineage has each. What is judged anew gives other rows.`
}

function sentence(text: string): string {
  return text.endsWith('.') ? text : `${text}.`
}

function warnings({ warnings: found }: CardFacts['dataset']): string[] {
  return found.length === 0
    ? []
    : [`## Warnings\n\n${found.map((warning) => `- ${warning.replaceAll(/\s+/g, ' ')}`).join('\n')}`]
}

function loading({ dataset, format, facts }: CardFacts): string {
  if (dataset.rows === 0) return '## Loading it\n\nThere are no rows. What was left out stands below.'
  const packed = format.readsGzip
    ? ''
    : 'The trainer reads no gzipped files. `espalier export` and the Python client unpack them. If you fetch the files by hand, run `gzip -d *.gz`.\n\n'
  return `## Loading it\n\n${packed}${format.usage(facts)}`
}

function tokens({ tokens: counted }: CardFacts['dataset']): string {
  return counted === null
    ? ''
    : `\n\n${counted.total} tokens in all, ${counted.longest} in the longest row, counted by \`${counted.tokenizer}\`.`
}

function pictures({ dataset: { pictures: counted, request }, format }: CardFacts): string[] {
  if (counted === undefined) return []
  const { bytes, files, left_out, rows, rows_without } = counted
  if (request.pictures === 'leave_out') {
    return [
      `## Pictures\n\n**Left out**, as the request asks: ${rows_without} of the rows lack ${left_out} pictures that their prompts may have shown. What they teach was done by a model that saw them.`,
    ]
  }
  const place = {
    files:
      'They lie in the folder `images`, each under its SHA-256, where `espalier export` puts them; `images.jsonl.gz` lists them.',
    data: 'The rows hold them as `data:` addresses.',
    columns: 'The column `images` holds them.',
  }[format.pictures?.place ?? 'files']
  return [
    `## Pictures\n\n${rows} rows show ${files} different pictures of ${bytes} bytes. A row shows what its prompt showed: the newest pictures, as many as the run’s \`max_pictures\`. ${place} Tokens of pictures are estimated by the rule of the family of the model that played; the lineage names each row’s pictures.`,
  ]
}

function sourceTable(sources: readonly PlanSource[]): string {
  return table(
    ['source', 'what it is', 'environment', 'data', 'method', 'model', 'attempts'],
    sources.map(({ id, sort, expert, common, attempts }) => [
      id,
      `${sort === 'run' ? 'run' : 'imported trajectories'}${expert ? ', as an expert' : ''}`,
      ...(common === null
        ? Array<string>(4).fill('by line')
        : [common.environment, common.data ?? 'builtin', common.method, common.model]),
      String(attempts),
    ]),
  )
}

function data(sources: readonly PlanSource[]): string {
  const notices = sources.flatMap(({ common }) => common?.provenance ?? []).map(provenanceNotice)
  return [...new Set(notices)].map((notice) => `\n\n${notice}`).join('')
}

function simulated(sources: readonly PlanSource[]): string {
  const models = sources.flatMap(({ common }) => common?.model ?? [])
  const own = [...new Set(models)].filter((model) => model.startsWith('simulated/'))
  return own.length === 0
    ? ''
    : `\n\n**${own.map((model) => `\`${model}\``).join(', ')}: simulated.** No language model wrote these answers: such rows prove plumbing, and teach nothing.`
}

function mixedIn({ request: { mix }, mixed = 0 }: CardFacts['dataset']): string {
  if (mix === undefined) return ''
  const sources = mix.trajectories.map((id) => `\`${id}\``).join(', ')
  return `\n\n${mixed} of the rows are general conversations, drawn by the seed from ${sources} to make up a share of ${mix.share}. They stand behind the rows of each split: shuffle them in training.`
}

function asked({ annotation_run }: CardFacts['dataset']): string {
  return annotation_run === null
    ? ''
    : '\n\nA model was asked about these episodes: `manifest.json` names the run that did (`annotation_run`), with its cost and its journals. The same request asks again, and a model may then answer otherwise.'
}

const lineage = `## Lineage

For every data file there is a lineage file: \`lineage-00001.jsonl.gz\` of \`data-00001…\`, \`lineage-train-00001.jsonl.gz\` of \`train-00001…\`. Its lines are in the order of the rows and say of each: the environment and the task, the run and the episode, the positions of its nodes in the episode's tree (\`origin\`; \`other\` for the rejected side, or the beginning that is revised), rewards, method, model, tokens, and the SHA-256 of the row. \`manifest.json\` holds every file's size and SHA-256, and the whole request: sent again, it gives the same files.`

function leftOutTable(leftOut: Record<string, number>): string {
  const reasons = Object.entries(leftOut)
  if (reasons.length === 0) return 'Nothing: every episode gave a row, or served one.'
  return table(
    ['reason', 'episodes', 'meaning'],
    reasons.map(([reason, count]) => [
      `\`${reason}\``,
      String(count),
      leftOutReasons[reason as LeftOutReason] ?? '',
    ]),
  )
}

function gateTable(passed: CardFacts['dataset']['gates']): string {
  return table(
    ['gate', 'found', 'dropped', 'what it finds'],
    Object.entries(passed).map(([gate, { found, dropped }]) => [
      `\`${gate}\``,
      String(found),
      String(dropped),
      gates[gate as GateId] ?? '',
    ]),
  )
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
