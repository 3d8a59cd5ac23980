import type { StepBench } from '../step-bench.ts'
import { textcraft } from './textcraft.ts'

const textcraftActions: readonly string[] = [
  'get 2 oak logs',
  'craft 4 oak planks using 1 oak logs',
  'inventory',
  'craft 4 stick using 2 oak planks',
  'get 1 stick',
  'craft 1 bowl using 3 oak planks',
  'look around',
  'craft 1 crafting table using 4 oak planks',
]

const rounds = 16

export const textcraftBench: readonly StepBench[] = [
  {
    what: 'TextCraft (get, craft, inventory and invalid actions)',
    aim: '≥ 1 M steps/s',
    episodes: [
      {
        core: textcraft,
        task: textcraft.tasks()[0]?.id ?? '',
        action: (_state, step) =>
          step < rounds * textcraftActions.length
            ? (textcraftActions[step % textcraftActions.length] ?? null)
            : null,
      },
    ],
  },
]
