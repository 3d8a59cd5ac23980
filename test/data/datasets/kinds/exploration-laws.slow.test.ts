import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pathTo } from '../../../../shared/data/datasets/path-to.ts'
import { parseAnswer } from '../../../../shared/play/methods/parse-answer.ts'
import { createHashEnvironment } from '../../../support/hash-environment.ts'
import { createHashModel } from '../../../support/hash-model.ts'
import { createHashModels } from '../../../support/hash-models.ts'
import type { PlayOnceOptions } from '../../../support/play-once.ts'
import { randomMethods, someMemories } from '../../../support/random-methods.ts'
import {
  annotated,
  answersOf,
  craft,
  type FoundConversation,
  findingsOf,
  played,
  rowsOf,
} from './made-attempt.ts'
import { type Line, searched, verdict } from './scripted-journal.ts'

type Searched = ReturnType<typeof searched>

const everything = { max_turns: 10_000, max_context: 10_000, min_reward: 0 }

/** Any search at all: nodes, values and decisions in any order. The last decision is its answer. */
const anySearch: fc.Arbitrary<Searched> = fc
  .record({
    events: fc.array(fc.tuple(fc.constantFrom('take', 'take', 'value', 'commit', 'verdict'), fc.nat()), {
      minLength: 1,
      maxLength: 60,
    }),
    answer: fc.nat(),
  })
  .map(({ events, answer }) => {
    const lines: Line[] = [{ take: 'first' }]
    let nodes = 1
    for (const [kind, number] of events) {
      const of = 1 + (number % nodes)
      if (kind === 'take') {
        lines.push({ take: `take ${nodes + 1}`, from: number % (nodes + 1), observation: `${number}` })
        nodes += 1
      } else if (kind === 'value') lines.push({ value: (number % 11) / 10, of })
      else if (kind === 'commit') lines.push({ commit: of })
      else lines.push({ verdicts: [verdict('ABCDE'[number % 5] as string, `Reason ${number}.`)], of })
    }
    const best = 1 + (answer % nodes)
    return searched({ lines: [...lines, { value: 1, of: best }, { commit: best }] })
  })

/** Goes through the turns as an environment would that can go back. */
async function follow(attempt: Searched, rows: readonly FoundConversation[]): Promise<void> {
  const tree = await attempt.tree()
  const { origin } = rows.at(-1) as FoundConversation
  const said = answersOf(rows.at(-1) as FoundConversation)
  const way = [0]
  for (const [place, text] of said.entries()) {
    const to = origin.node_ids[place] as number
    const undone = /\nAction: undo (\d+)$/.exec(text)?.[1]
    if (undone === undefined) {
      expect(tree.nodes[to]?.parent).toBe(way.at(-1))
      // Read as every answer is, the turn has the action that was played.
      expect(parseAnswer(text).action).toBe(tree.nodes[to]?.action)
      way.push(to)
    } else {
      expect(Number(undone)).toBeGreaterThan(0)
      way.splice(way.length - Number(undone))
      expect(way.at(-1)).toBe(to)
    }
  }
  expect(way).toEqual(pathTo(tree, tree.best))
  // The last turn is the answer's last action, not a step back to it.
  expect(parseAnswer(said.at(-1) as string).action).toBe(tree.nodes[tree.best]?.action)
}

