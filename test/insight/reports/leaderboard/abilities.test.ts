import { expect, test } from 'vitest'
import { abilitySchema } from '../../../../shared/core/contracts/ability.ts'
import { leaderboardSchema } from '../../../../shared/core/contracts/leaderboard.ts'
import type { RunRequestInput } from '../../../../shared/core/contracts/run.ts'
import { definitions } from '../../../../shared/environments/environments.ts'
import { buildLeaderboard } from '../../../../shared/insight/reports/leaderboard/build-leaderboard.ts'
import { drawRadar } from '../../../../shared/insight/reports/leaderboard/draw-radar.ts'
import { endedEpisode, erroredEpisode, stream } from '../../../builders/episodes.ts'
import { endedRun } from '../../../builders/runs.ts'

const weights = new Map(
  definitions.flatMap(({ abilities, id }) => (abilities === undefined ? [] : [[id, abilities] as const])),
)

function played(id: string, request: Partial<RunRequestInput>, solved: number) {
  const episodes = Array.from({ length: 4 }, (_, at) => endedEpisode(at, `task-${at}`, at < solved ? 1 : 0))
  return { run: endedRun(id, { method: { id: 'react' }, ...request }), episodes: stream(episodes) }
}

const build = (runs: ReturnType<typeof played>[]) =>
  buildLeaderboard(runs, { simulated: true, selection: { experiment: 'board' }, weights })

test('the abilities are success rates, weighted as AgentBoard weighs its environments', async () => {
  const found = await build([
    played('run-1', { environment: 'pddl' }, 4),
    played('run-2', { environment: 'alfworld' }, 1),
    played('run-3', { environment: 'textcraft' }, 0),
  ])
  expect(leaderboardSchema.parse(found)).toEqual(found)
  // By hand, with weights 2 and 1, 3 and 1, 1 and 3, 3 and 3, 3 and 2, 1 and 2 of pddl and alfworld.
  expect(found.abilities).toEqual({
    environments: ['pddl', 'alfworld'],
    missing: 7,
    scores: [
      {
        entry: found.entries[0]?.id,
        abilities: {
          memory: expect.closeTo(225 / 3, 10),
          planning: expect.closeTo(325 / 4, 10),
          world_modeling: expect.closeTo(175 / 4, 10),
          self_reflection: expect.closeTo(62.5, 10),
          grounding: expect.closeTo(350 / 5, 10),
          spatial_navigation: expect.closeTo(150 / 3, 10),
        },
      },
    ],
  })
})

test('an agent that lacks an environment has no abilities, and runs of none of them no radar', async () => {
  const found = await build([
    played('run-1', { environment: 'pddl' }, 4),
    played('run-2', { environment: 'alfworld' }, 4),
    played('run-3', { environment: 'pddl', method: { id: 'act' } }, 4),
  ])
  const byMethod = new Map(found.entries.map(({ id, method }) => [id, method]))
  const scored = found.abilities?.scores.map(({ abilities, entry }) => [
    byMethod.get(entry),
    abilities !== null,
  ])
  expect(Object.fromEntries(scored ?? [])).toEqual({ react: true, act: false })
  const other = await build([played('run-1', { environment: 'textcraft' }, 4)])
  expect(other).not.toHaveProperty('abilities')
  expect(drawRadar(other)).toBeNull()
})

test('an agent with a task that has no reward has no abilities', async () => {
  const gap = played('run-1', { environment: 'pddl' }, 4)
  const episodes = stream([
    erroredEpisode(0, 'task-0'),
    ...[1, 2, 3].map((at) => endedEpisode(at, `task-${at}`, 1)),
  ])
  const found = await build([
    { ...gap, episodes },
    played('run-2', { environment: 'pddl', method: { id: 'act' } }, 2),
  ])
  const [best, other] = found.abilities?.scores ?? []
  expect(found.entries.map(({ method }) => method)).toEqual(['act', 'react'])
  expect(best?.abilities).not.toBeNull()
  expect(other?.abilities).toBeNull()
})

test('the radar is an image with each agent, and names what is missing', async () => {
  const found = await build([
    played('run-1', { environment: 'pddl', name: '<b>' }, 4),
    played('run-2', { environment: 'pddl', method: { id: 'act' } }, 2),
  ])
  const image = drawRadar(found) ?? ''
  expect(image.match(/fill-opacity/g)).toHaveLength(2)
  for (const ability of abilitySchema.options) expect(image).toContain(`>${ability.replaceAll('_', ' ')}<`)
  expect(image).toContain('Environments: pddl.')
  expect(image).toContain('Of AgentBoard’s nine environments 8 are missing.')
  expect(image).toContain('these numbers prove plumbing')
  // All six of an agent that solved everything are at the rim: the first is above the middle.
  expect(image).toContain('points="300.0,80.0 ')
})

// AgentBoard, agentboard/utils/logging/logger.py, dimension_scoring, in its order of the six abilities.
test.each([
  ['alfworld', [1, 1, 3, 3, 2, 2]],
  ['alfworld-textworld', [1, 1, 3, 3, 2, 2]],
  ['scienceworld', [2, 2, 3, 2, 3, 2]],
  ['pddl', [2, 3, 1, 3, 3, 1]],
  ['webshop', [1, 2, 1, 2, 3, 1]],
])('%s has the weights of AgentBoard', (environment, row) => {
  const own = weights.get(environment)
  expect(abilitySchema.options.map((ability) => own?.[ability])).toEqual(row)
})
