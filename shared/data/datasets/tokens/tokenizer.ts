import type { DatasetGates } from '../../../core/contracts/dataset.ts'

/** Counts the tokens of texts. The manifest records its name, because a number of tokens depends on it. */
export interface Tokenizer {
  readonly id: DatasetGates['tokenizer']
  ofText(text: string): number
}
