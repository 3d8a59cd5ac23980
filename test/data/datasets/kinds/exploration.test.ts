import { describe, expect, test } from 'vitest'
import { answersOf, type FoundConversation, findingsOf, rowsOf } from './made-attempt.ts'
import { type Line, searched, verdict } from './scripted-journal.ts'
import { conversation, last, twoSteps } from './two-steps.ts'

/** The actions of the longest row, in their order. */
async function story(lines: readonly Line[], given: object = {}): Promise<string[]> {
  const rows = await rowsOf(searched({ lines }), { max_context: 100, max_turns: 100, ...given })
  return answersOf(last(rows)).map((text) => text.split('Action: ').at(-1) as string)
}

describe('a search is rendered as one episode', () => {
  test('that takes back what it leaves, and says what a state was thought worth', async () => {
    const rows = await rowsOf(searched({ lines: twoSteps }))
    expect(rows).toHaveLength(6)
    expect(conversation(last(rows)).slice(1)).toEqual([
      'user: start',
      'assistant: Thought: try a.\nAction: a',
      'user: saw a',
      'assistant: Thought: Taking stock: I put my chances at about 0.2. I do not go on from here and take back my last action.\nAction: undo 1',
      'user: start',
      // What came back through the start by then: 0.2.
      'assistant: Thought: Taking stock: I put my chances at about 0.2. try b.\nAction: b',
      'user: saw b',
      'assistant: Thought: Taking stock: I put my chances at about 0.7. try c.\nAction: c',
      'user: saw c',
      'assistant: Thought: Taking stock: I see nothing here that brings me nearer to the goal. I do not go on from here and take back my last action.\nAction: undo 1',
      'user: saw b',
      'assistant: Thought: Taking stock: I put my chances at about 0.7. try d.\nAction: d',
    ])
    expect(last(rows).origin.node_ids).toEqual([1, 0, 2, 4, 2, 5])
  })

  test('one row for each turn, of which only the last turn is learned', async () => {
    const rows = await rowsOf(searched({ lines: twoSteps }))
    for (const [place, { row, origin }] of rows.entries()) {
      if (row.type !== 'conversation') throw new Error(row.type)
      expect(row.messages.map(({ weight }) => weight).filter((weight) => weight !== undefined)).toEqual([
        ...Array.from({ length: place }, () => 0),
        1,
      ])
      expect(row.messages.at(-1)).toMatchObject({ role: 'assistant', weight: 1 })
      expect(origin.node_ids).toEqual([1, 0, 2, 4, 2, 5].slice(0, place + 1))
    }
  })

  test('whose system text says how to go back', async () => {
    const [row] = await rowsOf(searched({ lines: twoSteps }))
    expect(conversation(row as FoundConversation)[0]).toMatch(
      /^system: You craft items\.\n\n.*"Action: undo <steps>"/,
    )
    const bare = searched({ lines: twoSteps, head: [{ role: 'user', content: 'start' }] })
    const [rendered] = await rowsOf(bare, { restore_action: 'restore {{depth}}' })
    expect(conversation(rendered as FoundConversation)[0]).toMatch(
      /^system: .*"Action: restore <depth>" .* the first <depth> actions/,
    )
    expect(conversation(rendered as FoundConversation)[1]).toBe('user: start')
  })

  test('with head turns of the model as context', async () => {
    const head = [
      { role: 'system' as const, content: 'You craft items.' },
      { role: 'user' as const, content: 'Goal: a stick.' },
      { role: 'assistant' as const, content: 'OK' },
      { role: 'user' as const, content: 'start' },
    ]
    const [row] = await rowsOf(searched({ lines: twoSteps, head }))
    expect((row as FoundConversation).row).toMatchObject({
      messages: [{}, {}, { content: 'OK', weight: 0 }, {}, { weight: 1 }],
    })
  })

  test('up to where a search first came upon what it decided for, or whole', async () => {
    expect(await story(twoSteps)).toEqual(['a', 'undo 1', 'b', 'c', 'undo 1', 'd'])
    expect(await story(twoSteps, { search: 'whole' })).toEqual([
      ...['a', 'undo 1', 'b', 'undo 1', 'a', 'a2', 'undo 2', 'b', 'c', 'undo 1', 'd'],
    ])
  })

  test('going back to where two ways part, by as many actions as that is away', async () => {
    const lines: Line[] = [
      { take: 'a' },
      { value: 0.5, of: 1 },
      { take: 'b', from: 1 },
      { value: 0.5, of: 2 },
      { take: 'c', from: 2 },
      { value: 0, of: 3 },
      { take: 'd', from: 1 },
      { value: 0.5, of: 4 },
      { take: 'e', reward: 1 },
      { value: 1, of: 5 },
      { commit: 5 },
    ]
    expect(await story(lines)).toEqual(['a', 'b', 'c', 'undo 2', 'd', 'undo 2', 'e'])
    const back = await story(lines, { restore_action: 'back to {{depth}} by {{steps}}' })
    expect(back.filter((action) => action.startsWith('back'))).toEqual(['back to 1 by 2', 'back to 0 by 2'])
  })

  test('where nothing was committed to, ending with the answer', async () => {
    const lines: Line[] = [
      { take: 'a' },
      { value: 0, of: 1 },
      { take: 'b', reward: 1 },
      { value: 1, of: 2 },
      { take: 'c' },
      { value: 0, of: 3 },
    ]
    const rows = await rowsOf(searched({ lines, answer: 'best' }))
    expect(last(rows).origin.node_ids).toEqual([1, 0, 2])
    const whole = await rowsOf(searched({ lines, answer: 'best' }), { search: 'whole' })
    expect(last(whole).origin.node_ids).toEqual([1, 0, 2, 0, 3, 0, 2])
  })

  test('in which a decision that was overturned is only tried', async () => {
    const lines: Line[] = [
      { take: 'a' },
      { take: 'a2', from: 1 },
      { value: 0.3, of: 2 },
      { commit: 2 },
      { take: 'b', reward: 1 },
      { value: 0.9, of: 3 },
      { commit: 3 },
    ]
    expect(await story(lines)).toEqual(['a', 'a2', 'undo 2', 'b'])
  })

  test('in which several actions that are decided at once are one way', async () => {
    const lines: Line[] = [
      { take: 'a' },
      { value: 0.3, of: 1 },
      { take: 'b' },
      { value: 0.3, of: 2 },
      { take: 'c', from: 1, reward: 1 },
      { value: 1, of: 3 },
      { commit: 1 },
      { commit: 3 },
    ]
    expect(await story(lines)).toEqual(['a', 'undo 1', 'b', 'undo 1', 'a', 'c'])
  })

  test('in which a look beyond the answer is taken back, and the answer’s action comes last', async () => {
    const lines: Line[] = [
      { take: 'a', reward: 1 },
      { value: 0.3, of: 1 },
      { take: 'b', from: 1 },
      { value: 0, of: 2 },
      { commit: 1 },
    ]
    expect(await story(lines)).toEqual(['a'])
    expect(await story(lines, { search: 'whole' })).toEqual(['a', 'b', 'undo 2', 'a'])
  })

  test('without saying the same twice in a row', async () => {
    const page = Array.from({ length: 30 }, (_, at) => `word${at}`).join(' ')
    const seen = (number: number) => ({ observation: `[${number}] ${page} item${number}` })
    const click = (number: number) => ({
      take: `click [${number}]`,
      message: `Thought: open it.\nAction: click [${number}]`,
    })
    const lines: Line[] = [
      { ...click(1), ...seen(1) },
      { value: 0.1, of: 1 },
      { ...click(2), ...seen(2) },
      { value: 0.1, of: 2 },
      { ...click(3), observation: 'quite another page' },
      { value: 0.1, of: 3 },
      { value: 0.1, of: 3 },
      { take: 'stop', reward: 1 },
      { value: 1, of: 4 },
      { commit: 4 },
    ]
    expect(await story(lines)).toEqual(['click [1]', 'undo 1', 'click [3]', 'undo 1', 'stop'])
  })
})

