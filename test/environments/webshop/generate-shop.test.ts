import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { webshopDefinition } from '../../../shared/environments/webshop/definition.ts'
import { generateShop } from '../../../shared/environments/webshop/generate-shop.ts'
import { createWebshopTasks, splitByProduct } from '../../../shared/environments/webshop/webshop.ts'

const { products, goals } = generateShop()

test('the generated shop is the one that task ids refer to', () => {
  const digest = hash('sha256', JSON.stringify({ products, goals }))
  expect(digest).toBe('5f5d57b14242cfc83b4f26d3d429a041b0cb4b6c808d81088ce995cd77a05b32')
})

test('it has 1,000 products with numbers of their own, and as many goals, half of them as people write', () => {
  expect(products).toHaveLength(1000)
  expect(new Set(products.map(({ asin }) => asin)).size).toBe(1000)
  expect(products.filter(({ asin }) => !/^B0[0-9A-Z]{8}$/.test(asin))).toEqual([])
  expect(new Set(goals.map(({ instruction }) => instruction)).size).toBe(1000)
  expect(goals.filter(({ kind }) => kind === 'human')).toHaveLength(500)
})

test('splits share no goal and no product', () => {
  const tasks = createWebshopTasks(goals, splitByProduct)
  const counts: Record<string, number> = {}
  for (const { split } of tasks) counts[split] = (counts[split] ?? 0) + 1
  expect(counts).toEqual({ test: 199, dev: expect.any(Number), train: expect.any(Number) })
  expect(counts.dev).toBeGreaterThan(60)
  expect(counts.train).toBeGreaterThan(600)
  expect(new Set(goals.map(({ asin }) => asin)).size).toBe(goals.length)
})

test('the example of the guide is no product of the shop, and its actions are understood', async () => {
  const environment = await webshopDefinition.open(null)
  const { example, rules } = environment.describe({ id: 'webshop-0', split: '', type: '', description: '' })
  expect(rules).toContain('search[keywords]')
  expect(example?.turns.map(({ action }) => action)).toEqual([
    expect.stringMatching(/^search\[.+\]$/),
    ...Array(3).fill(expect.stringMatching(/^click\[.+\]$/)),
  ])
  expect(
    goals.map(({ instruction }) => instruction).some((text) => example?.observation.includes(text)),
  ).toBe(false)
})
