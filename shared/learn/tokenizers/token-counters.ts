import { hash } from 'node:crypto'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { RegisteredModel } from '../../core/contracts/registered-model.ts'
import { turnsAsText } from '../../play/models/flatten-messages.ts'
import type { TokenCounter } from '../../play/models/token-counter.ts'
import type { ModelRegistry, TenantModels } from '../registry/model-registry.ts'
import type { SentFiles } from './tokenizer-calls.ts'
import { type TokenizerLimits, TokenizerPool } from './tokenizer-pool.ts'

export interface Uncountable {
  /** Ends a sentence that begins with the model, for example `has no chat template`. */
  reason: string
  /** There is an unusable tokenizer; false: there is none. */
  isBroken: boolean
}

export interface TokenCounters {
  /**
   * @throws EspalierError `not_found`; `storage_failed` if its files cannot be read; `limits_exceeded` if they take
   * too long or too much memory
   */
  open(tenant: string, model: string): Promise<TokenCounter | Uncountable>
}

/** Maximum bytes of a `tokenizer.json`; those of 260,000 tokens have 35 MB. */
const longestTokenizer = 64 * 1024 * 1024
const configurationName = 'tokenizer_config.json'

/** Tokenizers are cached by the digests of their files: models trained from one another share theirs. */
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
      vocabulary: () => pool.call({ digest, op: 'vocabulary' }, from),
      encode: (messages, after) =>
        pool.call<number[] | null>({ digest, op: 'encode', messages: turnsAsText(messages), after }, from),
      ofText: (text) => pool.call({ digest, op: 'text', text }, from),
      ofPrompt: (messages, pictured) =>
        pool.call({ digest, op: 'prompt', messages: turnsAsText(messages), pictured }, from),
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

interface Countable {
  model: string
  tokenizer: string
  hasConfiguration: boolean
  chatTemplate: string
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
