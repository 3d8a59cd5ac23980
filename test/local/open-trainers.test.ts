import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openTrainers } from '../../local/open-trainers.ts'
import { openLocalWorld } from '../../shared/world/local/open-local-world.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function open(content: unknown) {
  const folder = await temporaryFolder()
  const world = await openLocalWorld({ folder })
  onTestFinished(() => world.close())
  await writeFile(join(folder, 'trainers.json'), JSON.stringify(content))
  return openTrainers({ folder, world, isPrivate: true })
}

const mine = { kind: 'command', command: 'train', recipes: ['sft'], formats: ['trl'] }

describe('trainers.json', () => {
  test('names trainers beside the local one', async () => {
    const { trainers } = await open({
      trainers: { mine, factory: { kind: 'command', template: 'llamafactory' } },
    })
    expect([...trainers.values()].map(({ info }) => [info.id, info.kind, info.formats])).toEqual([
      ['local', 'local', ['trl']],
      ['mine', 'command', ['trl']],
      ['factory', 'command', ['llama-factory']],
    ])
  })

  test('names the accelerator that trainings hold', async () => {
    const { trainers } = await open({
      local: { accelerator: 'gpu-0' },
      trainers: { mine: { ...mine, accelerator: 'gpu-1' }, cloud: { ...mine, accelerator: 'none' } },
    })
    const named = [...trainers].map(([id, { accelerator }]) => [id, accelerator])
    expect(named).toEqual([
      ['local', 'gpu-0'],
      ['mine', 'gpu-1'],
      ['cloud', null],
    ])
  })

  test.each([
    [{ mine: { ...mine, accelerator: '' } }, 'trainers.mine.accelerator'],
    [{ mine: { ...mine, recipes: undefined } }, 'trainers.mine.recipes'],
    [{ mine: { ...mine, formats: ['yaml'] } }, 'trainers.mine.formats'],
    [{ mine: { ...mine, arguments: ['{jobs}'] } }, 'trainers.mine.arguments.0: has the unknown place {jobs}'],
    [{ mine: { ...mine, settings: { a: 1 } } }, 'trainers.mine.settings: is for templates'],
    [{ mine: { kind: 'command', template: 'axolotl', recipes: ['sft'] } }, 'trainers.mine.recipes'],
    [{ mine: { ...mine, grace: 1 } }, 'grace'],
    [{ local: mine }, 'trainers.local'],
  ])('that is not as it should be is refused with its field: %j', async (trainers, words) => {
    await expect(open({ trainers })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining(words),
    })
  })
})
