import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from '../../../shared/core/random/seeded-random.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { type PlayOnceOptions, playOnce } from '../../support/play-once.ts'
import { prefixedObjects } from '../../support/prefixed-objects.ts'
import { act, scriptedEnvironment, scriptedModel, trace } from '../../support/scripted-episode.ts'
import { below, depthOf, makeSearch } from './scripted-search.ts'

/** The answers at a state, in the order in which they are asked for. */
function inTurn(answers: (way: string) => readonly string[]) {
  const asked = new Map<string, number>()
  return scriptedModel(({ way }) => {
    const place = asked.get(way) ?? 0
    asked.set(way, place + 1)
    return act(answers(way)[place] as string)
  })
}

async function played(options: PlayOnceOptions): Promise<string[]> {
  expect((await playOnce(options)).outcome).toEqual({ type: 'ended', limit: null })
  return trace(options)
}

interface ReferenceNode {
  way: string
  parent: ReferenceNode | null
  children: ReferenceNode[]
  visits: number
  value: number
  isTerminal: boolean
}

interface ReferenceSettings {
  iterations: number
  samples: number
  max_depth: number
}

/** The main loop of Agent-R (arXiv 2501.11425, its code: `mcts_utils`), one descent after the other, as lines of what it does. */
function reference(
  settings: ReferenceSettings,
  answers: (way: string) => readonly string[],
  at: ReturnType<typeof makeSearch>['at'],
): string[] {
  const lines: string[] = []
  const make = (way: string, parent: ReferenceNode | null, isTerminal: boolean): ReferenceNode => ({
    way,
    parent,
    children: [],
    visits: 0,
    value: 0,
    isTerminal,
  })
  function expand(node: ReferenceNode): void {
    for (const action of new Set(answers(node.way).slice(0, settings.samples))) {
      const way = below(node.way, action)
      node.children.push(make(way, node, at(way).done || depthOf(way) > settings.max_depth))
      lines.push(`took ${way}`)
    }
    for (const child of node.children.filter(({ isTerminal }) => isTerminal))
      backUp(child, at(child.way).reward)
  }
  function backUp(leaf: ReferenceNode, reward: number): void {
    lines.push(`${leaf.way} is worth ${reward}`)
    for (let node: ReferenceNode | null = leaf; node; node = node.parent) {
      node.visits += 1
      node.value += reward
      node.isTerminal = node.children.every((child) => child.isTerminal)
    }
  }
  function best({ children, visits }: ReferenceNode): ReferenceNode | null {
    const score = (child: ReferenceNode) =>
      child.visits === 0
        ? Number.POSITIVE_INFINITY
        : child.value / child.visits + 0.25 * Math.sqrt(Math.log(visits) / child.visits)
    return children
      .filter(({ isTerminal }) => !isTerminal)
      .reduce<ReferenceNode | null>((top, child) => (top && score(child) <= score(top) ? top : child), null)
  }
  const root = make('', null, false)
  for (let iteration = 0; iteration < settings.iterations && !root.isTerminal; iteration += 1) {
    for (let node: ReferenceNode | null = root; node !== null && !node.isTerminal; ) {
      if (node.children.length === 0) expand(node)
      while (node !== null && node.children.length > 0) node = best(node)
    }
  }
  return lines
}

test('one descent after the other is the reference’s loop', async () => {
  const world = await openTestWorld()
  let opened = 0
  const settings = fc.record({
    iterations: fc.integer({ min: 1, max: 8 }),
    samples: fc.integer({ min: 1, max: 4 }),
    max_depth: fc.nat({ max: 4 }),
  })
  await fc.assert(
    fc.asyncProperty(settings, fc.nat(), async (given, seed) => {
      opened += 1
      const answers = (way: string) => {
        const random = seededRandom('answers', seed, way)
        return Array.from({ length: given.samples }, () => `a${Math.floor(random() * 3)}`)
      }
      const options: PlayOnceOptions = {
        world: { ...world, objects: prefixedObjects(world.objects, `${opened}/`) },
        environment: createHashEnvironment(seed, { depth: 4 }),
        model: inTurn(answers),
        method: { id: 'mcts', ...given },
      }
      expect(await played(options)).toEqual(reference(given, answers, makeSearch(seed).at))
    }),
    { numRuns: 60 },
  )
})

test('two descents at a time part where the first was sent, and ask for what they need at once', async () => {
  const model = inTurn(() => ['a', 'b'])
  const rewards = { 'a/a': { reward: 0.25 }, 'b/b': { reward: 1 } }
  const options: PlayOnceOptions = {
    world: await openTestWorld(),
    environment: scriptedEnvironment(rewards),
    model,
    method: { id: 'mcts', iterations: 2, samples: 2, max_depth: 1, parallel: 2 },
  }
  // Both begin at the root. The first goes on to a; with it under way, UCB1(a) = 0/1 + 0.25 · √(ln 1 / 1) = 0, and b was
  // never visited.
  expect(await played(options)).toEqual([
    'took a',
    'took b',
    'took a/a',
    'took a/b',
    'a/a is worth 0.25',
    'a/b is worth 0',
    'took b/a',
    'took b/b',
    'b/a is worth 0',
    'b/b is worth 1',
  ])
  expect(model.calls.map(({ way }) => way)).toEqual(['', '', 'a', 'a', 'b', 'b'])
})

test('more descents than there are ways end with the last of them', async () => {
  const options: PlayOnceOptions = {
    world: await openTestWorld(),
    environment: scriptedEnvironment({ a: { done: true, reward: 1 } }),
    model: inTurn(() => ['a', 'a']),
    method: { id: 'mcts', iterations: 50, samples: 2, parallel: 9 },
  }
  expect(await played(options)).toEqual(['took a', 'a is worth 1'])
})
