import type { Program, ProgramState } from '../../sandbox/program.ts'
import type { Fork } from '../fork.ts'
import type { MethodScope } from '../method-scope.ts'

export type ProgramEnding = Exclude<ProgramState, { type: 'acts' }>

/**
 * Runs a program on a fork: from its top with the answers known so far, up to the first action without one. The
 * environment takes that action, and the program runs again with one more answer. A program ends when its task is
 * done.
 *
 * @param fork - a fork without steps; the program's actions become its steps
 */
export async function runProgram(
  { sandbox }: Pick<MethodScope, 'sandbox'>,
  fork: Fork,
  program: Program,
): Promise<ProgramEnding> {
  for (;;) {
    const state = await sandbox.run(program, fork.steps)
    if (state.type !== 'acts') return state
    const { done, reward } = await fork.act(state.action)
    if (done || reward < 0) return { type: 'ended', printed: [] }
  }
}

export function programSeed(scope: Pick<MethodScope, 'random'>, key: string): number {
  return Math.floor(scope.random(key)() * 2 ** 31)
}
