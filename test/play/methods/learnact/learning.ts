import type { LearnedAction } from '../../../../shared/core/contracts/library.ts'
import { learnact } from '../../../../shared/play/methods/learnact/learnact.ts'
import { createCorridor } from '../corridor.ts'
import type { Played } from '../play-method.ts'
import { type Script, scriptedLearner } from './scripted-learner.ts'

export const walk = `/** Goes forward. */
function walk(count) {
  for (let step = 0; step < count; step += 1) act("forward")
}`
export const jump = `function walk(count) {
  act("look")
  act("jump")
}`
export const calls: Script['act'] = ({ goal }) => `walk(${goal})`

export function learning(script: Script, parameters: object = {}) {
  return {
    method: learnact,
    environment: createCorridor(),
    training: ['goal-1', 'goal-2', 'goal-3'],
    parameters: { candidates: 1, train_steps: 2, ...parameters },
    answer: scriptedLearner(script),
  }
}

export const learned = ({ entries }: Played): LearnedAction[] =>
  entries.flatMap((entry) => ('learned' in entry ? [entry.learned] : []))
