import { describe, expect, test } from 'vitest'
import { alpaca } from '../../examples/alpaca.ts'
import { BadRowError } from '../../shared/data/formats/bad-row-error.ts'
import { UnfitRowError } from '../../shared/data/formats/trainer-format.ts'
import { formatFacts, rowFacts, samples, sees, system, talk, weighs } from '../data/formats/sample-rows.ts'

describe('the example of a format', () => {
  const row = talk(system, sees('Goal: a stick.'), weighs('craft stick', 1))

  test('writes one question and one answer, and shows what is learned of it', () => {
    const data = alpaca.write(row, rowFacts('sft'))
    expect(data).toEqual({
      instruction: 'You craft items.',
      input: 'Goal: a stick.',
      output: 'craft stick',
    })
    const [part] = alpaca.show(data, 'sft')
    expect(part?.turns.filter(({ learned }) => learned).map(({ content }) => content)).toEqual([
      'craft stick',
    ])
  })

  test('says of a longer conversation why it is unfit', () => {
    expect(() => alpaca.write(samples.sft, rowFacts('sft'))).toThrow(UnfitRowError)
    expect(() => alpaca.write(samples.preference as never, rowFacts('preference'))).toThrow(/no place/)
  })

  test('recognises and reads what it wrote', () => {
    const data = alpaca.write(row, rowFacts('sft'))
    expect(alpaca.recognises(data)).toBe(true)
    expect(alpaca.recognises({ conversations: [] })).toBe(false)
    const { body } = alpaca.read(data, { wholeFile: null, environment: null })
    expect(body).toMatchObject({ turns: row.messages.map(({ role, content }) => ({ role, content })) })
    const fault = () => alpaca.read({ instruction: 'x', output: 'y' }, { wholeFile: null, environment: null })
    expect(fault).toThrow(BadRowError)
  })

  test('says how it is loaded', () => {
    expect(alpaca.usage(formatFacts('sft')).startsWith('### ')).toBe(true)
  })
})
