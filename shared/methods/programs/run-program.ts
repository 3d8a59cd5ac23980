import type { Program, ProgramState } from '../../sandbox/program.ts'
import type { Fork } from '../fork.ts'
import type { MethodScope } from '../method-scope.ts'

/** How a program came out. */
export type ProgramEnding = Exclude<ProgramState, { type: 'acts' }>

/**
 * Runs a program on a fork: from its top with the answers known so far, up to the first action that has none yet; the
 * environment takes that action, and the program runs again with one answer more. A program whose task is done has ended.
 *
 * @param fork - one that no step was taken on; what the program did stands in its steps
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

/** The seed of a program's chance, the same in every replay. */
export function programSeed(scope: Pick<MethodScope, 'random'>, key: string): number {
  return Math.floor(scope.random(key)() * 2 ** 31)
}