describe('the value in words', () => {
  const judged = (verdicts: string[], value: number, more: readonly Line[] = []): Line[] => [
    { take: 'a' },
    { verdicts, of: 1 },
    ...more,
    { value, of: 1 },
    { take: 'b', from: 1, reward: 1 },
    { value: 1, of: 2 },
    { commit: 1 },
    { commit: 2 },
  ]
  const stockOf = async (lines: readonly Line[], given: object = {}) =>
    /Taking stock: (.*) try b\./.exec(
      answersOf(last(await rowsOf(searched({ lines }), given))).at(-1) ?? '',
    )?.[1]

  test('is the reason of the verdict nearest to the mean, of equals the first', async () => {
    // By the scale of a rubric: (0.9 + 0.2 + 0.5) / 3 = 0.533.
    const verdicts = [verdict('B', 'Nearly there.'), verdict('D', 'Unclear'), verdict('C', 'On the way')]
    expect(await stockOf(judged(verdicts, 1.6 / 3))).toBe('On the way.')
    const tie = [verdict('E', 'Lost!'), verdict('A', 'Done.')]
    expect(await stockOf(judged(tie, 0.5))).toBe('Lost!')
    expect(await stockOf(judged(tie.toReversed(), 0.5))).toBe('Done.')
  })

  test('is measured on the scale that the value was made with', async () => {
    // Debate: (1 − 0.2 − 1) / 3 = −0.067, to which D is nearest; by the scale of a rubric, 0.4, E would be as near as D.
    const verdicts = [verdict('E', 'Lost.'), verdict('A', 'Done.'), verdict('D', 'Unclear.')]
    expect(await stockOf(judged(verdicts, -0.2 / 3))).toBe('Unclear.')
  })

  test('comes from either order of a debate', async () => {
    const lines: Line[] = judged([], 0.35).flatMap((line): Line[] =>
      'verdicts' in line
        ? [
            { verdicts: [verdict('B', 'For it.')], of: 1, order: 'support-first' },
            { verdicts: [verdict('C', 'Against it.'), verdict('D', 'Open.')], of: 1, order: 'oppose-first' },
          ]
        : [line],
    )
    // (0.7 + 0.5 − 0.2) / 3 = 0.333.
    expect(
      await stockOf(
        lines.map((line) => ('value' in line && line.of === 1 ? { ...line, value: 1 / 3 } : line)),
      ),
    ).toBe('Against it.')
  })

  test('passes over what cannot be read and what gives no reasons', async () => {
    const verdicts = [
      'Who knows?',
      'Status code: C',
      verdict('D', 'Slow'),
      '**Thoughts:** It\n\nstands.\n**Status code:** A',
    ]
    // (0.5 + 0.2 + 1) / 3 = 0.567.
    expect(await stockOf(judged(verdicts, 1.7 / 3))).toBe('Slow.')
    expect(await stockOf(judged([verdicts.at(-1) as string], 1))).toBe('It stands.')
  })

  test('holds nothing that could be taken for an action', async () => {
    const verdicts = [verdict('C', 'It wrote\nAction: run Action 1: hide')]
    expect(await stockOf(judged(verdicts, 0.5))).toBe('It wrote action run action hide.')
  })

  test('is a sentence with the number where no judge gave reasons, or nothing', async () => {
    const bare = judged([], 0.666).filter((line) => !('verdicts' in line))
    expect(await stockOf(bare)).toBe('I put my chances at about 0.67.')
    expect(answersOf(last(await rowsOf(searched({ lines: bare }), { values: 'none' }))).at(-1)).toBe(
      'Thought: try b.\nAction: b',
    )
    const asOf = async (value: number) =>
      stockOf(bare.map((line) => ('value' in line && line.of === 1 ? { ...line, value } : line)))
    expect(await asOf(1)).toMatch(/done/)
    expect(await asOf(-0.5)).toMatch(/nothing/)
  })

  test('is not said of states that a search with judges never judged', async () => {
    const lines: Line[] = [
      { take: 'a' },
      { verdicts: [verdict('D', 'Bad.')], of: 1 },
      { value: 0.2, of: 1 },
      { take: 'b' },
      { value: 0, of: 2 },
      { take: 'c', reward: 1 },
      { value: 1, of: 3 },
      { commit: 3 },
    ]
    const said = answersOf(last(await rowsOf(searched({ lines }))))
    expect(said[1]).toMatch(/^Thought: Taking stock: Bad\./)
    expect(said[2]).toBe('Thought: try b.\nAction: b')
    expect(said[3]).toBe('Thought: I do not go on from here and take back my last action.\nAction: undo 1')
  })

  test('stands before an answer in another form', async () => {
    const say = async (message: string) => {
      const lines = judged([verdict('C', 'Fine.')], 0.5).map((line) =>
        'take' in line && line.take === 'b' ? { ...line, message } : line,
      )
      return answersOf(last(await rowsOf(searched({ lines })))).at(-1)
    }
    expect(await say('Action: b')).toBe('Thought: Taking stock: Fine.\nAction: b')
    expect(await say('I go.\nAction: b\nObservation: no')).toBe(
      'Thought: Taking stock: Fine. I go.\nAction: b\nObservation: no',
    )
    expect(await say('b')).toBe('Thought: Taking stock: Fine.\nb')
  })
})

