import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

const modelFile =
  /^(config|generation_config|adapter_config|adapter_model|model|pytorch_model|tokenizer|special_tokens|vocab|merges|added_tokens|chat_template|preprocessor_config|processor_config|spiece)/
const weights = /\.safetensors$/

export interface FoundModel {
  folder: string
  format: 'safetensors' | 'adapter'
  names: string[]
}

export async function findModel(output: string, said: string | null): Promise<FoundModel | null> {
  const places =
    said === null || said === output ? [join(output, 'model'), join(output, 'merged'), output] : [said]
  for (const folder of places) {
    if (!existsSync(folder)) continue
    const entries = await readdir(folder, { withFileTypes: true })
    const names = entries
      .filter((entry) => entry.isFile() && modelFile.test(entry.name) && !/\.(bin|pt|pth)$/.test(entry.name))
      .map(({ name }) => name)
    if (!names.some((name) => weights.test(name))) continue
    if (names.includes('adapter_config.json')) return { folder, format: 'adapter', names }
    if (names.includes('config.json')) return { folder, format: 'safetensors', names }
  }
  return null
}
