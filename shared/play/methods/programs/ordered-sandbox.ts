import type { EffectScope } from '../../../core/engine/effect-scope.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'

/** A sandbox whose results arrive in the order of the requests, whatever thread or process computes them. */
export function orderedSandbox(sandbox: Sandbox, compute: EffectScope['compute']): Sandbox {
  const outside = <Result>(language: string | undefined, read: () => Result | Promise<Result>) =>
    language === 'python' ? compute(async () => read()) : read()
  return {
    run: (program, answers) => compute((signal) => sandbox.run(program, answers, signal)),
    readCall: (text, names, language) => outside(language, () => sandbox.readCall(text, names, language)),
    readFunctions: (code, language) => outside(language, () => sandbox.readFunctions(code, language)),
  }
}
