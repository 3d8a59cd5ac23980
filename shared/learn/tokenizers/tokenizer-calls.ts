import type { Message } from '../../core/contracts/message.ts'
import type { AnswerPlace } from '../../play/models/token-counter.ts'
import type { TokenizerFiles } from './model-tokenizer.ts'

export type TokenizerRequest =
  | { digest: string; op: 'open' }
  | { digest: string; op: 'vocabulary' }
  | { digest: string; op: 'text'; text: string }
  | { digest: string; op: 'encode'; messages: readonly Message[]; after: AnswerPlace | undefined }
  | { digest: string; op: 'prompt'; messages: readonly Message[]; pictured: string | undefined }

export interface FilesQuestion {
  digest: string
}

/** The answer. Bytes are sent as bytes: a `tokenizer.json` has tens of megabytes. */
export interface SentFiles extends Omit<TokenizerFiles, 'tokenizer' | 'model'> {
  tokenizer: Uint8Array
}
