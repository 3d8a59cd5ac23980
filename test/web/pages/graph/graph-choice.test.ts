import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Episode, EpisodeResult } from '../../../../shared/core/contracts/episode.ts'
import { noUsage } from '../../../../shared/core/contracts/usage.ts'
import { graphAddress } from '../../../../web/format/addresses.ts'
import {
  chooseEpisodes,
  mostNodes,
  mostTrees,
  outcomeOf,
  readGraphChoice,
  withPaths,
} from '../../../../web/pages/graph/graph-choice.ts'

const ended: EpisodeResult = {
  status: 'succeeded',
  reward: 1,
  success: true,
  limit: null,
  error: null,
  steps: 1,
  nodes: 2,
  path_length: 1,
  primitive_steps: 1,
  progress_rate: null,
  grounding_accuracy: null,
  invalid_actions: 0,
  unparsable: 0,
  usage: noUsage,
  working_seconds: 1,
  attempt: 0,
}

const episodeOf = (run: string, index: number, rest: Partial<Episode> = {}, nodes = 2): Episode => ({
  id: `ep-${index}`,
  object: 'episode',
  run,
  index,
  task: 'stick',
  epoch: index,
  purpose: 'play',
  status: 'succeeded',
  starts: 1,
  errors: 0,
  result: { ...ended, nodes },
  ...rest,
})

test('the address of a graph names its runs, its task and its paths', () => {
  const query = (address: string) => new URLSearchParams(address.split('?')[1])
  const address = query(graphAddress(['run-1', 'run-2'], 'a & b=c, عربي'))
  const choice = { runs: ['run-1', 'run-2'], task: 'a & b=c, عربي', paths: 'answers' }
  expect(readGraphChoice(address)).toEqual(choice)
  address.set('node', '4')
  const whole = withPaths(address, 'all')
  expect(readGraphChoice(whole)).toEqual({ ...choice, paths: 'all' })
  expect(whole.get('node')).toBeNull()
  expect(readGraphChoice(new URLSearchParams('paths=none&runs=,,'))).toEqual({
    runs: [],
    task: '',
    paths: 'answers',
  })
})

test('a graph stays within its bounds, takes the runs in turn, and has two episodes if there are two', () => {
  const counts = fc.array(fc.array(fc.integer({ min: 1, max: 30_000 }), { maxLength: 60 }), { maxLength: 4 })
  fc.assert(
    fc.property(counts, (runs) => {
      const byRun = runs.map((nodes, run) => nodes.map((each, at) => episodeOf(`run-${run}`, at, {}, each)))
      const { all, chosen } = chooseEpisodes(byRun, 'stick')
      expect(all).toBe(byRun.flat().length)
      expect(chosen.length).toBeLessThanOrEqual(mostTrees)
      expect(chosen.length).toBeGreaterThanOrEqual(Math.min(2, all))
      const nodes = chosen.reduce((sum, { result }) => sum + (result?.nodes ?? 0), 0)
      if (chosen.length > 2) expect(nodes).toBeLessThanOrEqual(mostNodes)
      const taken = byRun.map(([first]) => chosen.filter(({ run }) => run === first?.run).length)
      const [most, least] = [Math.max(0, ...taken), taken.map((count, at) => [count, byRun[at]?.length ?? 0])]
      for (const [count = 0, has = 0] of least) {
        expect(count).toBeGreaterThanOrEqual(Math.min(has, most - 1))
      }
    }),
  )
})

test('other tasks, annotations, episodes that have not ended and those without a tree are left out', () => {
  const kept = episodeOf('run-1', 0)
  const others = [
    episodeOf('run-1', 1, { task: 'stick 2' }),
    episodeOf('run-1', 2, { purpose: 'annotate' }),
    episodeOf('run-1', 3, { result: null, status: 'running' }),
    episodeOf('run-1', 4, {}, 0),
  ]
  expect(chooseEpisodes([[...others, kept]], 'stick')).toEqual({ chosen: [kept], all: 1 })
})

test.each([
  ['succeeded', true, true],
  ['failed', false, false],
  ['limited', null, null],
  ['errored', false, null],
  ['cancelled', null, null],
] as const)('%s with success %s has the outcome %s', (status, success, outcome) => {
  expect(outcomeOf(episodeOf('run-1', 0, { result: { ...ended, status, success } }))).toBe(outcome)
})
