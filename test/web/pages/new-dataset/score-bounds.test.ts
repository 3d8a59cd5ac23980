import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { datasetCommand } from '../../../../web/pages/new-dataset/dataset-command.ts'
import { whyIncomplete } from '../../../../web/pages/new-dataset/dataset-draft.ts'
import { GatesSection, useScoreText } from '../../../../web/pages/new-dataset/gates-section.tsx'
import { readBounds, writeBounds } from '../../../../web/pages/new-dataset/score-bounds.ts'

test('bounds of scores are read from a text and written as one', () => {
  const bounds = [{ name: 'careful', at_least: 0.5 }, { name: 'neat' }, { name: 'fast', at_most: 0.25 }]
  expect(readBounds(' careful >= 0.5, neat,fast<=.25,')).toEqual(bounds)
  expect(readBounds(writeBounds(bounds))).toEqual(bounds)
  const both = [{ name: 'careful', at_least: 0.25, at_most: 0.5 }]
  expect(readBounds(writeBounds(both))).toEqual(both)
  expect(readBounds('')).toEqual([])
  const signed = [{ name: 'careful', at_least: -0.5, at_most: 1e-7 }]
  expect(readBounds(writeBounds(signed))).toEqual(signed)
  for (const wrong of [
    'careful>0.5',
    'careful > = 0.5',
    'careful>=--1',
    '>=1',
    'careful>=',
    'careful>=1.2.3',
    'careful=1',
  ]) {
    expect(readBounds(wrong)).toBeNull()
  }
})

test('a score keeps its person, whatever is typed after and in between', () => {
  const before = [{ name: 'careful', at_least: 0.5, by: 'ada' }, { name: 'neat' }]
  expect(readBounds(writeBounds(before), before)).toEqual(before)
  expect(readBounds('care, neat', before)).toEqual([{ name: 'care' }, { name: 'neat' }])
  expect(readBounds('neat>=0.1, careful<=1, careful>=0.2', before)).toEqual([
    { name: 'neat', at_least: 0.1 },
    { name: 'careful', by: 'ada', at_most: 1, at_least: 0.2 },
  ])
})

test('a dataset is not built while its scores are mistyped, and the form says so', () => {
  expect(whyIncomplete({ runs: ['run-1'] }, true)).toBeNull()
  expect(whyIncomplete({ runs: ['run-1'] }, false)).toBe('Correct the scores first.')
  expect(whyIncomplete({}, false)).toBe('Choose a run or an import first.')
  const part = { draft: { runs: ['run-1'] }, onChange: () => undefined, errors: () => ({}) }
  const render = (name: string) => {
    function Form() {
      const scores = useScoreText([{ name }])
      return createElement(
        'p',
        null,
        String(scores.bounds === null),
        createElement(GatesSection, { ...part, scores }),
      )
    }
    return renderToStaticMarkup(createElement(Form))
  }
  expect(render('careful>0.5')).toMatch(/<p>true.*Write names, with bounds or without/s)
  expect(render('careful>=0.5')).toMatch(/<p>false(?!.*Write names)/s)
})

test('the command names the bounds that its flag can say', () => {
  const command = (scores: { name: string; at_least?: number; at_most?: number; by?: string }[]) =>
    datasetCommand({ runs: ['run-1'], scores }, 'http://localhost:8080')
  expect(command([{ name: 'careful', at_least: 0.5 }, { name: 'neat' }])).toContain("--score 'careful>=0.5'")
  expect(command([{ name: 'careful', at_least: 0.5, at_most: 1 }])).toBeNull()
  expect(command([{ name: 'careful', by: 'ada' }])).toBeNull()
})
