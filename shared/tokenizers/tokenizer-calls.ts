import type { Message } from '../contracts/message.ts'
import type { TokenizerFiles } from './model-tokenizer.ts'

/** What the process of tokenizers is asked. The digest names the files of a tokenizer. */
export type TokenizerRequest =
  | { digest: string; op: 'open' }
  | { digest: string; op: 'text'; text: string }
  | { digest: string; op: 'prompt'; messages: readonly Message[]; pictured: string | undefined }

/** What the process asks for a tokenizer that it does not have open. */
export interface FilesQuestion {
  digest: string
}

/** Its answer. Bytes stay bytes on the way: a `tokenizer.json` has tens of megabytes. */
export interface SentFiles extends Omit<TokenizerFiles, 'tokenizer' | 'model'> {
  tokenizer: Uint8Array
}
