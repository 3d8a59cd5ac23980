import { expect, test } from 'vitest'
import { bestOfN } from '../../../shared/play/methods/best-of-n/best-of-n.ts'
import { codeAsPolicy } from '../../../shared/play/methods/code-as-policy/code-as-policy.ts'
import { learnact } from '../../../shared/play/methods/learnact/learnact.ts'
import { reflexion } from '../../../shared/play/methods/reflexion/reflexion.ts'
import { openInProcessHosts } from '../../support/in-process-hosts.ts'
import { createCorridor } from './corridor.ts'
import { block, scriptedLearner } from './learnact/scripted-learner.ts'
import { walk } from './make-action.ts'
import { type PlayedMethod, playMethod } from './play-method.ts'

const environment = createCorridor()
const actions = [walk]

/** The next of these actions, by how many there were. */
const inTurn =
  (...texts: string[]): PlayedMethod<object>['answer'] =>
  ({ messages }) =>
    `Action: ${texts[messages.filter(({ role }) => role === 'assistant').length] ?? 'look'}`

const broken = 'function walk(count) {\n  act("forward")\n  act("fly")\n}'

const episodes: [string, PlayedMethod<object>][] = [
  [
    'calls that fail half-way',
    {
      method: learnact,
      parameters: { library: 'lib-x' },
      environment,
      actions,
      answer: inTurn('forward', 'walk(3, "back")', 'walk(1, "forward")', 'walk(1, "forward")'),
    },
  ],
  [
    'learning actions',
    {
      method: learnact,
      parameters: { candidates: 2, rounds: 1, train_steps: 3 },
      environment,
      training: ['goal-2', 'goal-3'],
      answer: scriptedLearner({
        create: [block(`${broken}\nwalk(1)`)],
        revise: [`Decision: update walk\n${block(walk.code)}`, 'Decision: note walk\nNote: Mind.'],
        act: ({ turn }) => (turn === 0 ? 'forward' : 'walk(1, "forward")'),
      }),
    },
  ],
  [
    'one program',
    { method: codeAsPolicy, environment, answer: () => block('act("forward")\nact("look")\nact("fly")') },
  ],
  [
    'trying again',
    {
      method: reflexion,
      parameters: { retry: 2, max_steps: 2 },
      environment,
      answer: (request) =>
        request.messages[0]?.content.startsWith('You help')
          ? 'Note: Hm.'
          : inTurn('forward', 'back')(request),
    },
  ],
  [
    'several attempts',
    {
      method: bestOfN,
      parameters: { attempts: 3, max_steps: 2, rubric: false, verdicts: 1 },
      environment,
      answer: ({ messages, seed }) =>
        messages.at(-1)?.content.includes('Status code')
          ? `Status code: ${'BCD'[seed % 3]}`
          : `Action: ${seed % 2 === 0 ? 'forward' : 'look'}`,
    },
  ],
]

test.each([true, false])(
  'learning from several tasks needs room for one session, native: %s',
  async (withSnapshots) => {
    const [, played] = episodes[1] as (typeof episodes)[number]
    const here = await playMethod(played)
    const there = await playMethod({
      ...played,
      async sessions(world) {
        const hosts = openInProcessHosts({ world, environment, withSnapshots, slots: 1 })
        await hosts.add('host-1')
        return hosts.sessions
      },
    })
    expect(there.outcome).toEqual({ type: 'ended', limit: null })
    expect(there.bytes).toBe(here.bytes)
  },
)

test.each(
  episodes.flatMap(([name, played]) => [
    { name, how: 'with snapshots', played, withSnapshots: true },
    { name, how: 'by replay', played, withSnapshots: false },
  ]),
)('on hosts, $how, $name comes to the same as in the worker', async ({ played, withSnapshots }) => {
  const here = await playMethod(played)
  expect(here.outcome).toEqual({ type: 'ended', limit: null })
  const there = await playMethod({
    ...played,
    async sessions(world) {
      const hosts = openInProcessHosts({ world, environment, withSnapshots })
      for (const id of ['host-1', 'host-2', 'host-3']) await hosts.add(id)
      return hosts.sessions
    },
  })
  expect(there.outcome).toEqual({ type: 'ended', limit: null })
  expect(there.bytes).toBe(here.bytes)
})
