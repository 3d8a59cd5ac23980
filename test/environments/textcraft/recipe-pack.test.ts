import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { overFolders } from '../../../containers/env-host/over-folder.ts'
import type { DataPack, PackSource } from '../../../shared/environments/data-pack.ts'
import { folderSource } from '../../../shared/environments/folder-source.ts'
import { textcraftDefinition } from '../../../shared/environments/textcraft/definition.ts'
import { createRecipeBook } from '../../../shared/environments/textcraft/recipe-book.ts'
import recipes from '../../../shared/environments/textcraft/recipes.data.json' with { type: 'json' }
import { createServerTasks, type TextcraftTask } from '../../../shared/environments/textcraft/tasks.ts'
import type { Textcraft } from '../../../shared/environments/textcraft/textcraft.ts'
import { facadeHost } from '../../containers/env-host/facade-host.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const item = (name: string) => ({ item: `minecraft:${name}` })
const shapeless = (output: string, ...ingredients: string[]) => ({
  type: 'minecraft:crafting_shapeless',
  ingredients: ingredients.map(item),
  result: { ...item(output), count: 1 },
})

/** Gold can be made of nuggets, and nuggets of gold: whichever comes first is kept. */
const files: Record<string, object> = {
  'torch.json': shapeless('torch', 'coal', 'stick'),
  'stick.json': shapeless('stick', 'bamboo'),
  'gold_nugget.json': shapeless('gold_nugget', 'gold_ingot'),
  'gold_ingot.json': shapeless('gold_ingot', 'gold_nugget'),
  'bowl.json': shapeless('bowl', 'clay'),
  'stone_from_smelting.json': { type: 'minecraft:smelting', ingredient: item('cobblestone') },
}
const order = [
  'gold_ingot.json',
  'torch.json',
  'stone_from_smelting.json',
  'bowl.json',
  'gold_nugget.json',
  'stick.json',
]

function sourceOf(texts: Record<string, string>, listed?: string[]): PackSource {
  return {
    files: Object.keys(texts).sort(),
    ...(listed && { listed }),
    read: async (path) => Buffer.from(texts[path] ?? ''),
  }
}

const texts = Object.fromEntries(
  Object.entries(files).map(([name, recipe]) => [name, JSON.stringify(recipe)]),
)

async function packOf(source: PackSource): Promise<DataPack> {
  const bodies = new Map<string, Uint8Array>()
  for await (const { path, body } of textcraftDefinition.pack?.collect(source) ?? []) bodies.set(path, body)
  return {
    digest: 'd',
    name: 'recipes',
    files: [...bodies.keys()],
    read: async (path) => bodies.get(path) ?? Buffer.of(),
  }
}

async function goalsOf(source: PackSource): Promise<string[]> {
  const environment = await textcraftDefinition.open(await packOf(source))
  const byNumber = environment.tasks().toSorted((one, other) => numberOf(one.id) - numberOf(other.id))
  return byNumber.map((task) => (task as TextcraftTask).goal.replace('minecraft:', ''))
}

const numberOf = (id: string) => Number(id.replace('textcraft_', ''))

test("a pack of a server's recipes numbers its goals by depth, then in the order in which it loads them", async () => {
  expect(await goalsOf(sourceOf(texts, order))).toEqual(['gold_ingot', 'bowl', 'stick', 'torch'])
  expect(await goalsOf(sourceOf(texts, order.toReversed()))).toEqual([
    'stick',
    'gold_nugget',
    'bowl',
    'torch',
  ])
})

test('the order comes from order.txt where there is one, and is that of the names where there is none', async () => {
  const listed = ['order.txt', ...order.toReversed()]
  const withOrder = { ...texts, 'order.txt': `${order.join('\n')}\norder.txt\n` }
  expect(await goalsOf(sourceOf(withOrder, listed))).toEqual(['gold_ingot', 'bowl', 'stick', 'torch'])
  expect(await goalsOf(sourceOf(texts))).toEqual(['bowl', 'gold_ingot', 'stick', 'torch'])
  for (const wrong of [order.slice(1), [...order, 'iron.json'], [...order, ...order.slice(0, 1)]]) {
    const source = sourceOf({ ...texts, 'order.txt': wrong.join('\n') })
    await expect(packOf(source)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('os.listdir'),
    })
  }
})

test('recipes are found in a folder of the server, and what is none is refused', async () => {
  const inFolder = Object.fromEntries(Object.entries(texts).map(([name, text]) => [`recipes/${name}`, text]))
  expect(await goalsOf(sourceOf(inFolder))).toHaveLength(4)
  const broken = { ...texts, 'bowl.json': '{"type": "minecraft:crafting_shapeless"}' }
  await expect(packOf(sourceOf(broken))).rejects.toMatchObject({ message: expect.stringContaining('"bowl"') })
  await expect(packOf(sourceOf({ 'a.json': 'no' }))).rejects.toMatchObject({ code: 'invalid_request' })
  await expect(packOf(sourceOf({ 'readme.md': '' }))).rejects.toMatchObject({
    message: expect.stringContaining('no crafting recipes'),
  })
})

test("its split test has the numbers of AgentGym's evaluation set", () => {
  const tasks = createServerTasks(createRecipeBook(recipes))
  const tests = tasks.filter(({ split }) => split === 'test').map(({ id }) => numberOf(id))
  expect(tests).toHaveLength(100)
  expect([tests[0], tests[30], tests[31], tests[71], tests[72], tests[96], tests[97], tests[99]]).toEqual([
    0, 30, 140, 180, 420, 444, 533, 535,
  ])
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(tasks.length)
})

test('a host plays the recipes of a folder, all or one split, by the numbers of the server', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'recipes'))
  for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, 'recipes', name), text)
  await writeFile(join(folder, 'recipes', 'order.txt'), order.join('\n'))
  const definitions = await overFolders([textcraftDefinition], { textcraft: folder })
  const { post } = await facadeHost({ definitions })
  const goal = async (base: string, data_idx: number) => {
    const { observation } = (await (await post(`${base}/reset`, { id: 0, data_idx })).json()) as {
      observation: string
    }
    return observation.split('Goal: ')[1]
  }
  for (const base of ['/agentgym/textcraft', '/agentgym/textcraft/split/test']) {
    await post(`${base}/create`, {})
    expect(await goal(base, 0)).toBe('craft gold ingot.')
    expect(await goal(base, 3)).toBe('craft torch.')
  }
  await expect(overFolders([textcraftDefinition], { pdl: folder })).rejects.toMatchObject({
    message: expect.stringContaining('ESPALIER_HOST_DATA names "pdl"'),
  })
})

test('a host is given the recipes with a task, and then plays that', async () => {
  const pack = await packOf(sourceOf(texts, order))
  const paths = textcraftDefinition.pack?.filesOf?.('textcraft_0') ?? []
  expect(paths).toEqual(pack.files)
  const environment = (await textcraftDefinition.open(pack)) as Textcraft
  expect(environment.reset('textcraft_3', 0).observation).toContain('Goal: craft torch.')
  expect(() => environment.reset('textcraft-0003', 0)).toThrow('no task')
})

test('a folder is listed in the order of the file system, and sorted beside it', async () => {
  const folder = await temporaryFolder()
  for (const name of ['b', 'a', 'c']) await writeFile(join(folder, name), name)
  const { files: sorted, listed } = await folderSource(folder)
  expect(sorted).toEqual(['a', 'b', 'c'])
  expect(listed?.toSorted()).toEqual(sorted)
})
