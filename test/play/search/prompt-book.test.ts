import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkPrompts, PromptBook } from '../../../shared/play/search/prompt-book.ts'
import { definePrompt, slotsOf } from '../../../shared/play/search/prompt-template.ts'

const greeting = definePrompt({
  id: 'greeting',
  purpose: 'Greets.',
  text: `{{before}}

Hello {{name}}.

{{between}}

{{more}}

Goodbye.

{{after}}`,
})
const empty = { before: '', name: 'you', between: '', more: '', after: '' }

describe('a prompt', () => {
  test('has its slots filled', () => {
    const all = { before: 'B', name: 'N', between: 'X\nY', more: 'M', after: 'A' }
    expect(new PromptBook().fill(greeting, all)).toBe('B\n\nHello N.\n\nX\nY\n\nM\n\nGoodbye.\n\nA')
  })

  test('shows no gap where a slot is empty, wherever it stands', () => {
    const book = new PromptBook()
    expect(book.fill(greeting, empty)).toBe('Hello you.\n\nGoodbye.')
    expect(book.fill(greeting, { ...empty, more: 'M' })).toBe('Hello you.\n\nM\n\nGoodbye.')
    expect(book.fill(greeting, { ...empty, between: 'X', after: 'A' })).toBe(
      'Hello you.\n\nX\n\nGoodbye.\n\nA',
    )
    // Inside a line there is nothing to close.
    expect(book.fill(greeting, { ...empty, name: '' })).toBe('Hello .\n\nGoodbye.')
  })

  test('is the run’s own where it brings one', () => {
    const book = new PromptBook({ greeting: 'Hi {{name}}, and {{name}} again.', other: 'never' })
    expect(book.fill(greeting, empty)).toBe('Hi you, and you again.')
  })

  test('takes what it is filled with as it is, slots and signs of replacement too', () => {
    const values = fc.string().filter((text) => text.trim() === text && text !== '')
    fc.assert(
      fc.property(fc.oneof(values, fc.constantFrom('{{before}}', '{{x}}', '$&', "$'", '$1')), (name) => {
        expect(new PromptBook().fill(greeting, { ...empty, name })).toBe(`Hello ${name}.\n\nGoodbye.`)
        expect(new PromptBook({ greeting: '<{{name}}>' }).fill(greeting, { ...empty, name })).toBe(
          `<${name}>`,
        )
      }),
    )
  })

  test('knows its slots, each once', () => {
    expect(slotsOf(greeting.text)).toEqual(['before', 'name', 'between', 'more', 'after'])
    expect(slotsOf('{{a}} {{b}} {{a}} {c} {{}}')).toEqual(['a', 'b'])
  })
})

describe('a text that a run brings along', () => {
  const check = (own: Record<string, string>) => () => checkPrompts(own, [greeting], 'some-method')

  test('is taken where its prompt is shown and its slots are filled', () => {
    expect(check({})).not.toThrow()
    expect(check({ greeting: 'No slot at all.' })).not.toThrow()
    expect(check({ greeting: '{{after}} {{name}}' })).not.toThrow()
  })

  test('is refused, with its name, where the method shows no such prompt', () => {
    expect(check({ greetings: 'x' })).toThrow(
      expect.objectContaining({
        code: 'unknown_field',
        param: 'prompts.greetings',
        message: expect.stringMatching(/"some-method" shows no prompt "greetings".*greeting\./),
      }),
    )
    expect(check({ constructor: 'x' })).toThrow(expect.objectContaining({ param: 'prompts.constructor' }))
  })

  test('is refused, with its name, where nothing fills its slot', () => {
    expect(check({ greeting: '{{name}} {{goal}}' })).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        param: 'prompts.greeting',
        message: expect.stringMatching(/\{\{goal\}\}.*\{\{before\}\}, \{\{name\}\}/),
      }),
    )
    expect(check({ greeting: '{{constructor}}' })).toThrow(
      expect.objectContaining({ param: 'prompts.greeting' }),
    )
  })

  test.each([
    ['{{name', '{{name'],
    ['Hello {name}, hello', '{name}'],
    ['{{name}', '{{name}'],
    ['{{before}} { name }', '{ name }'],
  ])('is refused where %j has the name of a slot in too few braces', (text, written) => {
    expect(check({ greeting: text })).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        param: 'prompts.greeting',
        message: expect.stringContaining(`"${written}", which is no slot. Write {{name}}`),
      }),
    )
  })

  test.each(['{"who": {{name}}}', '{{{name}}}', '{"name": 1}', '{nameless} {{', 'name}'])(
    'may have the braces of %j',
    (text) => {
      expect(check({ greeting: text })).not.toThrow()
    },
  )

  test.each(['{{ name }}', '{{name }}', '{{the name}}'])('is refused where %s looks like a slot', (text) => {
    expect(check({ greeting: `Hello ${text}` })).toThrow(
      expect.objectContaining({ code: 'invalid_request', param: 'prompts.greeting' }),
    )
  })
})
