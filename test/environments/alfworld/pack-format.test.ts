import { describe, expect, test } from 'vitest'
import { alfworldDefinition } from '../../../shared/environments/alfworld/definition.ts'
import type { GameFile } from '../../../shared/environments/alfworld/game-file.ts'
import { alfworldPackFormat, gamePath } from '../../../shared/environments/alfworld/pack-format.ts'
import type { DataPack, PackSource } from '../../../shared/environments/data-pack.ts'
import { isPure } from '../../../shared/environments/environment.ts'
import { hotApple, smallFile } from './small-game.ts'

type Files = Record<string, string>

const json = (change: Partial<GameFile> = {}) => JSON.stringify({ ...smallFile(), ...change })

const reader = (files: Files) => ({
  files: Object.keys(files).sort(),
  async read(path: string) {
    const text = files[path]
    if (text === undefined) throw new Error(`${path} should not be read.`)
    return new TextEncoder().encode(text)
  },
})

async function collect(files: Files): Promise<Files> {
  const source: PackSource = reader(files)
  const packed: Files = {}
  for await (const { path, body } of alfworldPackFormat.collect(source)) {
    packed[path] = new TextDecoder().decode(body)
  }
  return packed
}

async function openPack(files: Files) {
  const pack: DataPack = { digest: 'sha', name: 'games', ...reader(files) }
  const environment = await alfworldDefinition.open(pack)
  if (!isPure(environment)) throw new Error('ALFWorld is pure.')
  return environment
}

const heat = 'pick_heat_then_place_in_recep-Apple-None-Fridge-7/trial_T1'
const look = 'look_at_obj_in_light-Mug-None-DeskLamp-301/trial_T2'
const folder: Files = {
  [`json_2.1.1/train/${heat}/game.tw-pddl`]: json(),
  [`json_2.1.1/train/${heat}/traj_data.json`]: '{}',
  [`json_2.1.1/valid_seen/${look}/game.tw-pddl`]: JSON.stringify(smallFile(hotApple, 'put')),
  'json_2.1.1/train/pick_two_obj_and_place-AppleSliced-None-Fridge-7/trial_T1/game.tw-pddl': json(),
  'json_2.1.1/train/pick_and_place_with_movable_recep-Mug-Pan-Fridge-7/trial_T1/game.tw-pddl': json(),
  'json_2.1.1/train/pick_and_place_simple-Mug-None-Fridge-7/trial_T1/game.tw-pddl': json({ solvable: false }),
  'json_2.1.1/train/pick_and_place_simple-Mug-None-Fridge-8/trial_T1/game.tw-pddl': json({
    solvable: undefined,
  }),
}

describe('a pack of games', () => {
  test('has the playable games of a folder, and a list of them', async () => {
    const packed = await collect(folder)
    expect(Object.keys(packed).sort()).toEqual([
      'index.json',
      `train/${heat}/game.tw-pddl`,
      `valid_seen/${look}/game.tw-pddl`,
    ])
    expect(packed[`train/${heat}/game.tw-pddl`]).toBe(folder[`json_2.1.1/train/${heat}/game.tw-pddl`])
    const environment = await openPack(packed)
    expect(environment.tasks()).toEqual([
      {
        id: `train/${heat}`,
        split: 'train',
        type: 'pick_heat_then_place_in_recep',
        description: 'Do what is to be done.',
        placing: 'move',
      },
      {
        id: `valid_seen/${look}`,
        split: 'valid_seen',
        type: 'look_at_obj_in_light',
        description: 'Do what is to be done.',
        placing: 'put',
      },
    ])
    const [move, put] = environment.tasks().map((task) => environment.describe(task).rules)
    expect(move).toContain('"move <object> to <receptacle>"')
    expect(put).toContain('"put <object> in/on <receptacle>"')
  })

  test('is listed without reading a game, and plays a task from its own file alone', async () => {
    const packed = await collect(folder)
    const { 'index.json': index = '' } = packed
    const task = `train/${heat}`
    const [path = ''] = alfworldPackFormat.filesOf?.(task) ?? []
    expect(path).toBe(gamePath(task))
    for (const files of [
      { 'index.json': index, [path]: packed[path] ?? '' },
      { [path]: packed[path] ?? '' },
    ]) {
      const environment = await openPack(files)
      expect(environment.tasks()).toHaveLength('index.json' in files ? 2 : 0)
      const { state, observation } = (await environment.open(task)).reset(task, 0)
      expect(observation).toContain('Your task is to: do what is to be done.')
      expect(state).toEqual({ on: [], off: [], reached: [] })
      await expect(environment.open('train/other')).rejects.toMatchObject({ code: 'unknown_task' })
    }
  })

  test("gives games the sub-goals of AgentBoard's labels beside them", async () => {
    const label = {
      id: 0,
      goal: 'heat some apple',
      subgoals: ['You open'],
      difficulty: 'hard',
      additional_info: { description: heat },
    }
    const packed = await collect({
      ...folder,
      'data/test.jsonl': `${JSON.stringify(label)}\n{"other":1}\n\n`,
    })
    const environment = await openPack(packed)
    const task = `train/${heat}`
    const levels = environment.tasks().map(({ id, level }) => [id, level])
    expect(levels.filter(([, level]) => level !== undefined)).toEqual([[task, 'hard']])
    expect(levels.length).toBeGreaterThan(1)
    const core = await environment.open(task)
    const at = core.step(core.reset(task, 0).state, 'go to fridge 1')
    expect([at.progress, core.step(at.state, 'open fridge 1').progress]).toEqual([0, 1 / 2])
  })

  test.each([
    ['no games', { 'a/readme.txt': 'hello' }, /alfworld-download/],
    [
      'only what cannot be solved',
      { 'train/a-b/t/game.tw-pddl': json({ solvable: false }) },
      /no playable game/,
    ],
    ['a game that is no JSON', { 'train/a-b/t/game.tw-pddl': 'PK' }, /train\/a-b\/t\/game\.tw-pddl/],
    ['a game without rules', { 'train/a-b/t/game.tw-pddl': '{"grammar":"x"}' }, /pddl_domain/],
    ['labels that are no JSON', { ...folder, 'test.jsonl': 'x' }, /test\.jsonl, line 1/],
  ])('%s is refused, saying what is missing', async (_name, files: Files, message) => {
    await expect(collect(files)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(message),
    })
  })

  test('with a list of another form is refused, saying how to make it anew', async () => {
    await expect(openPack({ 'index.json': '{"tasks":[{"id":1}]}' })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('espalier data add alfworld'),
    })
  })
})
