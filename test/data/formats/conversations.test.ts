import { describe, expect, test } from 'vitest'
import { UnfitRowError } from '../../../shared/data/formats/trainer-format.ts'
import { says, sees, system, talk, weighs, write } from './sample-rows.ts'

const human = (value: string) => ({ from: 'human', value })
const gpt = (value: string) => ({ from: 'gpt', value })
/** An expert's row as ETO has them: an acknowledgement before the task. */
const expert = talk(sees('Craft.'), weighs('OK', 0), sees('Goal: a stick.'), weighs('get log', 1))
const example = talk(
  sees('Craft.'),
  weighs('OK', 0),
  sees('Goal: a plank.'),
  weighs('get log', 0),
  sees('Goal: a stick.'),
  weighs('get log', 1),
)

describe('a conversation that is learned whole', () => {
  test('is messages of role and content for OpenAI and TRL', () => {
    const messages = [system, sees('Goal: a stick.'), says('get log'), sees('Got log.'), says('craft stick')]
    expect(write('openai', 'sft')).toEqual({ messages })
    expect(write('trl', 'sft')).toEqual({ messages })
  })

  test('is turns of human and gpt for LLaMA-Factory, the system text apart', () => {
    expect(write('llama-factory', 'sft')).toEqual({
      conversations: [human('Goal: a stick.'), gpt('get log'), human('Got log.'), gpt('craft stick')],
      system: 'You craft items.',
    })
    expect(write('llama-factory', 'sft', talk(sees('Go.'), weighs('get log', 1)))).toHaveProperty(
      'system',
      '',
    )
  })

  test('has the system text before the first turn where a format knows none', () => {
    const turns = [
      human('You craft items.\n\nGoal: a stick.'),
      gpt('get log'),
      human('Got log.'),
      gpt('craft stick'),
    ]
    expect(write('fastchat', 'sft')).toEqual({ id: 'textcraft-0042', conversations: turns })
    expect(write('agenttraj', 'sft')).toEqual({
      item_id: 'textcraft-0042',
      conversations: turns.map((turn) => ({ ...turn, loss: turn.from === 'gpt' ? true : null })),
    })
  })

  test('is a good trajectory among Agent-R’s records', () => {
    expect(write('agent-r', 'sft')).toEqual({
      task_num: 42,
      task: 'textcraft-0042',
      revise_log: [
        system,
        sees('Goal: a stick.'),
        { ...says('get log'), loss: true },
        sees('Got log.'),
        { ...says('craft stick'), loss: true },
      ],
      revise: false,
    })
  })
})

