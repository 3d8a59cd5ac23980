/** A program outlasted the wall clock, which is no property of the program: it has no state, and its episode ends as errored. */
export class SandboxTimeoutError extends Error {
  /** Stored in results, so it keeps its first form. */
  override readonly name = 'SandboxTimeout'

  constructor(milliseconds: number) {
    super(`The program ran for more than ${milliseconds} ms.`)
  }
}
