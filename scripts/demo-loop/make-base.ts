import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { ApiClient } from '../../shared/core/client/api-client.ts'

const run = promisify(execFile)

export interface BaseShape {
  width: number
  layers: number
  heads: number
  inner: number
  /** Steps of learning to repeat random tokens, at most: a model that copies names has to. */
  repeat_steps: number
}

export const smallShape: BaseShape = { width: 64, layers: 4, heads: 2, inner: 192, repeat_steps: 0 }

/**
 * Creates a model with random weights and a tokenizer of the words in the played episodes, without downloads.
 * @param options.python - one with transformers and tokenizers
 * @param options.runs - the source of the tokenizer's words; a bad player's runs show every refusal
 * @returns its folder, or an existing one
 */
export async function makeBase(
  client: ApiClient,
  options: { python: string; folder: string; runs: readonly string[]; seed: number; shape?: BaseShape },
): Promise<string> {
  const folder = join(options.folder, `base-${options.seed}`)
  if (existsSync(folder)) return folder
  const texts = `${folder}.texts.json`
  await writeFile(texts, JSON.stringify(await textsOf(client, options.runs)))
  const making = `${folder}.making`
  await rm(making, { recursive: true, force: true })
  const shape = JSON.stringify(options.shape ?? smallShape)
  const program = join(import.meta.dirname, 'make_base.py')
  await run(options.python, [program, texts, making, String(options.seed), shape], {
    env: { ...process.env, HF_HUB_OFFLINE: '1', TOKENIZERS_PARALLELISM: 'false' },
  })
  await rename(making, folder)
  await rm(texts)
  return folder
}

async function textsOf(client: ApiClient, runs: readonly string[]): Promise<string[]> {
  const texts = new Set<string>()
  for (const id of runs) {
    const { data } = await client.episodes(id, { limit: 1000 })
    for (const { id: episode } of data) {
      const { steps } = await client.trajectory(id, episode)
      for (const { message, observation } of steps) {
        texts.add(message)
        for (const { content } of observation?.results ?? []) texts.add(content)
      }
    }
  }
  return [...texts]
}