describe('a conversation of which a part is context', () => {
  test('says so turn by turn where the format has a place for it', () => {
    expect(write('openai', 'revision')).toEqual({
      messages: [
        system,
        sees('Goal: a stick.'),
        weighs('look', 0),
        sees('A log.'),
        weighs('That was no use.', 1),
        sees('ok.'),
        weighs('get log', 1),
      ],
    })
    expect(write('axolotl', 'revision').messages).toMatchObject(
      [false, false, false, false, true, false, true].map((train) => ({ train })),
    )
    expect(write('agenttraj', 'revision').conversations).toMatchObject(
      [null, false, null, true, null, true].map((loss) => ({ loss })),
    )
    expect(write('xtuner', 'revision')).toEqual({
      conversation: [
        { system: 'You craft items.', input: 'Goal: a stick.', output: 'look', output_with_loss: false },
        { system: '', input: 'A log.', output: 'That was no use.', output_with_loss: true },
        { system: '', input: 'ok.', output: 'get log', output_with_loss: true },
      ],
    })
  })

  test('is a revision among Agent-R’s records where there is a bad side', () => {
    const record = write('agent-r', 'revision', undefined, { other_reward: 0 })
    expect(record.revise).toBe(true)
    const losses = (record.revise_log as { loss?: boolean }[]).map(({ loss }) => loss)
    expect(losses).toEqual([undefined, undefined, false, undefined, true, undefined, true])
    expect(write('agent-r', 'revision')).toHaveProperty('revise', false)
  })

  test('has both paths, the task and the judgements in Agent-R’s records', () => {
    const path = (action: string) => [
      { role: 'system' as const, content: 'Craft.', weight: 0 as const },
      { role: 'user' as const, content: 'Goal: a stick.' },
      { role: 'assistant' as const, content: action, weight: 1 as const },
      { role: 'user' as const, content: 'Done.' },
    ]
    const judged = { answer: 'Judgement: Bad', action: 'look', observation: 'A log.', judgement: 'bad' }
    const explained = { high: path('get log'), low: path('look'), judgements: [judged] }
    const record = write('agent-r', 'revision', undefined, {
      other_reward: 0,
      explained,
      environment: 'webshop',
      task: 'webshop-12',
    })
    const log = (action: string) => [
      { role: 'system', content: 'Craft.' },
      { role: 'user', content: 'Goal: a stick.' },
      { role: 'assistant', content: action, loss: true },
      { role: 'user', content: 'Done.' },
    ]
    expect(record).toMatchObject({
      task_num: 12,
      high_log: log('get log'),
      low_log: log('look'),
      task_description: 'Goal: a stick.',
      revise: true,
      revise_feedback: [
        { revision_feedback: 'Judgement: Bad', action: 'look', obs: 'A log.', judgement: 'bad' },
      ],
    })
    expect(record).not.toHaveProperty('task')
    const melting = write('agent-r', 'sft', undefined, { environment: 'scienceworld', task: 'melt/3' })
    expect(melting).toMatchObject({ task_num: 33 })
    expect(melting).not.toHaveProperty('task')
    expect(
      write('agent-r', 'revision', undefined, {
        other_reward: 0,
        explained: { ...explained, judgements: null },
      }),
    ).toHaveProperty('revise_feedback', '')
  })

  test('is a prompt and a completion for TRL, from where learning begins', () => {
    expect(write('trl', 'revision')).toEqual({
      prompt: [system, sees('Goal: a stick.'), says('look'), sees('A log.')],
      completion: [says('That was no use.'), sees('ok.'), says('get log')],
    })
    expect(write('trl', 'exploration')).toMatchObject({ completion: [says('get log')] })
  })

  test('is left out where TRL would learn a later turn that is context', () => {
    const row = talk(
      sees('Go.'),
      weighs('get log', 1),
      sees('ok.'),
      weighs('look', 0),
      sees('A log.'),
      weighs('end', 1),
    )
    expect(() => write('trl', 'revision', row)).toThrow(UnfitRowError)
    expect(() => write('trl', 'revision', talk(weighs('get log', 1)))).toThrow(
      /a prompt must stand before it/,
    )
  })

  test('is LLaMA-Factory’s where the last turn alone is learned', () => {
    expect(write('llama-factory', 'exploration').conversations).toHaveLength(4)
    const row = talk(sees('Go.'), weighs('get log', 1), sees('ok.'), weighs('craft stick', 1))
    expect(() => write('llama-factory', 'exploration', row)).toThrow(/all turns of the model but the last/)
  })

  test.each(['trl', 'llama-factory', 'fastchat'])(
    '%s learns an expert’s OK along, and no worked example',
    (format) => {
      expect(JSON.stringify(write(format, 'sft', expert))).toContain('OK')
      expect(() => write(format, 'sft', example)).toThrow(/openai, axolotl, xtuner, agenttraj and parquet/)
    },
  )

  test.each(['openai', 'axolotl', 'xtuner', 'agenttraj', 'agent-r', 'parquet'])(
    '%s keeps a worked example as context',
    (format) => {
      expect(JSON.stringify(write(format, 'sft', example))).toContain('a plank')
    },
  )
})

describe('turns that do not alternate', () => {
  const twice = talk(system, sees('Go.'), sees('Now.'), weighs('get log', 1))
  const late = talk(sees('Go.'), system, weighs('get log', 1))
  const silent = talk(sees('Go.'), weighs('look', 1), weighs('get log', 1))

  test.each(['llama-factory', 'xtuner', 'fastchat', 'agenttraj'])('have no place in %s', (format) => {
    expect(() => write(format, 'sft', twice)).toThrow(/two turns of the user follow each other/)
    expect(() => write(format, 'sft', silent)).toThrow(/two turns of the model follow each other/)
    expect(() => write(format, 'sft', late)).toThrow(/a system text stands in the midst/)
    expect(() => write(format, 'sft', talk(weighs('get log', 1)))).toThrow(/the model begins/)
  })

  test.each(['openai', 'trl', 'axolotl', 'agent-r', 'parquet'])('are kept as they are by %s', (format) => {
    expect(JSON.stringify(write(format, 'sft', twice))).toContain('Now.')
  })
})
