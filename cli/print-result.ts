import type { GlobalOptions } from './global-options.ts'
import type { Terminal } from './terminal.ts'

export function printResult(
  terminal: Terminal,
  options: GlobalOptions,
  value: unknown,
  toLines: () => string[],
): void {
  terminal.out(options.json ? JSON.stringify(value, null, 2) : toLines().join('\n'))
}
