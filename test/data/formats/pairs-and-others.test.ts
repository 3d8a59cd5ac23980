import { describe, expect, test } from 'vitest'
import { UnfitRowError } from '../../../shared/data/formats/trainer-format.ts'
import { pairOf, samples, says, sees, system, write } from './sample-rows.ts'

const goal = sees('Goal: a stick.')

describe('a pair of trajectories', () => {
  test('keeps all turns of both sides for TRL', () => {
    const { type: _, ...sides } = samples.preference
    expect(write('trl', 'preference')).toEqual(sides)
  })

  test('is ETO’s record for FastChat, the system text before the instruction', () => {
    expect(write('fastchat', 'preference')).toEqual({
      id: 'textcraft-0042',
      prompt: [{ from: 'human', value: 'You craft items.\n\nGoal: a stick.' }],
      chosen: [
        { from: 'gpt', value: 'get log' },
        { from: 'human', value: 'Got log.' },
        { from: 'gpt', value: 'craft stick' },
      ],
      rejected: [
        { from: 'gpt', value: 'look' },
        { from: 'human', value: 'A log.' },
        { from: 'gpt', value: 'give up' },
      ],
    })
  })

  test.each(['openai', 'llama-factory', 'axolotl'])('is never cut to one answer for %s', (format) => {
    expect(() => write(format, 'step-preference', samples.preference)).toThrow(UnfitRowError)
    expect(() => write(format, 'step-preference', pairOf([says('a')], [says('b'), goal, says('c')]))).toThrow(
      /more than one message/,
    )
  })
})

describe('a pair of steps', () => {
  const prompt = [system, goal, says('get log'), sees('Got log.')]

  test('is OpenAI’s, as are Fireworks’ and Together’s', () => {
    expect(write('openai', 'step-preference')).toEqual({
      input: { messages: prompt, tools: [], parallel_tool_calls: true },
      preferred_output: [says('craft stick')],
      non_preferred_output: [says('drop log')],
    })
  })

  test('is LLaMA-Factory’s ranking, and axolotl’s chosen and rejected', () => {
    expect(write('llama-factory', 'step-preference')).toEqual({
      conversations: [
        { from: 'human', value: 'Goal: a stick.' },
        { from: 'gpt', value: 'get log' },
        { from: 'human', value: 'Got log.' },
      ],
      system: 'You craft items.',
      chosen: { from: 'gpt', value: 'craft stick' },
      rejected: { from: 'gpt', value: 'drop log' },
    })
    expect(write('axolotl', 'step-preference')).toEqual({
      messages: prompt,
      chosen: says('craft stick'),
      rejected: says('drop log'),
    })
  })
})

test('an unpaired row has a label for TRL and a tag for LLaMA-Factory', () => {
  expect(write('trl', 'unpaired')).toEqual({
    prompt: [system, goal],
    completion: [says('get log')],
    label: true,
  })
  expect(write('llama-factory', 'unpaired')).toEqual({
    conversations: [
      { from: 'human', value: 'Goal: a stick.' },
      { from: 'gpt', value: 'get log' },
    ],
    system: 'You craft items.',
    kto_tag: true,
  })
  const whole = { ...samples.unpaired, completion: samples.preference.chosen }
  expect(() => write('llama-factory', 'unpaired', whole)).toThrow(/takes one answer/)
})

test('steps have a prompt in plain text that ends before the first of them', () => {
  const steps = {
    prompt: 'You craft items.\n\nGoal: a stick.\n\n',
    completions: ['get log', 'Got log.\n\ncraft stick'],
    labels: [true, false],
  }
  expect(write('trl', 'process-reward')).toEqual({ ...steps, values: [0.75, 0.25] })
  expect(write('axolotl', 'process-reward')).toEqual(steps)
})

test('a prompt keeps what its answer is verified by', () => {
  const reference = { task: 'stick', seed: 0 }
  expect(write('trl', 'prompts')).toEqual({ prompt: [system, goal], reference })
  expect(write('openai', 'prompts')).toEqual({ messages: [system, goal], reference })
  expect(write('parquet', 'prompts')).toEqual({
    type: 'prompt',
    prompt: [system, goal].map((turn) => ({ ...turn, reasoning: null })),
    reference: JSON.stringify(reference),
    tools: null,
  })
})
