import { hash } from 'node:crypto'
import { EspalierError } from '../contracts/errors.ts'
import type { RegisteredModel } from '../contracts/registered-model.ts'
import type { TokenCounter } from '../models/token-counter.ts'
import type { ModelRegistry, TenantModels } from '../registry/model-registry.ts'
import type { SentFiles } from './tokenizer-calls.ts'
import { type TokenizerLimits, TokenizerPool } from './tokenizer-pool.ts'

/** Why the prompts of a registered model cannot be counted. */
export interface Uncountable {
  /** Ends a sentence that begins with the model, such as `has no chat template`. */
  reason: string
  /** There is a tokenizer, and it cannot be used; false: there is none. */
  isBroken: boolean
}

/** Opens counters of registered models. */
export interface TokenCounters {
  /**
   * @throws EspalierError `not_found`; `storage_failed` if its files cannot be read; `limits_exceeded` if they take too long or
   * too much memory
   */
  open(tenant: string, model: string): Promise<TokenCounter | Uncountable>
}

/** Bytes of a `tokenizer.json` that is read at most; those of 260,000 tokens have 35 MB. */
const longestTokenizer = 64 * 1024 * 1024
/** Names the special tokens that templates write. */
const configurationName = 'tokenizer_config.json'

/** Tokenizers are kept by the digests of their files: models that were trained from one another share theirs. */
export function openTokenCounters(
  registry: Pick<TenantModels, 'of'>,
  limits: TokenizerLimits = {},
): TokenCounters {
  const pool = new TokenizerPool(limits)

  function counterOf(tenant: string, found: Countable): TokenCounter & { check(): Promise<unknown> } {
    const { digest, model } = found
    const from = { tenant, model, files: () => readFiles(registry.of(tenant), found) }
    return {
      model,
      check: () => pool.call({ digest, op: 'open' }, from),
      ofText: (text) => pool.call({ digest, op: 'text', text }, from),
      ofPrompt: (messages, pictured) => pool.call({ digest, op: 'prompt', messages, pictured }, from),
    }
  }

  return {
    async open(tenant, model) {
      const found = findFiles(await registry.of(tenant).get(model))
      if ('reason' in found) return found
      const { check, ...counter } = counterOf(tenant, found)
      try {
        await check()
      } catch (error) {
        if (EspalierError.isInstance(error)) throw error
        const why = error instanceof Error ? error.message : String(error)
        return { reason: `has a tokenizer or chat template that cannot be used: ${why}`, isBroken: true }
      }
      return counter
    },
  }
}

async function readFiles(
  registry: Pick<ModelRegistry, 'readFile'>,
  { model, tokenizer, hasConfiguration, chatTemplate }: Countable,
): Promise<SentFiles> {
  const configuration = hasConfiguration
    ? Buffer.from(await registry.readFile(model, configurationName)).toString('utf8')
    : null
  return { tokenizer: await registry.readFile(model, tokenizer), configuration, chatTemplate }
}

/** The names of the files that a model is counted by. */
interface Countable {
  model: string
  tokenizer: string
  hasConfiguration: boolean
  chatTemplate: string
  /** Of all that decides a count. */
  digest: string
}

function findFiles({ chat_template, files, id, tokenizer }: RegisteredModel): Countable | Uncountable {
  if (tokenizer === null) return { reason: 'has no tokenizer.json', isBroken: false }
  if (chat_template === null) return { reason: 'has no chat template', isBroken: false }
  const file = files.find(({ name }) => name === tokenizer)
  if (file === undefined)
    return { reason: `names the tokenizer ${tokenizer}, which is not among its files`, isBroken: true }
  if (file.bytes > longestTokenizer) {
    return {
      reason: `has a tokenizer of ${file.bytes} bytes, and at most ${longestTokenizer} are read`,
      isBroken: true,
    }
  }
  const configuration = files.find(({ name }) => name === configurationName)
  const parts = [file.sha256, configuration?.sha256 ?? null, chat_template]
  return {
    model: id,
    tokenizer,
    hasConfiguration: configuration !== undefined,
    chatTemplate: chat_template,
    digest: hash('sha256', JSON.stringify(parts), 'hex'),
  }
}
