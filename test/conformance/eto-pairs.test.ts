import { describe, expect, test } from 'vitest'
import type { Message } from '../../shared/core/contracts/message.ts'
import type { Tree } from '../../shared/core/contracts/tree.ts'
import { type Contender, pairUp } from '../../shared/data/datasets/kinds/pair-up.ts'
import { preference } from '../../shared/data/datasets/kinds/preference.ts'
import { attemptOf, groupOf } from '../builders/attempts.ts'
import { rootNode, treeNode, treeOf } from '../builders/trees.ts'
import { findAll } from '../data/datasets/kinds/hand-made.ts'
import { describeWithConformance, readConformance } from './conformance-folder.ts'

interface Turn {
  from: 'human' | 'gpt'
  value: string
}

interface ReferencePair {
  id: string
  prompt: Turn[]
  chosen: Turn[]
  rejected: Turn[]
}

interface ReferenceCase {
  task: string
  icl_offset: number
  max_extra_turns: number
  golden: { id: string | number; reward?: number; conversations: Turn[] }[]
  explored: { id: string | number; meta: { reward: number | null }; conversations: Turn[] }[]
  expected: ReferencePair[]
}

/** What each expert conversation begins with: the instruction, and the answer to it. */
const goldenOffset = 2

describeWithConformance(
  'eto/pairs.json',
  () => readConformance<ReferenceCase[]>('eto/pairs.json'),
  (cases) => {
    describe.each(cases.map((each, index) => [`case ${index}, ${each.task}`, each] as const))(
      '%s',
      (_, each) => {
        const experts = new Map(each.golden.map((golden) => [String(golden.id), golden]))
        const met = each.explored.flatMap((explored) => {
          const golden = experts.get(String(explored.id))
          return golden
            ? [{ id: String(explored.id), golden: expertOf(golden), explored: exploredOf(explored, each) }]
            : []
        })
        const expected = each.expected.toSorted(byId)

        test('gives the reference’s pairs', () => {
          const rules = { margin: 0, maxExtraMessages: each.max_extra_turns }
          const pairs = met.flatMap(({ id, golden, explored }) => {
            const pair = pairUp(golden, explored, rules)
            return pair ? [{ id, ...toTurns(pair.row) }] : []
          })
          expect(pairs.toSorted(byId)).toEqual(expected)
        })

        test('gives the same pairs from trees', async () => {
          const pairs: ReferencePair[] = []
          for (const { id, golden, explored } of met) {
            // A path in a tree always ends on the model, so an expert that does not is no case of it.
            if (golden.turns.at(-1)?.role !== 'assistant') continue
            const group = groupOf([toAttempt(explored)], [toAttempt(golden)])
            const parameters = { max_extra_messages: each.max_extra_turns }
            const { rows } = await findAll(preference, group, parameters)
            pairs.push(...rows.map((row) => ({ id, ...toTurns(row) })))
          }
          expect(pairs.toSorted(byId)).toEqual(expected)
        })
      },
    )
  },
)

function expertOf({ reward = 1, conversations }: ReferenceCase['golden'][number]): Contender {
  return { reward, isExpert: true, ...split(conversations.slice(goldenOffset)) }
}

function exploredOf(
  { meta, conversations }: ReferenceCase['explored'][number],
  { icl_offset }: ReferenceCase,
): Contender {
  return { reward: meta.reward, isExpert: false, ...split(conversations.slice(icl_offset)) }
}

/** The first message states the task; the rest was played. */
function split([first, ...rest]: Turn[]): Pick<Contender, 'head' | 'turns'> {
  return { head: first ? [toMessage(first)] : [], turns: rest.map(toMessage) }
}

function toAttempt({ reward, head, turns }: Contender) {
  return attemptOf(toTree(head, turns), { reward })
}

/** A path whose nodes are the model's turns, each with what the environment answered. */
function toTree(head: readonly Message[], turns: readonly Message[]): Tree {
  const nodes = turns.flatMap(({ role, content }, place) => {
    if (role !== 'assistant') return []
    const shown = turns[place + 1]?.content ?? ''
    return [treeNode(place / 2, 'act', { message: content, observation: [{ type: 'text', text: shown }] })]
  })
  return treeOf(nodes.length, [rootNode, ...nodes], { messages: [...head] })
}

function toMessage({ from, value }: Turn): Message {
  return { role: from === 'gpt' ? 'assistant' : 'user', content: value }
}

function toTurns(row: {
  prompt: Message[]
  chosen: Message[]
  rejected: Message[]
}): Omit<ReferencePair, 'id'> {
  const turns = (messages: readonly Message[]) =>
    messages.map(
      ({ role, content }): Turn => ({ from: role === 'assistant' ? 'gpt' : 'human', value: content }),
    )
  return { prompt: turns(row.prompt), chosen: turns(row.chosen), rejected: turns(row.rejected) }
}

function byId(left: ReferencePair, right: ReferencePair): number {
  return left.id < right.id ? -1 : 1
}
