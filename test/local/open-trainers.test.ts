import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openTrainers } from '../../local/open-trainers.ts'
import { openLocalWorld } from '../../shared/core/world/local/open-local-world.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function open(content: unknown) {
  const folder = await temporaryFolder()
  const world = await openLocalWorld({ folder })
  onTestFinished(() => world.close())
  await writeFile(join(folder, 'trainers.json'), JSON.stringify(content))
  return openTrainers({ folder, world, isPrivate: true })
}

const mine = { kind: 'command', command: 'train', recipes: ['sft'], formats: ['trl'] }

const tuning = { kind: 'openai', base_url: 'https://tuning.example/v1', price: 25 }

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

  test('names fine-tuning services, whose keys are found beside the file and whose models are asked there', async () => {
    const { trainers } = await open({
      trainers: { tuning: { ...tuning, api_key_file: 'key', endpoint: { requests_per_minute: 9 } } },
    })
    const trainer = trainers.get('tuning')
    expect(trainer?.info).toMatchObject({
      kind: 'openai',
      recipes: ['sft', 'dpo'],
      formats: ['openai'],
      description: 'The fine-tuning API at tuning.example, $25 a million tokens.',
      hyperparameters: { dpo: { properties: { beta: { default: 0.1 } } } },
    })
    expect(trainer?.service?.endpointOf('ft:mine')).toMatchObject({
      kind: 'openai',
      model: 'ft:mine',
      base_url: 'https://tuning.example/v1',
      api_key_file: expect.stringMatching(/^\/.*\/key$/),
      requests_per_minute: 9,
    })
  })

  test.each([
    [{ mine: { ...tuning, price: undefined } }, 'trainers.mine.price'],
    [
      { mine: { ...tuning, api_key_env: 'A', api_key_file: 'b' } },
      'trainers.mine.api_key_file: Give only one',
    ],
    [{ mine: { ...tuning, recipes: ['kto'] } }, 'trainers.mine.recipes'],
    [{ mine: { ...tuning, kind: 'azure' } }, 'trainers.mine.kind'],
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
