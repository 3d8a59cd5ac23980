import { hash } from 'node:crypto'
import type { RegisteredModel } from '../contracts/registered-model.ts'
import type { TokenCounter } from '../models/token-counter.ts'
import type { TenantModels } from '../registry/model-registry.ts'

/** Why the prompts of a registered model cannot be counted. */
export interface Uncountable {
  /** Ends a sentence that begins with the model, such as `has no chat template`. */
  reason: string
  /** There is a tokenizer, and it cannot be used; false: there is none. */
  isBroken: boolean
}

/** Opens counters of registered models. */
export interface TokenCounters {
  /** @throws EspalierError `not_found`, or `storage_failed` where its files cannot be read */
  open(tenant: string, model: string): Promise<TokenCounter | Uncountable>
}

/** Tokenizers that are kept: one of 150,000 tokens takes a second to read, and 200 MB. */
const mostOpen = 3
/** Bytes of a `tokenizer.json` that is read at most; those of 260,000 tokens have 35 MB. */
const longestTokenizer = 64 * 1024 * 1024
/** Names the special tokens that templates write. */
const configurationName = 'tokenizer_config.json'

/** Tokenizers are kept by the digests of their files: models that were trained from one another share theirs. */
export function openTokenCounters(registry: Pick<TenantModels, 'of'>): TokenCounters {
  const opened = new Map<string, Promise<TokenCounter | Uncountable>>()

  async function read(tenant: string, found: Countable): Promise<TokenCounter | Uncountable> {
    const files = registry.of(tenant)
    const text = async (name: string) => Buffer.from(await files.readFile(found.model, name)).toString('utf8')
    const tokenizer = await text(found.tokenizer)
    const configuration = found.hasConfiguration ? await text(configurationName) : null
    const { openModelTokenizer } = await import('./model-tokenizer.ts')
    try {
      return openModelTokenizer({ ...found, tokenizer, configuration })
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return { reason: `has a tokenizer or chat template that cannot be used: ${why}`, isBroken: true }
    }
  }

  function keep(key: string, open: () => Promise<TokenCounter | Uncountable>) {
    const counter = opened.get(key) ?? open()
    opened.delete(key)
    opened.set(key, counter)
    counter.catch(() => opened.delete(key))
    const oldest = opened.keys().next().value
    if (opened.size > mostOpen && oldest !== undefined) opened.delete(oldest)
    return counter
  }

  return {
    async open(tenant, model) {
      const found = findFiles(await registry.of(tenant).get(model))
      if ('reason' in found) return found
      const counter = await keep(found.digest, () => read(tenant, found))
      return 'reason' in counter ? counter : { ...counter, model }
    },
  }
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
