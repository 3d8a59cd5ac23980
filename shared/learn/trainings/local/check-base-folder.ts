import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EspalierError } from '../../../core/contracts/errors.ts'
import { type JsonObject, jsonObjectSchema } from '../../../core/contracts/json.ts'
import type { TrainerJob } from '../trainer.ts'

/**
 * Checks a model's folder without loading the model: its files, chat template, end token and context. The trainer
 * measures rows with the tokenizer when it starts, before it loads the weights.
 *
 * @returns warnings for the user
 * @throws EspalierError `invalid_request`, naming the field
 */
export async function checkBaseFolder(
  folder: string,
  { recipe, hyperparameters }: Pick<TrainerJob, 'recipe' | 'hyperparameters'>,
): Promise<string[]> {
  const configuration = await readJson(join(folder, 'config.json'))
  if (configuration === null) {
    throw refused('base.folder', `${folder} holds no model: it has no config.json that can be read.`)
  }
  const tokenizer = await readJson(join(folder, 'tokenizer_config.json'))
  if (tokenizer === null) {
    throw refused('base.folder', `${folder} has no tokenizer: tokenizer_config.json is missing.`)
  }
  const template =
    typeof tokenizer.chat_template === 'string' || (await hasFile(folder, 'chat_template.jinja'))
  if (recipe !== 'prm' && !template && !Array.isArray(tokenizer.chat_template)) {
    throw refused('base.folder', `The model in ${folder} has no chat template. Add chat_template.jinja.`)
  }
  if (tokenizer.eos_token === undefined || tokenizer.eos_token === null) {
    throw refused(
      'base.folder',
      `The tokenizer in ${folder} has no end token: set eos_token in tokenizer_config.json.`,
    )
  }
  const context = contextOf(configuration)
  const wanted = hyperparameters.max_length
  if (typeof wanted === 'number' && context !== null && wanted > context) {
    throw refused(
      'hyperparameters.max_length',
      `It is ${wanted}, and the base reads ${context} tokens at most. Set it to ${context} or less, or to null.`,
    )
  }
  return context === null ? ['The base does not say how long its context is.'] : []
}

function contextOf(configuration: JsonObject): number | null {
  const { text_config } = configuration
  const inner =
    typeof text_config === 'object' && text_config !== null ? (text_config as JsonObject) : configuration
  const length = inner.max_position_embeddings
  return typeof length === 'number' ? length : null
}

async function readJson(path: string): Promise<JsonObject | null> {
  try {
    return jsonObjectSchema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return null
  }
}

async function hasFile(folder: string, name: string): Promise<boolean> {
  return readFile(join(folder, name)).then(
    () => true,
    () => false,
  )
}

function refused(param: string, message: string): EspalierError {
  return new EspalierError('invalid_request', message, { param })
}
