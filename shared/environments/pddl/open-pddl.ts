import type { DataPack } from '../data-pack.ts'
import { openPackedProblems } from './packed-problems.ts'
import { createPddl, pddl } from './pddl.ts'

/** @param pack null: the problems that come along */
export async function openPddl(pack: DataPack | null): Promise<typeof pddl> {
  return pack === null ? pddl : createPddl(await openPackedProblems(pack))
}
