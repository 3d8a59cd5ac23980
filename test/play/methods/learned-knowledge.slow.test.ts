import { expect, test } from 'vitest'
import type { EnvironmentTask } from '../../../shared/environments/environment.ts'
import { pddlDefinition } from '../../../shared/environments/pddl/definition.ts'
import type { ChatModel } from '../../../shared/play/models/chat-model.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { playOnce } from '../../support/play-once.ts'
import { openPlayer, type PlayedRun } from '../../support/play-run.ts'

const small = { id: 'learnact', candidates: 1, rounds: 0, train_tasks: 1, train_steps: 6 }
const gripper = { environment: 'pddl', tasks: { types: ['gripper'], limit: 2 } }

/** What the agents of tasks were shown first. */
function told({ trees, episodes }: PlayedRun): string[] {
  return trees
    .filter((_, place) => episodes[place]?.purpose === 'play')
    .map(({ messages }) => String(messages[0]?.content))
}

test('limits on episodes are for play: what is learned is learned whole', async () => {
  const play = await openPlayer()
  const limits = { turns: 2, steps: 2, tokens: 4000, time: 60 }
  const { run, episodes } = await play({ ...gripper, method: small, episode_limits: limits })
  expect(run.episodes).toMatchObject({ succeeded: 1, limited: 2, errored: 0 })
  expect(episodes[0]?.result).toMatchObject({ status: 'succeeded', limit: null })
  expect(episodes[0]?.result?.usage.model_calls).toBeGreaterThan(4)
})

test('what was learned of all types together is known in later runs, whatever the type of their tasks', async () => {
  const play = await openPlayer()
  const first = await play({ ...gripper, method: { ...small, learn_by: 'environment' } })
  const method = { id: 'learnact', library: first.run.library, max_steps: 3 }
  const known = told(await play({ ...gripper, method }))
  expect(known).toHaveLength(2)
  expect(known).toEqual(told(first))
  expect(known[0]).toContain('you can call these functions')
})

test('each epoch can learn for itself; a library is then what the first learned', async () => {
  const play = await openPlayer()
  const method = { ...small, max_steps: 2, learn_each_epoch: true }
  const { run, episodes, trees } = await play({ ...gripper, method, epochs: 2 })
  expect(run.learning_episodes).toBe(2)
  expect(episodes.slice(0, 2).map(({ task, epoch, purpose }) => [task, epoch, purpose])).toEqual([
    ['learn:gripper', 0, 'learn'],
    ['learn:gripper', 1, 'learn'],
  ])
  const [first, second, third, fourth] = told({ run, episodes, trees } as PlayedRun)
  expect(first).toContain('you can call these functions')
  expect(first).toBe(second)
  expect(third).toBe(fourth)
  expect(third).not.toBe(first)
  const signatures = (system = '') => system.match(/^- \w+\(.*?\)/gm)
  expect(signatures(third)?.length).toBe(new Set(signatures(third)).size)
  const later = told(
    await play({ ...gripper, method: { id: 'learnact', library: run.library, max_steps: 2 } }),
  )
  expect(later).toEqual([first, second])
})

test('a library is refused by runs whose tasks it was not learned for, or was learned from', async () => {
  const play = await openPlayer()
  const { run, trees } = await play({ ...gripper, method: small })
  const method = { id: 'code-as-policy', library: run.library }
  await expect(play({ environment: 'pddl', tasks: { types: ['barman'], limit: 1 }, method })).rejects.toThrow(
    /no actions for tasks of the type \\"barman\\": it was learned for gripper/,
  )
  const [trained = ''] = (trees[0]?.nodes ?? []).flatMap(({ action }) => action?.split(' ')[1] ?? [])
  await expect(play({ environment: 'pddl', tasks: { ids: [trained] }, method })).rejects.toThrow(
    new RegExp(`learned from tasks that this run plays.*Leave them out of tasks: ${trained}\\.`),
  )
})

test('of an earlier memory the newest notes are shown, as many as are wanted, and only to methods that can use them', async () => {
  const play = await openPlayer()
  const tasks = { types: ['depth-2'], limit: 1 }
  const training = { id: 'reflexion', train_tasks: 1, train_steps: 1, notes: 2 }
  const first = await play({ environment: 'textcraft', tasks, method: training })
  const memory_from = first.run.memory
  const [both = ''] = told(first)
  const list = (system: string) =>
    system.match(/^Heed what was learned from other tasks:\n((?:- .*\n)+)/m)?.[1]
  const notes = list(`${both}\n`)?.trim().split('\n') ?? []
  expect(notes).toHaveLength(2)

  const method = { id: 'reflexion', memory_from, notes: 1, max_steps: 1 }
  const [one = ''] = told(await play({ environment: 'textcraft', tasks, method }))
  expect(list(`${one}\n`)?.trim()).toBe(notes[1])

  const searching = { id: 'rmcts', memory_from }
  await expect(play({ environment: 'textcraft', tasks, method: searching })).rejects.toThrow(
    /learned by reflexion, and this run plays rmcts/,
  )
})

test.each([
  ['reflexion', { train_steps: 1, notes: 1 }],
  ['learnact', { train_steps: 1, candidates: 1, rounds: 0 }],
])('who learns from tasks of several types sees of each what holds there: %s', async (id, small) => {
  const environment = await pddlDefinition.open(null)
  const system = new Map<string, string>()
  const model: ChatModel = {
    async complete({ messages }) {
      const [told, seen] = messages.map(({ content }) => content)
      const isAgent = !/^You (help|extend)/.test(told ?? '')
      if (isAgent) system.set(seen ?? '', told ?? '')
      const content =
        'Note: Hm.\nDescription: Walks.\n```js\nfunction walk() { act("look around") }\n```\nAction: look around'
      return {
        choices: [{ content, finish_reason: 'stop' }],
        model_calls: 1,
        input_tokens: 1,
        output_tokens: 1,
        cost: 0,
      }
    },
  }
  const training = ['barman-003', 'gripper-003']
  const { outcome } = await playOnce({
    world: await openTestWorld(),
    environment,
    model,
    method: { id, ...small },
    task: 'learn:pddl',
    place: { purpose: 'learn', group: 'pddl', training },
  })
  expect(outcome).toEqual({ type: 'ended', limit: null })
  expect(system.size).toBe(2)
  const rulesOf = (type: string) => {
    const facts = environment.tasks().find((task) => task.type === type) as EnvironmentTask
    return environment.describe(facts).rules
  }
  for (const [seen, told] of system) {
    const [own, other] = seen.includes('shaker') ? ['barman', 'gripper'] : ['gripper', 'barman']
    expect(told).toContain(rulesOf(own as string))
    expect(told).not.toContain(rulesOf(other as string))
  }
})
