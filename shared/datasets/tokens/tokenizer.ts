import type { DatasetGates } from '../../contracts/dataset.ts'

/** Counts the tokens of texts. Its name goes into the manifest, for a number of tokens says little without it. */
export interface Tokenizer {
  readonly id: DatasetGates['tokenizer']
  ofText(text: string): number
}
