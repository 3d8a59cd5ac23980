/** Ends a command with a message for people and an exit code: 1 failed, 2 wrong usage, 130 interrupted. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: 1 | 2 | 130
  readonly code: string
  /** With `--json` the printed document already contains the message: standard output stays one document. */
  readonly isPrinted: boolean

  constructor(
    code: string,
    message: string,
    exitCode: 1 | 2 | 130 = 1,
    options: { isPrinted?: boolean } = {},
  ) {
    super(message)
    this.code = code
    this.exitCode = exitCode
    this.isPrinted = options.isPrinted ?? false
  }
}

export function wrongUsage(message: string): CommandError {
  return new CommandError('wrong_usage', message, 2)
}

export function interrupted(message = 'Interrupted.'): CommandError {
  return new CommandError('interrupted', message, 130)
}
