import { describe, expect, test } from 'vitest'
import { preference } from '../../../shared/data/datasets/kinds/preference.ts'
import { layOutHead, toConversation } from '../../../shared/play/search/conversation.ts'
import { attemptOf, groupOf } from '../../builders/attempts.ts'
import { head, pathOf } from '../../builders/trees.ts'
import { findAll } from '../../data/datasets/kinds/hand-made.ts'
import { readText, trajectoriesOf } from '../../data/trajectories/read-text.ts'
import { openPlayer } from '../../support/play-run.ts'

describe('a run that is laid out as ETO’s', () => {
  test('plays the example as turns, and is solved by the simulated model as any other', async () => {
    const play = await openPlayer()
    for (const method of ['react', 'act']) {
      for (const environment of ['textcraft', 'webshop', 'alfworld', 'pddl']) {
        const request = { environment, tasks: { split: 'test', limit: 3 } }
        const other = await play({ ...request, method: { id: method } })
        const { run, trees } = await play({ ...request, method: { id: method, layout: 'eto', style: 'eto' } })
        expect([run.status, run.episodes.errored]).toEqual(['succeeded', 0])
        expect(run.episodes.succeeded).toBeGreaterThan(0)
        for (const [index, tree] of trees.entries()) {
          const roles = tree.messages.map(({ role }) => role)
          expect(roles).toEqual(roles.map((_, place) => (place % 2 === 0 ? 'user' : 'assistant')))
          expect(roles.length).toBeGreaterThan(5)
          expect(tree.messages[1]?.content).toBe('OK')
          expect(tree.messages[0]?.content).not.toContain('Here is an example')
          expect(tree.messages.at(-1)?.content).toBe(other.trees[index]?.messages.at(-1)?.content)
          expect(tree.messages[2]?.content).not.toMatch(/^Observation:/)
          expect(tree.messages.slice(3, -1).filter(({ role }) => role === 'user')).toSatisfy(
            (shown: { content: string }[]) =>
              shown.every(({ content }) => content.startsWith('Observation:')),
          )
          expect(JSON.stringify(tree.nodes)).not.toContain('"text":"Observation:')
        }
      }
    }
  })

  test('has the form of ETO’s experts in its rows, so that both make pairs', async () => {
    const expert = {
      id: 'stick',
      conversations: [
        { from: 'human', value: 'rules' },
        { from: 'gpt', value: 'OK' },
        { from: 'human', value: 'task' },
        { from: 'gpt', value: 'Thought: t\nAction: a' },
        { from: 'human', value: 'Observation: saw a' },
        { from: 'gpt', value: 'Thought: t\nAction: b' },
      ],
    }
    const [imported] = trajectoriesOf(await readText(JSON.stringify([expert]), { format: 'eto' }))
    if (imported === undefined) throw new Error('The expert is a trajectory.')
    const rollout = {
      ...pathOf(['a', 'b'], 0.5, layOutHead('rules', [], { content: 'task' })),
      layout: 'eto' as const,
    }
    const sides = [
      attemptOf(toConversation(rollout)),
      attemptOf(imported.tree, { source: 'expert' }),
    ] as const
    const { rows } = await findAll(preference, groupOf([sides[0]], [sides[1]]))
    expect(rows[0]).toMatchObject({
      prompt: [{ content: 'rules' }, { content: 'OK' }, { content: 'task' }],
      chosen: [{}, { role: 'user', content: 'Observation: saw a' }, {}],
      rejected: [{}, { role: 'user', content: 'Observation: saw a' }, {}],
    })
    const plain = attemptOf(
      pathOf(['a', 'b'], 0.5, [{ role: 'system', content: 'rules' }, ...head.slice(1, 2)]),
    )
    await expect(findAll(preference, groupOf([plain], [sides[1]]))).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'parameters.layouts',
      message: expect.stringMatching(/"layout": "eto".*"layouts" to "any"/),
    })
    const any = await findAll(preference, groupOf([plain], [sides[1]]), { layouts: 'any' })
    expect(any.rows).toHaveLength(1)
  })
})
