/** One call that performs the first steps of a plan. */
export interface FoldedCall {
  readonly call: string
  readonly steps: number
}
