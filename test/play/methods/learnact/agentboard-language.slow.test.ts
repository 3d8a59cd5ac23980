import { expect, test } from 'vitest'
import { openPlayer } from '../../../support/play-run.ts'

const method = { id: 'learnact', candidates: 2, rounds: 1, train_tasks: 2 }

test.each([
  ['pddl', 'gripper', { language: 'agentboard', observations: 'full' }],
  ['pddl', 'tyreworld', { language: 'agentboard' }],
  ['alfworld', 'pick_heat_then_place_in_recep', { language: 'agentboard', refusal: 'not_valid' }],
])('LearnAct learns and plays %s, %s, with %j', async (environment, type, environment_options) => {
  const play = await openPlayer()
  const { run, episodes, trees } = await play({
    environment,
    environment_options,
    tasks: { types: [type], limit: 2 },
    method,
  })
  expect(run.episodes).toMatchObject({ errored: 0 })
  expect(run.request.environment_options).toMatchObject(environment_options)
  expect(episodes.filter(({ purpose }) => purpose === 'learn').map(({ status }) => status)).toEqual([
    'succeeded',
  ])
  const played = trees.filter((_, place) => episodes[place]?.purpose === 'play')
  expect(
    played.flatMap(({ nodes }) => nodes.filter(({ primitives }) => primitives !== undefined)),
  ).not.toEqual([])
})
