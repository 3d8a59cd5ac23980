import { expect, test } from 'vitest'
import { webshopDefinition } from '../../../shared/environments/webshop/definition.ts'
import { generateShop } from '../../../shared/environments/webshop/generate-shop.ts'

const { products, goals } = generateShop()

test('every goal can be reached in full, within the default number of steps', async () => {
  const environment = await webshopDefinition.open(null)
  if (!('open' in environment)) throw new Error('webshop is played in process.')
  const core = await environment.open('webshop-0')
  const missed = goals.filter((goal, number) => {
    const shown = products[number]?.name.replace(/[^\w\s']/g, ' ')
    const actions = [
      `search[${shown}]`,
      `click[${goal.asin}]`,
      ...goal.options.map(([, value]) => `click[${value}]`),
      'click[Buy Now]',
    ]
    let { state } = core.reset(`webshop-${number}`, 0)
    let reward = 0
    for (const action of actions) {
      const result = core.step(state, action)
      state = result.state
      reward = result.reward
    }
    return reward !== 1 || actions.length > environment.default_max_steps
  })
  expect(missed.map(({ instruction }) => instruction)).toEqual([])
})
