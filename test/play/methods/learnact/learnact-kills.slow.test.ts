import { expect, test } from 'vitest'
import { playKilled } from '../play-method.ts'
import { calls, jump, learned, learning, walk } from './learning.ts'
import { block, scriptedLearner } from './scripted-learner.ts'

test('a killed learning episode goes on and learns the same, in whatever order answers come', async () => {
  const script = {
    create: [block(`${walk.replaceAll('forward', 'fly')}\nwalk(1)`), 'No code.'],
    again: () => block(jump),
    revise: [`Reason: It flew.\nDecision: update walk\n${block(walk)}`, 'Decision: note walk\nNote: Mind.'],
    act: calls,
  }
  const { whole, resumed } = await playKilled({
    ...learning(script, { candidates: 2, rounds: 1, train_steps: 1 }),
    answer: scriptedLearner({ ...script, create: [script.create[0] as string] }),
    delay: 4,
  })
  expect(learned(whole)).toMatchObject([{ code: walk }])
  // Each of them died at another place, and the last had nothing left to ask.
  expect(new Set(resumed.map(({ requests }) => requests.length)).size).toBeGreaterThan(10)
  expect(resumed.at(-1)?.requests).toEqual([])
  expect(resumed.map(({ bytes }) => bytes)).toEqual(resumed.map(() => whole.bytes))
})
