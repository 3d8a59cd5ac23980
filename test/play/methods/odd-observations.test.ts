import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PureSessions } from '../../../shared/environments/validation/pure-sessions.ts'
import { mcts } from '../../../shared/play/methods/mcts/mcts.ts'
import { react } from '../../../shared/play/methods/react/react.ts'
import { createTestEnvironment } from '../../support/test-environment.ts'
import { type PlayedMethod, playMethod } from './play-method.ts'

type State = { path: string[] }

/** Texts of half pairs, whole pairs and letters. */
const halves = fc
  .array(fc.constantFrom('\ud83d', '\udc00', '😀', 'a', '看'), { minLength: 1, maxLength: 8 })
  .map((parts) => parts.join(''))

/** Shows, describes and is told texts that may hold half of a pair. */
function oddEnvironment(shown: string) {
  return createTestEnvironment<State>(
    {
      reset: () => ({ state: { path: [] }, observation: `start ${shown}` }),
      step: ({ path }, action) => {
        const done = path.length === 2
        return {
          state: { path: [...path, action] },
          observation: `${path.length} ${shown}`,
          reward: done ? 1 : 0,
          done,
        }
      },
    },
    { describe: () => ({ rules: `Rules: ${shown}`, example: null }) },
  )
}

type Sessions = NonNullable<PlayedMethod<object>['sessions']>

/** Sessions that can only be brought to a state by taking its steps again, each compared with the journal. */
function replayed(environment: ReturnType<typeof oddEnvironment>): Sessions {
  return async () => {
    const source = new PureSessions(environment)
    return {
      async open(request) {
        const { live, result } = await source.open(request)
        const without = async <Result extends object>(answer: Promise<Result>) => ({
          ...(await answer),
          snapshot: null,
        })
        return {
          live: {
            step: (action) => without(live.step(action)),
            restore: () => without(live.restore(null)),
            close: () => live.close(),
          },
          result: await without(Promise.resolve(result)),
        }
      },
    }
  }
}

describe.each(['pure', 'on a host', 'by replay'] as const)('an environment played %s', (how) => {
  test.each([
    ['react', react, {}],
    ['mcts', mcts, { iterations: 3, value: 'reward' }],
  ] as const)(
    '%s: half of a surrogate pair is U+FFFD in prompts, the journal and the tree',
    async (_, method, parameters) => {
      await fc.assert(
        fc.asyncProperty(halves, async (shown) => {
          const environment = oddEnvironment(shown)
          const facts = { ...environment, snapshot: how === 'by replay' ? 'replay' : 'native' }
          const played = await playMethod({
            method: method as PlayedMethod<object>['method'],
            parameters,
            environment: facts as typeof environment,
            answer: (request) => `Thought: ${shown}\nAction: go ${request.seed % 2}`.toWellFormed(),
            ...(how === 'on a host' && { sessions: async () => new PureSessions(environment) }),
            ...(how === 'by replay' && { sessions: replayed(environment) }),
          })
          expect(played.outcome.type).toBe('ended')
          expect(played.tree.nodes.length).toBeGreaterThan(3)
          const tree = JSON.stringify(played.tree.toTree())
          expect(tree).toContain(shown.toWellFormed())
          for (const json of [
            tree,
            played.bytes,
            JSON.stringify(played.effects),
            JSON.stringify(played.requests),
          ]) {
            expect(json).not.toMatch(/\\ud[89a-f]/)
          }
        }),
        { numRuns: 6 },
      )
    },
  )
})
