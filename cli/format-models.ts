import { formatBytes } from '../shared/core/client/format-quantity.ts'
import type { ModelServer } from '../shared/core/contracts/model-server.ts'
import type { ModelLineage, ModelSource, RegisteredModel } from '../shared/core/contracts/registered-model.ts'
import { toLine } from './fit-text.ts'
import { formatTable } from './format-table.ts'

export function formatModels(
  models: readonly RegisteredModel[],
  servers: readonly ModelServer[],
  width: number,
): string[] {
  if (models.length === 0) return ['No registered models yet. Add one: espalier models add FOLDER']
  return formatTable(
    [
      { header: 'model' },
      { header: 'name', flexible: true },
      { header: 'format' },
      { header: 'size' },
      { header: 'endpoint' },
      { header: 'server' },
    ],
    models.map((model) => [
      model.id,
      model.name,
      model.format,
      formatBytes(model.bytes),
      model.endpoint ?? '',
      servers.find(({ id }) => id === model.id)?.state ?? '',
    ]),
    width,
  )
}

export function formatModel(model: RegisteredModel): string[] {
  const { chat_template, context_length, endpoint, files, format, id, licence, name, remote, tokenizer } =
    model
  return [
    `${id}  ${toLine(name)}`,
    remote === null
      ? `  weights    ${format}, ${formatBytes(model.bytes)} in ${files.length} files`
      : `  weights    kept by the service of the trainer "${remote.trainer}", as ${toLine(remote.name)}`,
    `  context    ${context_length === null ? 'not known' : `${context_length} tokens`}`,
    `  tokenizer  ${tokenizer ?? 'none'}${chat_template === null ? ', no chat template' : ', with a chat template'}`,
    `  licence    ${licence === null ? 'not stated' : toLine(licence)}`,
    `  endpoint   ${endpoint ?? 'not served'}`,
  ]
}

export function formatLineage({ steps, children }: ModelLineage): string[] {
  const lines = steps.flatMap(({ model, name, training, datasets, runs, base }, position) => [
    `${position === 0 ? '  made from' : `  before it  ${model}  ${toLine(name)}`}`,
    ...(training === null ? [] : [`    training  ${training}`]),
    ...(datasets.length === 0 ? [] : [`    datasets  ${datasets.join(', ')}`]),
    ...(runs.length === 0 ? [] : [`    runs      ${runs.join(', ')}`]),
    ...(base === null ? [] : [`    base      ${toLine(sourceText(base))}`]),
  ])
  return children.length === 0 ? lines : [...lines, `  parent of  ${children.join(', ')}`]
}

export function formatServer({
  address,
  endpoint,
  id,
  log_tail,
  note,
  settings,
  state,
}: ModelServer): string[] {
  const answers =
    settings.driver === 'remote'
      ? `the service at ${address} answers`
      : `its server (${settings.driver}) is ${state}${note === null ? '' : `: ${toLine(note)}`}`
  return [
    `${id} is the endpoint "${endpoint}"; ${answers}`,
    ...(state === 'failed' ? log_tail.slice(-10).map((line) => `  ${toLine(line)}`) : []),
    `Ask it: espalier run --endpoint ${endpoint} --model ${id} …`,
  ]
}

function sourceText(base: ModelSource): string {
  if ('folder' in base) return base.folder
  return base.revision === undefined ? base.hub : `${base.hub} at ${base.revision}`
}
