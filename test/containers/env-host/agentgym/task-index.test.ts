import { expect, test } from 'vitest'
import { indexTasks } from '../../../../containers/env-host/agentgym/agentgym-games.ts'
import { scienceworldDefinitions } from '../../../../shared/environments/scienceworld/scienceworld.ts'
import { webshopDefinition } from '../../../../shared/environments/webshop/definition.ts'

test("ScienceWorld's games have AgentGym's numbers", async () => {
  for (const definition of scienceworldDefinitions) {
    const tasks = indexTasks(definition.id, (await definition.open(null)).tasks())
    expect(tasks).toHaveLength(4639)
    const starts = [0, 30, 60, 90, 120, 660, 1096, 1396, 1416, 1436, 2336, 2936, 3236, 3536, 3836]
    expect(starts.map((start) => tasks[start]?.id)).toEqual([
      'boil/0',
      'melt/0',
      'freeze/0',
      'change-the-state-of-matter-of/0',
      'use-thermometer/0',
      'measure-melting-point-known-substance/0',
      'measure-melting-point-unknown-substance/0',
      'power-component/0',
      'power-component-renewable-vs-nonrenewable-energy/0',
      'test-conductivity/0',
      'test-conductivity-of-unknown-substances/0',
      'find-living-thing/0',
      'find-non-living-thing/0',
      'find-plant/0',
      'find-animal/0',
    ])
    const later = [4136, 4168, 4204, 4240, 4365, 4490, 4615, 4629, 4638]
    expect(later.map((start) => tasks[start]?.id)).toEqual([
      'chemistry-mix/0',
      'chemistry-mix-paint-secondary-color/0',
      'chemistry-mix-paint-tertiary-color/0',
      'lifespan-longest-lived/0',
      'lifespan-shortest-lived/0',
      'lifespan-longest-lived-then-shortest-lived/0',
      'identify-life-stages-1/0',
      'identify-life-stages-2/0',
      'identify-life-stages-2/9',
    ])
  }
})

test("WebShop's goals have their own numbers", async () => {
  const tasks = indexTasks('webshop', (await webshopDefinition.open(null)).tasks())
  expect([0, 9, 10, 999].map((index) => tasks[index]?.id)).toEqual([
    'webshop-0',
    'webshop-9',
    'webshop-10',
    'webshop-999',
  ])
})
