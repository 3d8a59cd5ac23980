/** QuickJS itself broke while it ran a program, which says nothing about the program: its episode ends as errored. */
export class SandboxFaultError extends Error {
  /** Stored in results, so it keeps its first form. */
  override readonly name = 'SandboxFault'

  constructor(cause: unknown) {
    super(`QuickJS failed while it ran a program: ${String(cause)}`, { cause })
  }
}
