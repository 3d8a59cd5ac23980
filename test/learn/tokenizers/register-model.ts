import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RegisteredModel } from '../../../shared/core/contracts/registered-model.ts'
import type { ModelRegistry } from '../../../shared/learn/registry/model-registry.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { chatTemplate, wordLevelTokenizer } from './tiny-tokenizers.ts'

/** Registers a model without weights worth the name; `null` leaves a file out. */
export async function registerModel(
  registry: ModelRegistry,
  files: {
    tokenizer?: string | null
    template?: string | null
    context?: number
    configuration?: object
  } = {},
): Promise<RegisteredModel> {
  const { tokenizer = wordLevelTokenizer(), template = chatTemplate, context = 256, configuration } = files
  const texts = {
    'model.safetensors': 'weights',
    'config.json': JSON.stringify({ max_position_embeddings: context }),
    ...(tokenizer !== null && { 'tokenizer.json': tokenizer }),
    ...(template !== null && { 'chat_template.jinja': template }),
    ...(configuration && { 'tokenizer_config.json': JSON.stringify(configuration) }),
  }
  const folder = await temporaryFolder()
  const written = Object.entries(texts).map(async ([name, text]) => {
    await writeFile(join(folder, name), text)
    return { name, path: join(folder, name) }
  })
  return registry.register({ files: await Promise.all(written) })
}
