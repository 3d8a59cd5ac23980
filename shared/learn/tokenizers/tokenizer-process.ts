import { askPool, endWithParent, serveCalls } from '../../core/threads/serve-calls.ts'
import { type ModelTokenizer, openModelTokenizer } from './model-tokenizer.ts'
import type { FilesQuestion, SentFiles, TokenizerRequest } from './tokenizer-calls.ts'

// A process that counts with uploaded tokenizers and chat templates: both can take any time and memory.

/** Maximum open tokenizers: one of 150,000 tokens takes a second to read, and 200 MB. */
const mostOpen = 2

endWithParent()
const opened = new Map<string, ModelTokenizer>()
serveCalls(serve)

async function serve(request: TokenizerRequest): Promise<number | number[] | null> {
  const counter = opened.get(request.digest) ?? (await open(request.digest))
  opened.delete(request.digest)
  opened.set(request.digest, counter)
  if (request.op === 'open') return 0
  if (request.op === 'vocabulary') return counter.vocabulary()
  if (request.op === 'encode') return counter.encode(request.messages, request.after)
  if (request.op === 'text') return counter.ofText(request.text)
  return counter.ofPrompt(request.messages, request.pictured)
}

async function open(digest: string): Promise<ModelTokenizer> {
  const oldest = opened.size >= mostOpen ? opened.keys().next().value : undefined
  if (oldest !== undefined) opened.delete(oldest)
  const files = (await askPool({ digest } satisfies FilesQuestion)) as SentFiles
  const tokenizer = Buffer.from(files.tokenizer).toString('utf8')
  return openModelTokenizer({ ...files, model: digest, tokenizer })
}
