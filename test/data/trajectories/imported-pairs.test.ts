import fc from 'fast-check'
import { expect, test } from 'vitest'
import { preference } from '../../../shared/data/datasets/kinds/preference.ts'
import { attemptOf, groupOf } from '../../builders/attempts.ts'
import { findAll } from '../datasets/kinds/hand-made.ts'
import { readText, rejectionsOf, trajectoriesOf } from './read-text.ts'

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map((word) => `x${word}`)
const answer = text.map((value) => ({ from: 'gpt', value }))
const observation = text.map((value) => ({ from: 'human', value }))
// Answers with observations between them, as ETO writes a side.
const side = fc
  .tuple(fc.array(fc.tuple(answer, observation), { maxLength: 4 }), answer)
  .map(([turns, last]) => [...turns.flat(), last])
const pair = fc.record({
  id: fc.nat(6909),
  prompt: fc.tuple(observation, fc.constant({ from: 'gpt', value: 'OK' }), observation),
  chosen: side,
  rejected: side,
})

const roles: Record<string, string> = { gpt: 'assistant', human: 'user' }
const told = (turns: readonly { from: string; value: string }[]) =>
  turns.map(({ from, value }) => ({ role: roles[from], content: value }))

test('pairs of ETO come in as one trajectory each, and out as the same preference rows', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(pair, { minLength: 1, maxLength: 3 }), async (pairs) => {
      const content = JSON.stringify(pairs)
      const read = trajectoriesOf(
        await readText(content, { format: 'eto', environment: 'webshop' }, { file: 'pm.json' }),
      )
      expect(read.map(({ tree }) => tree.task)).toEqual(pairs.map(({ id }) => `webshop-${id}`))
      const attempts = read.map(({ tree, reward }, at) =>
        attemptOf(tree, { method: tree.method, reward, episode: String(at) }),
      )
      const { found } = await findAll(preference, groupOf(attempts))
      expect(found.map(({ row }) => row)).toEqual(
        pairs.map(({ prompt, chosen, rejected }) => ({
          type: 'preference',
          prompt: told(prompt),
          chosen: told(chosen),
          rejected: told(rejected),
        })),
      )
      for (const [at, { origin, other }] of found.entries()) {
        expect([origin.attempt, other?.attempt]).toEqual([attempts[at], attempts[at]])
        expect(origin.node_ids.slice(1).filter((id) => other?.node_ids.includes(id))).toEqual([])
      }
    }),
    { numRuns: 50 },
  )
})

test('a side that does not end on the model gives no pair, and a side without turns is refused by its name', async () => {
  const [whole] = fc.sample(pair, { numRuns: 1, seed: 1 })
  if (whole === undefined) throw new Error('There is no sample.')
  const open = { ...whole, rejected: [...whole.rejected, { from: 'human', value: 'Nothing happens.' }] }
  const settings = { format: 'eto', environment: 'webshop' } as const
  const [read] = trajectoriesOf(await readText(JSON.stringify([open]), settings, { file: 'pm.json' }))
  if (read === undefined) throw new Error('Nothing was read.')
  const attempt = attemptOf(read.tree, { method: read.tree.method, reward: read.reward })
  expect((await findAll(preference, groupOf([attempt]))).found.map(({ row }) => row.rejected)).toEqual([
    told(whole.rejected),
  ])
  const { rejected } = rejectionsOf(
    await readText(JSON.stringify([{ ...whole, chosen: [{ from: 'gpt' }] }]), settings, { file: 'pm.json' }),
  )
  expect(rejected.map(({ field }) => field)).toEqual([expect.stringContaining('conversations')])
})