describe('rows of long episodes', () => {
  const straight = (length: number): Line[] =>
    Array.from({ length }, (_, at): Line[] => [
      { take: `step ${at + 1}`, from: at, reward: at === length - 1 ? 1 : 0 },
      { value: 0.5, of: at + 1 },
      { commit: at + 1 },
    ]).flat()

  test('keep the first four turns and the last twelve', async () => {
    const rows = await rowsOf(searched({ lines: straight(10) }))
    expect(rows[7]?.origin.node_ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(rows[9]?.origin.node_ids).toEqual([1, 2, 5, 6, 7, 8, 9, 10])
    const shown = conversation(rows[9] as FoundConversation)
      .slice(1)
      .map((line) => line.split('\n')[0]?.replace(/Thought.*try /, ''))
    expect(shown).toHaveLength(16)
    expect(shown.slice(0, 6)).toEqual([
      'user: start',
      'assistant: step 1.',
      'user: saw step 1',
      'assistant: step 2.',
      'user: saw step 4',
      'assistant: step 5.',
    ])
  })

  test('are as short as they are asked to be', async () => {
    const rows = await rowsOf(searched({ lines: straight(10) }), { max_context: 6 })
    expect(last(rows).origin.node_ids).toEqual([1, 2, 10])
  })

  test('are not made where the episode takes more turns than the limit', async () => {
    expect(await findingsOf(searched({ lines: straight(17) }))).toHaveLength(17)
    expect(await findingsOf(searched({ lines: straight(18) }))).toMatchObject([{ left_out: 'too_long' }])
    expect(await findingsOf(searched({ lines: straight(18) }), { max_turns: 36 })).toHaveLength(18)
  })
})
