import type { MethodLawId } from '../../../../shared/core/contracts/method-validation.ts'
import { singlePathEffort } from '../../../../shared/play/methods/authoring.ts'
import { defineMethod, type MethodDeclaration } from '../../../../shared/play/methods/define-method.ts'
import type { Method } from '../../../../shared/play/methods/method.ts'
import type { MethodScope } from '../../../../shared/play/methods/method-scope.ts'
import type { SearchNode } from '../../../../shared/play/search/tree.ts'

type Play = (scope: MethodScope, parameters: { max_steps?: number }) => Promise<void>

const declaration = {
  id: 'faulty',
  description: 'Breaks a law.',
  parameters: { type: 'object', properties: { max_steps: { type: 'integer', minimum: 1 } } },
  branches: false,
  effort: singlePathEffort,
} satisfies Partial<MethodDeclaration>

function faulty(play: Play, more: Partial<MethodDeclaration> = {}): Method {
  return defineMethod({ ...declaration, play: play as Method['play'], ...more } as MethodDeclaration)
}

/** One path, as react plays it, with something else at each node. */
function along(at: (scope: MethodScope, node: SearchNode) => Promise<SearchNode | undefined>): Play {
  return async (scope, { max_steps = scope.defaultMaxSteps }) => {
    let node: SearchNode | undefined = scope.tree.root
    while (node && !node.done && node.depth < max_steps) node = await at(scope, node)
  }
}

const stepOf = async (scope: MethodScope, node: SearchNode, key = 'sample') => {
  const [proposal] = await scope.propose(node, { key })
  return proposal && scope.step(node, proposal)
}

let remembered = 0

/** A method for each law, which breaks that law. */
export const faultyMethods: Record<string, { method: Method; breaks: MethodLawId[] }> = {
  'nothing at all': { method: faulty(along(stepOf)), breaks: [] },
  'an error of its own': {
    method: faulty(
      along(async (scope, node) => {
        if (node.depth === 2) throw new TypeError('no third action')
        return stepOf(scope, node)
      }),
    ),
    breaks: ['plays'],
  },
  'a promise of its own': {
    method: faulty(
      along(async (scope, node) => {
        if (node.depth === 1) await new Promise(() => undefined)
        return stepOf(scope, node)
      }),
    ),
    breaks: ['waits'],
  },
  'a key for two calls': {
    method: faulty(
      along(async (scope, node) => {
        await scope.propose(node, { key: 'sample' })
        return stepOf(scope, node)
      }),
    ),
    breaks: ['keys'],
  },
  'a variable of the module': {
    method: faulty(
      along(async (scope, node) => {
        remembered += 1
        return stepOf(scope, node, `sample/${remembered}`)
      }),
    ),
    breaks: ['same-again', 'replay', 'resume'],
  },
  'the answer that comes first': {
    method: faulty(
      along(async (scope, node) => {
        const both = ['one', 'other'].map((key) => scope.propose(node, { key }))
        const first = await Promise.race(both)
        await Promise.all(both)
        const [proposal] = first
        return proposal && scope.step(node, proposal)
      }),
      {
        effort: (parameters, bounds) => {
          const one = singlePathEffort(parameters, bounds)
          return { ...one, at_most: one.at_most.map((calls) => calls * 2), side_by_side: 2 }
        },
      },
    ),
    breaks: ['any-order'],
  },
  'steps without asking': {
    method: faulty(async (scope, { max_steps = 6 }) => {
      const [proposal] = await scope.propose(scope.tree.root, { key: 'sample' })
      let node = scope.tree.root
      while (proposal && !node.done && node.depth < max_steps * 4)
        node = await scope.step(node, { ...proposal, effect: `${proposal.effect}/${node.depth}` })
    }),
    breaks: ['limits', 'horizon'],
  },
  'more calls than it says': {
    method: faulty(along(stepOf), {
      effort: () => ({ expected: [1], at_most: [1], side_by_side: 1, reason: 'one call' }),
    }),
    breaks: ['effort'],
  },
  'a role that it does not declare': {
    method: faulty(
      along(async (scope, node) => {
        await scope.ask({
          key: `verdict/${node.index}`,
          role: 'value',
          messages: [{ role: 'user', content: 'Well?' }],
        })
        return stepOf(scope, node)
      }),
      {
        effort: (...given) => ({
          ...singlePathEffort(...given),
          others: [{ role: 'value', expected: [], at_most: [100], answers: 1 }],
        }),
      },
    ),
    breaks: ['roles'],
  },
  'a longer path than its parameter': {
    method: faulty(
      async (scope, { max_steps = 6 }) => {
        let node: SearchNode | undefined = scope.tree.root
        while (node && !node.done && node.depth < max_steps + 2) node = await stepOf(scope, node)
      },
      {
        effort: (_, bounds) => singlePathEffort({ max_steps: 20 }, bounds),
      },
    ),
    breaks: ['horizon'],
  },
  'going back without a word': {
    method: faulty(
      along(async (scope, node) => {
        const [proposal] = await scope.propose(node, { key: 'sample' })
        if (!proposal) return undefined
        await scope.step(node, proposal)
        return scope.step(node, { ...proposal, effect: `${proposal.effect}/again` })
      }),
    ),
    breaks: ['branches'],
  },
  'another start with a larger parameter': {
    method: faulty(
      async (scope, { max_steps = 6 }) => {
        let node: SearchNode | undefined = scope.tree.root
        while (node && !node.done && node.depth < max_steps)
          node = await stepOf(scope, node, `of/${max_steps}`)
      },
      { extendable: () => ['max_steps'] },
    ),
    breaks: ['extend'],
  },
}
