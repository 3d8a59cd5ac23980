import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { DatasetPreview } from '../../../../shared/core/contracts/dataset-preview.ts'
import { AskingSection } from '../../../../web/pages/new-dataset/asking-section.tsx'
import { asksOf, describeCost } from '../../../../web/pages/new-dataset/asks-of.ts'

const asks = { endpoint: 'openai', model: 'm', episodes: 7 }

function preview(shown: DatasetPreview['asks'], more: Partial<Parameters<typeof asksOf>[0]> = {}) {
  const data = { asks: shown } as DatasetPreview
  return { data, error: null, isOld: false, ...more }
}

test('a preview tells whether a model is asked only of the draft that it was made of', () => {
  expect([null, asks].map((shown) => asksOf(preview(shown)))).toEqual([null, asks])
  const unknown: Parameters<typeof preview>[1][] = [
    { isOld: true },
    { error: new Error('Lost.') },
    { data: undefined },
  ]
  for (const more of unknown) {
    expect([null, asks].map((shown) => asksOf(preview(shown, more)))).toEqual([undefined, undefined])
  }
  expect(describeCost(asksOf(preview(null)), true)).toContain('costs nothing')
  expect(describeCost(asksOf(preview(null, { isOld: true })), true)).toContain('costs money')
})

test('the endpoint and the limits are offered until it is known that no model is asked', () => {
  const render = (shown: DatasetPreview['asks'] | undefined) =>
    renderToStaticMarkup(
      createElement(AskingSection, {
        draft: {},
        onChange: () => undefined,
        errors: () => ({}),
        endpoints: [],
        asks: shown,
      }),
    )
  for (const shown of [undefined, asks]) expect(render(shown)).toMatch(/Endpoint.*>cost</s)
  expect(render(asks)).toContain('openai/m about up to 7 episodes')
  expect(render(null)).toContain('no model is asked')
  expect(render(null)).not.toContain('Endpoint')
})
