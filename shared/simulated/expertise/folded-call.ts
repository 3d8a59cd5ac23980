/** The first steps of a plan, done by one call. */
export interface FoldedCall {
  readonly call: string
  /** How many steps of the plan it does. */
  readonly steps: number
}
