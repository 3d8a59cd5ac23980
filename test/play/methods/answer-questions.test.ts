import { expect, test } from 'vitest'
import type { BackendAnswer, ServedEnvironment } from '../../../containers/env-host/session-backend.ts'
import { runRequestSchema } from '../../../shared/core/contracts/run.ts'
import { openPictureSource } from '../../../shared/core/pictures/picture-source.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import type { HostedEnvironment } from '../../../shared/environments/environment.ts'
import { hostSessions } from '../../../shared/environments/hosts/host-sessions.ts'
import { openMethods } from '../../../shared/play/methods/methods.ts'
import { createRunPlanner } from '../../../shared/play/methods/plan-run.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { pngOf } from '../../support/picture-host.ts'
import { committedEffects, journalRecords, playOnce, treeOf } from '../../support/play-once.ts'
import { openServedHost } from '../../support/served-host.ts'
import { onlyEnvironment } from '../../support/test-environment.ts'
import { completion } from '../models/chat-request.ts'
import { scriptedModels } from '../models/scripted-models.ts'

const environment: HostedEnvironment = {
  id: 'riddles',
  description: 'Riddles whose answers a model grades.',
  snapshot: 'replay',
  deterministic: true,
  success_threshold: 1,
  default_max_steps: 4,
  reward_range: [0, 1],
  host: { kind: 'image', image: 'riddles' },
  tasks: () => [{ id: 'task', split: 'test', type: 'any', description: 'any', asks: ['judge'] }],
  describe: () => ({ rules: 'Guess.', example: null }),
}

/** Shows a picture that is to be described, and leaves the grade of `stop` to two questions, of which one is enough. */
const riddles: ServedEnvironment = {
  id: 'riddles',
  facts: async () => environment,
  async open() {
    const picture = pngOf(8, 8, [1, 2, 3])
    const captions = [
      {
        role: 'captioner' as const,
        text: 'Describe it.',
        pictures: [picture],
        placeholder: '<1>',
        template: 'shows {caption}',
      },
    ]
    const grade = {
      role: 'judge' as const,
      accept: ['correct'],
      refuse: ['incorrect'],
      otherwise: 'unreadable' as const,
    }
    const answer = (action: string | null): BackendAnswer => {
      const isEnd = action === 'stop'
      const verdicts = isEnd
        ? [
            [
              { ...grade, text: 'Grade one' },
              { ...grade, text: 'Grade two' },
            ],
          ]
        : []
      const reward = isEnd ? 1 : 0
      const questions = { verdicts, captions }
      return { observation: 'A picture <1>.', questions, reward, done: isEnd, valid: true, progress: reward }
    }
    return { reset: () => answer(null), step: answer, validActions: () => null, close: () => undefined }
  },
}

const roles = { judge: { id: 'judge' }, captioner: { id: 'captioner' } }

async function play(
  grades: readonly [string, string],
  { named = roles as Record<string, { id: string }>, world = undefined as World | undefined, steps = 9 } = {},
) {
  const at = world ?? (await openTestWorld())
  const { caller } = await openServedHost(at, riddles, 'riddles')
  const sessions = hostSessions({
    world: at,
    caller,
    image: 'riddles',
    environment: 'riddles',
    withSnapshots: false,
  })
  let acted = 0
  const answer = (body: Record<string, unknown>) => {
    const text = JSON.stringify(body.messages)
    if (body.model === 'captioner') return 'a "red"\nlamp'
    if (body.model === 'judge') return text.includes('Grade one') ? grades[0] : grades[1]
    acted += 1
    return acted < 2 ? 'Action: look' : 'Action: stop'
  }
  const endpoint = scriptedModels(
    [(body) => Response.json(completion(answer(body)))],
    {},
    {
      pictures: openPictureSource(at.objects),
    },
  )
  const options = {
    world: at,
    environment,
    sessions,
    model: endpoint.model,
    method: { id: 'react' },
    request: { model: { endpoint: 'mine', id: 'gpt-4o', max_tokens: 100 }, roles: named },
  }
  const { outcome } = await playOnce({ ...options, limits: { steps } })
  return { outcome, options, asked: endpoint.seen.map(({ body }) => String(body.model)), endpoint }
}

test('the reward holds where one question of a group has a yes, and is 0 otherwise', async () => {
  const right = await play(['incorrect', 'It is correct.'])
  expect((await treeOf(right.options)).nodes.at(-1)).toMatchObject({ reward: 1, terminal: true })
  const wrong = await play(['incorrect', 'Incorrect!'])
  expect((await treeOf(wrong.options)).nodes.at(-1)).toMatchObject({ reward: 0, terminal: true })
  expect(right.asked.filter((model) => model === 'judge')).toHaveLength(2)
})

test('a caption stands where its picture is, is asked for once, and its picture is in no journal', async () => {
  const { options, asked, endpoint } = await play(['correct', 'correct'])
  const tree = await treeOf(options)
  expect(tree.nodes.map(({ observation }) => observation[0])).toEqual(
    Array(3).fill({ type: 'text', text: 'A picture shows a red lamp.' }),
  )
  expect(asked.filter((model) => model === 'captioner')).toHaveLength(1)
  const [request] = endpoint.seen.filter(({ body }) => body.model === 'captioner')
  expect(JSON.stringify(request?.body)).toContain(pngOf(8, 8, [1, 2, 3]).data)
  expect(JSON.stringify(await journalRecords(options))).not.toContain(pngOf(8, 8, [1, 2, 3]).data)
})

test('an episode that goes on elsewhere asks nothing again that was answered', async () => {
  const world = await openTestWorld()
  const first = await play(['correct', 'correct'], { world, steps: 1 })
  const before = await committedEffects(first.options)
  const second = await play(['correct', 'correct'], { world })
  expect(second.outcome).toEqual({ type: 'ended', limit: null })
  expect(second.asked).not.toContain('captioner')
  expect((await committedEffects(first.options)).slice(0, before.length)).toEqual(before)
})

test('an answer that cannot be read, or a role that is not named, fails the episode: never a reward of 0', async () => {
  const unread = await play(['Who knows', 'correct'])
  expect(unread.outcome).toMatchObject({
    type: 'failed',
    error: { code: 'endpoint_failed', param: 'roles.judge', message: expect.stringContaining('"Who knows"') },
  })
  const unnamed = await play(['correct', 'correct'], { named: { captioner: { id: 'captioner' } } })
  expect(unnamed.outcome).toMatchObject({ type: 'failed', error: { param: 'roles.judge' } })
})

test('without a captioner nothing stands where the caption would', async () => {
  const { options, outcome } = await play(['correct', 'correct'], { named: { judge: { id: 'judge' } } })
  expect(outcome).toEqual({ type: 'ended', limit: null })
  expect((await treeOf(options)).nodes[0]?.observation[0]).toEqual({ type: 'text', text: 'A picture .' })
})

test('a run whose tasks need a role is refused unless it names the role', async () => {
  const planner = createRunPlanner({
    methods: openMethods(),
    environments: onlyEnvironment(environment),
    isPriced: () => false,
  })
  const plan = (named: object) =>
    planner.plan(
      runRequestSchema.parse({
        environment: 'riddles',
        method: { id: 'react' },
        model: { endpoint: 'test', id: 'test' },
        roles: named,
      }),
    )
  await expect(plan({})).rejects.toMatchObject({ param: 'roles.judge', message: /scores the task task/ })
  await expect(plan({ judge: {} })).resolves.toMatchObject({ tasks: ['task'] })
})
