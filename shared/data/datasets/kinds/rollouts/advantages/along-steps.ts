import type { Branch } from '../branch.ts'

/** Gives each step of a branch the branch's advantage. */
export function alongSteps(branches: readonly Branch[], ofBranches: readonly number[]): number[][] {
  return branches.map(({ steps }, place) => steps.map(() => ofBranches[place] as number))
}
