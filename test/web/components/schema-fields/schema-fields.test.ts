import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../../../shared/core/contracts/json.ts'
import { SchemaFields } from '../../../../web/components/schema-fields/schema-fields.tsx'

const schema: JsonObject = {
  properties: {
    iterations: { type: 'integer', minimum: 1, default: 8, description: 'Descents.' },
    backup: { type: 'string', enum: ['mean', 'max'], default: 'mean' },
    rubric: { type: 'boolean', default: true },
    most: { default: 32, anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }] },
    library: { type: 'string' },
    weights: { type: 'object' },
  },
}

function render(value: JsonObject, more: Partial<Parameters<typeof SchemaFields>[0]> = {}): string {
  return renderToStaticMarkup(
    createElement(SchemaFields, { schema, value, onChange: () => undefined, ...more }),
  )
}

/** The element of the field whose label is the name, with what describes it. */
function fieldOf(html: string, name: string) {
  const [, id = ''] = new RegExp(`<label for="([^"]+)"[^>]*><code[^>]*>${name}<`).exec(html) ?? []
  const [element = ''] = new RegExp(`<\\w+[^>]* id="${id}"[^>]*>`).exec(html) ?? []
  const described = (/aria-describedby="([^"]+)"/.exec(element)?.[1] ?? '')
    .split(' ')
    .map((each) => new RegExp(`id="${each}"[^>]*>([^<]*)`).exec(html)?.[1])
  return { element, described }
}

test('every parameter has its label, its default, and what it is for', () => {
  const html = render({})
  expect(fieldOf(html, 'iterations').element).toContain('placeholder="default: 8"')
  expect(fieldOf(html, 'iterations').described).toEqual(['Descents.'])
  expect(html).toContain('mean (default)')
  expect(fieldOf(html, 'rubric').element).toContain('checked')
  expect(fieldOf(html, 'most').element).toContain('placeholder="default: 32"')
  expect(fieldOf(html, 'weights').element).toMatch(/^<textarea/)
})

test('what is wrong stands at its field: the form’s own word first, then the service’s', () => {
  const errors = { iterations: 'The service refuses it.', library: 'There is no library "x".' }
  const wrong = fieldOf(render({ iterations: 0 }, { errors }), 'iterations')
  expect(wrong.element).toContain('aria-invalid="true"')
  expect(wrong.described).toEqual(['Descents.', 'At least 1.'])
  const refused = fieldOf(render({ iterations: 2 }, { errors }), 'iterations')
  expect(refused.described).toEqual(['Descents.', 'The service refuses it.'])
  expect(fieldOf(render({ library: 'x' }, { errors }), 'library').described).toEqual([
    'There is no library &quot;x&quot;.',
  ])
})

test('a parameter can be none where it takes that, can be left to others, and can be one of what there is', () => {
  expect(render({ most: null })).toMatch(/>none<\/span>.*checked/s)
  expect(render({}, { omit: ['most', 'rubric'] })).not.toMatch(/>(most|rubric)</)
  const suggested = render({}, { suggestions: { library: [{ value: 'lib-1', label: 'learnact' }] } })
  expect(suggested).toContain('<option value="lib-1" label="learnact">')
})
