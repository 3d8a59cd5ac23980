/** QuickJS itself failed while it ran a program. The program is not at fault; its episode ends as errored. */
export class SandboxFaultError extends Error {
  /** Stored in results, so the name never changes. */
  override readonly name = 'SandboxFault'

  constructor(cause: unknown) {
    super(`QuickJS failed while it ran a program: ${String(cause)}`, { cause })
  }
}
