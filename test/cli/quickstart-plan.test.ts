import { describe, expect, it } from 'vitest'
import { planQuickstart } from '../../cli/quickstart-plan.ts'
import type { EndpointInfo } from '../../shared/core/contracts/catalogue.ts'
import { runRequestSchema } from '../../shared/core/contracts/run.ts'

const simulated: EndpointInfo = {
  id: 'simulated',
  object: 'endpoint',
  kind: 'simulated',
  models: ['simulated'],
  priced: true,
  ready: true,
  note: null,
  origin: 'configured',
}
const openai: EndpointInfo = { ...simulated, id: 'openai', kind: 'openai', models: [], priced: false }

describe('planQuickstart', () => {
  it('plays react and then mcts on the same tasks, without caps on the simulated model', () => {
    const { requests, announcement } = planQuickstart({ model: 'simulated' }, [simulated], 427)
    const parsed = requests.map(({ request }) => runRequestSchema.parse(request))
    expect(parsed.map((request) => request.method.id)).toEqual(['react', 'mcts'])
    for (const request of parsed) {
      // Rows are made of them, so that the test tasks stay unseen.
      expect(request.tasks).toEqual({ split: 'train', limit: 20 })
      expect(request.limits).toEqual({})
    }
    expect(announcement).toContain('40 episodes')
    expect(announcement).toContain('nothing is spent')
  })

  it('stops at a dollar in all where there are prices, and at tokens where there are none', () => {
    const flags = { model: 'gpt-5-mini' }
    const priced = planQuickstart(flags, [simulated, { ...openai, priced: true }], 427)
    expect(priced.requests.map(({ request }) => request.limits)).toEqual([{ cost: 0.2 }, { cost: 0.8 }])
    expect(priced.announcement).toContain('stopped at $1.00 in all')
    expect(priced.requests[1]?.request.method).toEqual({ id: 'mcts', iterations: 2, samples: 2 })
    expect(priced.announcement).toContain('10 episodes')
    const unpriced = planQuickstart(flags, [simulated, openai], 427)
    expect(unpriced.requests.map(({ request }) => request.limits)).toEqual([
      { tokens: 200_000 },
      { tokens: 800_000 },
    ])
    expect(unpriced.announcement).toContain('1.0 M tokens')
  })

  it('takes the caps it is given', () => {
    const { requests } = planQuickstart({ model: 'm', tasks: 1, maxCost: 4, maxTokens: 1001 }, [openai], 427)
    expect(requests[0]?.request.limits).toEqual({ cost: 0.8, tokens: 200 })
  })

  it('takes them for the simulated model too, and announces them', () => {
    const flags = { model: 'simulated', maxTokens: 1000, maxCost: 2 }
    const { requests, announcement } = planQuickstart(flags, [simulated], 427)
    expect(requests.map(({ request }) => request.limits)).toEqual([
      { cost: 0.4, tokens: 200 },
      { cost: 1.6, tokens: 800 },
    ])
    expect(announcement).toContain('nothing is spent, stopped at $2.00 or 1,000 tokens in all')
  })

  it('plays no more tasks than there are', () => {
    const { requests, announcement } = planQuickstart({ model: 'simulated', tasks: 1000 }, [simulated], 427)
    expect(announcement).toContain('854 episodes (react and mcts on 427 training tasks')
    expect(requests[0]?.request.tasks).toEqual({ split: 'train', limit: 427 })
  })

  it('says what to set when the endpoint is not there or not ready', () => {
    expect(() => planQuickstart({ model: 'gpt-5-mini', tasks: 1 }, [simulated], 427)).toThrow(
      /no endpoint "openai".*simulated.*OPENAI_API_KEY/,
    )
    expect(() =>
      planQuickstart(
        { model: 'm', tasks: 1 },
        [{ ...openai, ready: false, note: 'The key is missing.' }],
        427,
      ),
    ).toThrow('The key is missing.')
  })
})
