import { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import { deepestJson, isDeeperThan } from '../../core/contracts/json-depth.ts'
import type { ModelFile, WeightsFormat } from '../../core/contracts/registered-model.ts'

export interface ModelFacts {
  format: WeightsFormat
  tokenizer: string | null
  chat_template: string | null
  context_length: number | null
}

/**
 * Maximum bytes of `config.json`, `tokenizer_config.json` and `chat_template.jinja`: published models have up to 1
 * MiB.
 */
const longestSettings = 8 * 1024 * 1024

const positive = z.int().positive()
/**
 * Fields of a `config.json` of Hugging Face's transformers. Models of several modalities keep the text's separately.
 */
const configurationSchema = z.looseObject({
  max_position_embeddings: positive.optional().catch(undefined),
  text_config: z
    .looseObject({ max_position_embeddings: positive.optional().catch(undefined) })
    .optional()
    .catch(undefined),
})
const tokenizerConfigurationSchema = z.looseObject({
  chat_template: z
    .union([z.string(), z.array(z.object({ name: z.string(), template: z.string() }))])
    .optional()
    .catch(undefined),
})

/**
 * Reads a model's description from a folder in the layout of Hugging Face's transformers, or from a GGUF file.
 * @param read - reads one of the files
 * @throws EspalierError `invalid_request` for files without weights, and for settings that are not JSON;
 * `limits_exceeded` for settings of more than 8 MiB
 */
export async function readModelFacts(
  files: readonly Pick<ModelFile, 'name' | 'bytes'>[],
  read: (name: string) => Promise<Uint8Array>,
): Promise<ModelFacts> {
  const names = new Map(files.map(({ name, bytes }) => [name, bytes]))
  const text = async (name: string) => {
    const bytes = names.get(name)
    if (bytes === undefined) return null
    if (bytes > longestSettings) throw tooLong(name, bytes)
    return Buffer.from(await read(name)).toString('utf8')
  }
  const json = async (name: string) => parse(name, await text(name))
  const format = formatOf([...names.keys()])
  const configuration = configurationSchema.parse(await json('config.json'))
  const { chat_template } = tokenizerConfigurationSchema.parse(await json('tokenizer_config.json'))
  return {
    format,
    tokenizer: names.has('tokenizer.json') ? 'tokenizer.json' : null,
    chat_template: (await text('chat_template.jinja')) ?? defaultTemplate(chat_template),
    context_length:
      configuration.max_position_embeddings ?? configuration.text_config?.max_position_embeddings ?? null,
  }
}

function tooLong(name: string, bytes: number): EspalierError {
  return new EspalierError(
    'limits_exceeded',
    `${name} has ${bytes} bytes, and at most ${longestSettings} are read. Leave out of it what is no setting of the model.`,
    { param: 'files' },
  )
}

function formatOf(names: readonly string[]): WeightsFormat {
  if (names.some((name) => name.endsWith('.gguf'))) return 'gguf'
  if (names.includes('adapter_config.json')) return 'adapter'
  if (names.some((name) => name.endsWith('.safetensors'))) return 'safetensors'
  throw new EspalierError(
    'invalid_request',
    'The files hold no weights: there is no .safetensors and no .gguf among them. Weights in pickle files (.bin, .pt) are not taken, because reading them runs code: save the model with save_pretrained(…, safe_serialization=True).',
    { param: 'files' },
  )
}

function defaultTemplate(template: string | { name: string; template: string }[] | undefined): string | null {
  if (template === undefined || typeof template === 'string') return template ?? null
  return (template.find(({ name }) => name === 'default') ?? template[0])?.template ?? null
}

/** @throws EspalierError `invalid_request` for a text that is no JSON object, or one that nests too deep */
function parse(name: string, text: string | null): object {
  if (text === null) return {}
  const refuse = (why: string, cause?: unknown) =>
    new EspalierError('invalid_request', `${name} of the model ${why}.`, { param: 'files', cause })
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw refuse('is not JSON', cause)
  }
  if (isDeeperThan(value, deepestJson)) throw refuse(`nests deeper than ${deepestJson} levels`)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw refuse('is no JSON object')
  return value
}
