import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { actionExample } from '../../../../functions/api/openapi/learned-examples.ts'
import { LearnedActionCard } from '../../../../web/pages/libraries/action-set-section.tsx'

const hostile = '</pre><script>alert(1)</script>\u202e'

test('nothing of what a model wrote is markup', () => {
  const html = renderToStaticMarkup(
    createElement(LearnedActionCard, {
      action: {
        ...actionExample,
        name: hostile,
        parameters: [hostile],
        description: hostile,
        code: hostile,
        notes: [hostile, hostile],
        lineage: [{ round: 1, candidate: 0, change: 'updated', reason: hostile }],
      },
    }),
  )
  expect(html).not.toContain('<script')
  expect(html).not.toContain('\u202e')
  expect(html).toContain('Round 1: rewritten by candidate 0, because')
})

test('the code is shown as it was written', () => {
  const html = renderToStaticMarkup(createElement(LearnedActionCard, { action: actionExample }))
  expect(html).toContain('act(&#x27;Pick up &#x27; + ball')
  expect(html).toContain('First: written by candidate 1')
})
