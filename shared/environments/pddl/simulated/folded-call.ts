export interface FoldedCall {
  readonly call: string
  readonly steps: number
}
