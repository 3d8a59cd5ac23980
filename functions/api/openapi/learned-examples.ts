import { exampleEnvironment } from '../../../shared/core/contracts/example-environment.ts'
import type { Library, LibraryAction } from '../../../shared/core/contracts/library.ts'
import { type List, toList } from '../../../shared/core/contracts/list.ts'
import type { Memory, MemoryNote } from '../../../shared/core/contracts/memory.ts'

export const memoryExample: Memory = {
  id: 'mem-06c5k8q2xg-4hj7k2mn',
  object: 'memory',
  run: 'run-06c5k8q2xg-4hj7k2mn',
  environment: exampleEnvironment,
  method: 'rmcts',
  complete: true,
  created_at: '2026-11-21T09:00:00.000Z',
}

export const noteExample: MemoryNote = {
  id: 'ep-0000003/policy/0',
  side: 'policy',
  group: null,
  episode: 'ep-0000003',
  task: `${exampleEnvironment}-12`,
  objective: 'Craft a white bed.',
  observation: 'Inventory: 6 white wool.',
  action: 'craft 1 white bed using 3 white wool',
  note: 'A bed takes planks too: count every ingredient of a recipe before crafting.',
  surprise: 0.4,
  embedding: null,
}

export const libraryExample: Library = {
  id: 'lib-06c5k8q2xg-4hj7k2mn',
  object: 'library',
  run: 'run-06c5k8q2xg-4hj7k2mn',
  environment: 'pddl',
  method: 'learnact',
  complete: true,
  created_at: '2026-11-21T09:00:00.000Z',
}

export const actionExample: LibraryAction = {
  id: 'gripper/carry',
  name: 'carry',
  group: 'gripper',
  parameters: ['ball', 'from', 'to', 'gripper'],
  description: 'Picks a ball up, moves to the other room and drops it there.',
  code: "function carry(ball, from, to, gripper) {\n  act('Pick up ' + ball + ' at location ' + from + ' with the ' + gripper + ' gripper.')\n}",
  usage: 'Action: carry("ball1", "rooma", "roomb", "left")',
  notes: ['The robot must stand in the first room.'],
  scores: { score: 1.8, success: 1, step_accuracy: 0.8, call_ratio: 0.6 },
  lineage: [{ round: 0, candidate: 1, change: 'created', reason: null }],
}

export function toListExample<Item extends { id: string }>(item: Item): List<Item> {
  return toList([item], false)
}
