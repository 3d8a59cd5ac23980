import type { DataPack } from '../data-pack.ts'
import { openPackedProblems } from './packed-problems.ts'
import { createPddl, pddl, pddlMaxSteps } from './pddl.ts'
import { defaultPddlOptions, type PddlOptions } from './pddl-options.ts'
import { createRobotProblems } from './robot-problems.ts'

export async function openPddl(
  pack: DataPack | null,
  options: PddlOptions = defaultPddlOptions,
): Promise<typeof pddl> {
  if (pack !== null) return createPddl(await openPackedProblems(pack), options)
  return options.language === 'plain' ? pddl : createPddl(createRobotProblems(pddlMaxSteps), options)
}