describe('whatever a search did', () => {
  test.each(['until-found', 'whole'])('its turns, followed, end at the answer (%s)', async (search) => {
    await fc.assert(
      fc.asyncProperty(anySearch, async (attempt) => {
        await follow(attempt, await rowsOf(attempt, { ...everything, search }))
      }),
      { numRuns: 300 },
    )
  })

  test('only the last turn of a row is learned, and sides take turns', async () => {
    await fc.assert(
      fc.asyncProperty(anySearch, fc.integer({ min: 3, max: 20 }), async (attempt, half) => {
        const rows = await rowsOf(attempt, { ...everything, max_context: 2 * half })
        for (const [place, { row, origin }] of rows.entries()) {
          if (row.type !== 'conversation') throw new Error(row.type)
          const turns = row.messages.slice(1)
          expect(turns.length).toBe(Math.min(2 * (place + 1), 2 * half))
          expect(origin.node_ids).toHaveLength(turns.length / 2)
          for (const [at, { role, weight }] of turns.entries()) {
            expect(role).toBe(at % 2 === 0 ? 'user' : 'assistant')
            expect(weight).toBe(role === 'user' ? undefined : at === turns.length - 1 ? 1 : 0)
          }
        }
      }),
    )
  })

  test('the same attempt gives the same rows, and the baseline is its answer’s path', async () => {
    await fc.assert(
      fc.asyncProperty(anySearch, async (attempt) => {
        const rows = await rowsOf(attempt, everything)
        expect(await rowsOf(attempt, everything)).toEqual(rows)
        const baseline = await rowsOf(attempt, { ...everything, imitation: true })
        const tree = await attempt.tree()
        expect(baseline.at(-1)?.origin.node_ids).toEqual(pathTo(tree, tree.best).slice(1))
      }),
    )
  })

  test('rewriting never changes an action, whatever the model writes', async () => {
    const answers = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'Thought: I go.\nAction: undo 1',
        'Action: take 2',
        'Option: B',
        'Thought: x\nAction: first',
      ),
    )
    await fc.assert(
      fc.asyncProperty(anySearch, fc.infiniteStream(answers), async (attempt, stream) => {
        const given = { ...everything, choose: 'model', rewrite: 'model' }
        const asked = await annotated(attempt, given, () => stream.next().value as string)
        const actionsOf = (rows: readonly FoundConversation[]) =>
          answersOf(rows.at(-1) as FoundConversation).map((text) => text.slice(text.lastIndexOf('Action:')))
        const rows = await rowsOf(asked, given)
        expect(actionsOf(rows)).toEqual(actionsOf(await rowsOf(attempt, everything)))
        await follow(attempt, rows)
      }),
    )
  })
})

const { act: _act, react: _react, 'reflexion, trying again': _reflexion, ...searches } = randomMethods

describe('a search that was really played is rendered to its answer', () => {
  test.each(Object.entries(searches))('%s', async (_name, method) => {
    const model = createHashModel()
    await fc.assert(
      fc.asyncProperty(method, fc.nat(), async (chosen, seed) => {
        const attempt = await played({
          environment: createHashEnvironment(seed, { depth: 3 }),
          model,
          models: createHashModels(model),
          memories: someMemories,
          method: chosen as PlayOnceOptions['method'],
        })
        const found = await findingsOf(attempt, everything)
        if (found.some((each) => 'left_out' in each)) {
          // No value came back, or nothing was found.
          const tree = await attempt.tree()
          const isSearch = tree.nodes.some(({ visits }) => visits > 0)
          expect(found).toMatchObject([{ left_out: isSearch ? 'no_model_message' : 'no_search' }])
          expect(isSearch && tree.best !== 0).toBe(false)
        } else {
          await follow(attempt, found as FoundConversation[])
        }
      }),
      { numRuns: 5 },
    )
  })

  test.each([
    [{ id: 'mcts', value: 'judge', iterations: 6, branching: 3, proposals: 6, verdicts: 4 }],
    [{ id: 'mcts', value: 'debate', iterations: 6, branching: 3, proposals: 6 }],
    [{ id: 'mcts', value: 'debate', plan: 'whole-task', iterations: 30, branching: 3, proposals: 6 }],
    [{ id: 'rmcts', iterations: 6, branching: 3, proposals: 6, verdicts: 4 }],
  ])('crafting with %j, in the words of its judges', async (method) => {
    const attempts = await Promise.all([5, 7, 9].map((nth) => craft(method, 0.5, nth)))
    const perAttempt = await Promise.all(
      attempts.map((attempt) => findingsOf(attempt, { max_turns: 400, max_context: 400 })),
    )
    const solved = perAttempt.flatMap((found, place) => ('row' in (found[0] ?? {}) ? [place] : []))
    expect(solved.length).toBeGreaterThan(0)
    let restored = 0
    for (const place of solved) {
      const [attempt, rows] = [attempts[place] as Searched, perAttempt[place] as FoundConversation[]]
      await follow(attempt, rows)
      const said = answersOf(rows.at(-1) as FoundConversation)
      restored += said.filter((text) => /\nAction: undo \d+$/.test(text)).length
      // The simulated judge always says what the task is.
      const texts = said.filter(
        (text) => text.includes('Taking stock: ') && text.includes('The task is to craft'),
      )
      expect(texts.length).toBeGreaterThan(0)
    }
    expect(restored).toBeGreaterThan(0)
  })
})
