import { describe, expect, test } from 'vitest'
import { loadGame } from '../../../shared/environments/alfworld/game.ts'
import { hotApple, play, smallFile, smallGame } from './small-game.ts'

const game = smallGame()

describe('a game', () => {
  test('starts with the room and the task, without the banner', () => {
    const { state, observation } = game.reset()
    expect(observation).toBe(
      'You are in the middle of a room. Looking quickly around you, you see a cabinet 2, a cabinet 1, a countertop 1, a fridge 1, a microwave 1, a sidetable 1, and a sinkbasin 1.\n\nYour task is to: do what is to be done.',
    )
    expect(state).toEqual({ on: [], off: [], reached: [] })
  })

  test('answers every kind of command as ALFWorld does', () => {
    const script: [command: string, answer: string][] = [
      ['look', 'You are in the middle of a room. Looking quickly around you, you see nothing.'],
      ['inventory', 'You are not carrying anything.'],
      ['go to cabinet 1', 'You arrive at cabinet 1. The cabinet 1 is closed.'],
      ['open cabinet 1', 'You open the cabinet 1. The cabinet 1 is open. In it, you see a mug 2.'],
      ['close cabinet 1', 'You close the cabinet 1.'],
      ['examine cabinet 1', 'The cabinet 1 is closed.'],
      ['look', 'You are facing the cabinet 2, and cabinet 1. Next to it, you see nothing.'],
      [
        'go to countertop 1',
        'You arrive at countertop 1. On the countertop 1, you see a apple 1, a knife 1, and a mug 1.',
      ],
      ['take knife 1 from countertop 1', 'You pick up the knife 1 from the countertop 1.'],
      ['slice apple 1 with knife 1', 'You sliced the apple 1 with the knife 1.'],
      ['examine knife 1', "There's nothing special about knife 1."],
      ['move knife 1 to countertop 1', 'You move the knife 1 to the countertop 1.'],
      ['take apple 1 from countertop 1', 'You pick up the apple 1 from the countertop 1.'],
      ['inventory', 'You are carrying: a apple 1.'],
      ['examine apple 1', 'This is a sliced apple 1.'],
      ['go to sinkbasin 1', 'You arrive at sinkbasin 1. On the sinkbasin 1, you see nothing.'],
      ['clean apple 1 with sinkbasin 1', 'You clean the apple 1 using the sinkbasin 1.'],
      ['go to fridge 1', 'You arrive at fridge 1. The fridge 1 is closed.'],
      ['cool apple 1 with fridge 1', 'You cool the apple 1 using the fridge 1.'],
      ['examine apple 1', 'This is a cool and clean sliced apple 1.'],
      ['go to microwave 1', 'You arrive at microwave 1. The microwave 1 is closed.'],
      ['heat apple 1 with microwave 1', 'You heat the apple 1 using the microwave 1.'],
      ['examine apple 1', 'This is a hot and clean sliced apple 1.'],
      ['go to sidetable 1', 'You arrive at sidetable 1. On the sidetable 1, you see a desklamp 1.'],
      ['use desklamp 1', 'You turn on the desklamp 1.'],
      ['use desklamp 1', 'You turn on the desklamp 1.'],
    ]
    const { observations, results } = play(
      game,
      script.map(([command]) => command),
    )
    expect(observations).toEqual(script.map(([, answer]) => answer))
    expect(results.every(({ valid, reward, done }) => valid && reward === 0 && !done)).toBe(true)
  })

  test('says ", and " between two things', () => {
    const { observations } = play(game, [
      'go to countertop 1',
      'take apple 1 from countertop 1',
      'examine countertop 1',
    ])
    expect(observations.at(-1)).toBe('On the countertop 1, you see a knife 1, and a mug 1.')
  })

  test('sees on the floor what was taken from a place beside it, as TextWorld does', () => {
    const { observations } = play(game, [
      'go to cabinet 1',
      'open cabinet 1',
      'open cabinet 2',
      'take mug 2 from cabinet 1',
      'move mug 2 to cabinet 2',
      'look',
    ])
    expect(observations.at(-1)).toBe(
      'You are facing the cabinet 2, and cabinet 1. Next to it, you see a mug 2.',
    )
  })

  test('rewards the goal alone, at the step that reaches it', () => {
    const { results } = play(game, [
      'go to countertop 1',
      'take apple 1 from countertop 1',
      'go to fridge 1',
      'open fridge 1',
      'move apple 1 to fridge 1',
      'take apple 1 from fridge 1',
      'go to microwave 1',
      'heat apple 1 with microwave 1',
      'go to fridge 1',
      'move apple 1 to fridge 1',
      'look',
    ])
    expect(results.map(({ reward, done }) => [reward, done])).toEqual([
      ...Array.from({ length: 9 }, () => [0, false]),
      [1, true],
      [1, true],
    ])
  })
})

describe('what is no possible command', () => {
  test.each([
    [
      'a place that is reached already, because it is beside this one',
      ['go to cabinet 1', 'go to cabinet 2'],
    ],
    ['going where one stands', ['go to cabinet 1', 'go to cabinet 1']],
    ['examining what is not held', ['go to countertop 1', 'examine apple 1']],
    ['examining from afar', ['examine countertop 1']],
    ['taking out of what is closed', ['go to cabinet 1', 'take mug 2 from cabinet 1']],
    [
      'taking with full hands',
      ['go to countertop 1', 'take apple 1 from countertop 1', 'take knife 1 from countertop 1'],
    ],
    [
      'putting what does not go there',
      [
        'go to countertop 1',
        'take knife 1 from countertop 1',
        'go to microwave 1',
        'open microwave 1',
        'move knife 1 to microwave 1',
      ],
    ],
    ['opening what is open', ['go to cabinet 1', 'open cabinet 1', 'open cabinet 1']],
    ['heating what is not held', ['go to microwave 1', 'heat apple 1 with microwave 1']],
    ['another case', ['Look']],
    ['two spaces', ['go  to cabinet 1']],
    ['a dot at the end', ['go to cabinet 1.']],
    ['no number', ['go to cabinet']],
    [
      'the other grammar',
      ['go to countertop 1', 'take apple 1 from countertop 1', 'put apple 1 in/on countertop 1'],
    ],
  ])('%s', (_name, commands) => {
    const before = play(game, commands.slice(0, -1)).state
    const result = game.step(before, commands.at(-1) ?? '')
    expect(result).toMatchObject({ observation: 'Nothing happens.', reward: 0, done: false, valid: false })
    expect(result.state).toBe(before)
    expect(game.validActions(before)).not.toContain(commands.at(-1))
  })

  test('space around a command is no harm', () => {
    expect(play(game, [' \tgo to cabinet 1\n ']).observations).toEqual([
      'You arrive at cabinet 1. The cabinet 1 is closed.',
    ])
  })
})

describe('a game of the old grammar', () => {
  const old = smallGame(hotApple, 'put')

  test('puts in/on, arrives at numbered places and has no help', () => {
    const { observations } = play(old, [
      'go to countertop 1',
      'take apple 1 from countertop 1',
      'move apple 1 to countertop 1',
      'put apple 1 in/on countertop 1',
      'help',
    ])
    expect(observations).toEqual([
      'You arrive at loc 5. On the countertop 1, you see a apple 1, a knife 1, and a mug 1.',
      'You pick up the apple 1 from the countertop 1.',
      'Nothing happens.',
      'You put the apple 1 in/on the countertop 1.',
      'Nothing happens.',
    ])
    expect(old.validActions(old.reset().state)).not.toContain('help')
    expect(game.validActions(game.reset().state)).toContain('help')
  })
})

describe('states', () => {
  test('are equal when what can be seen and done is equal', () => {
    const stateAfter = (...commands: string[]) => play(game, commands).state
    expect(stateAfter('look', 'inventory', 'help', 'go to fridge 1', 'examine fridge 1')).toEqual(
      stateAfter('go to fridge 1'),
    )
    expect(stateAfter('go to fridge 1', 'open fridge 1', 'close fridge 1').on).toEqual(
      stateAfter('go to fridge 1').on,
    )
  })
})

describe('progress', () => {
  const progress = (commands: string[], played = game) =>
    play(played, commands).results.map((result) => result.progress)

  test('counts held, treated and placed, and never falls', () => {
    expect(
      progress([
        'go to countertop 1',
        'take apple 1 from countertop 1',
        'move apple 1 to countertop 1',
        'take apple 1 from countertop 1',
        'go to microwave 1',
        'heat apple 1 with microwave 1',
        'go to fridge 1',
        'cool apple 1 with fridge 1',
        'open fridge 1',
        'move apple 1 to fridge 1',
        'take apple 1 from fridge 1',
      ]),
    ).toEqual([0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2].map((stations) => stations / 3))
  })

  test('counts the first of two in its place, and the second held', () => {
    const two = smallGame({ ...hotApple, type: 'pick_two_obj_and_place', object: 'Mug', target: 'SideTable' })
    expect(
      progress(
        [
          'go to countertop 1',
          'take mug 1 from countertop 1',
          'go to sidetable 1',
          'move mug 1 to sidetable 1',
          'go to cabinet 1',
          'open cabinet 1',
          'take mug 2 from cabinet 1',
          'go to sidetable 1',
          'move mug 2 to sidetable 1',
        ],
        two,
      ),
    ).toEqual([0, 1 / 4, 1 / 4, 2 / 4, 2 / 4, 2 / 4, 3 / 4, 3 / 4, 1])
  })

  test('counts the lamp that is on', () => {
    const look = smallGame({ ...hotApple, type: 'look_at_obj_in_light', object: 'Mug', target: 'DeskLamp' })
    const commands = [
      'go to sidetable 1',
      'use desklamp 1',
      'go to countertop 1',
      'take mug 1 from countertop 1',
    ]
    expect(progress([...commands, 'go to sidetable 1'], look)).toEqual([0, 1 / 3, 1 / 3, 2 / 3, 1])
  })

  test("follows AgentBoard's labels where the game has them", () => {
    const labelled = loadGame(
      { ...smallFile(), subgoals: ['You pick up the apple', 'You heat the \\w+ \\d', 'nothing'] },
      'labelled',
    )
    expect(
      progress(
        ['go to countertop 1', 'take apple 1 from countertop 1', 'inventory', 'go to sinkbasin 1'],
        labelled,
      ),
    ).toEqual([0, 1 / 4, 1 / 4, 2 / 4])
  })
})

describe('a file that cannot be played', () => {
  const load = (change: object) => () => loadGame({ ...smallFile(), ...change }, 'games/broken')

  test.each([
    ['a domain that breaks off', { pddl_domain: '(define (domain x)' }, /domain of games\/broken/],
    [
      'a grammar without an action',
      { grammar: smallFile().grammar.replace('action look', 'action gaze') },
      /games\/broken.*"look"/,
    ],
    ['a grammar with an open block', { grammar: 'grammar :: """{' }, /games\/broken.*[Ll]ine 1/],
    ['rules that are no JSON', { grammar: 'grammar :: """{""";' }, /games\/broken.*JSON/],
    [
      'a template of unknown names',
      { grammar: smallFile().grammar.replace('open {r}', 'open {x}') },
      /"openobject" names "x"/,
    ],
    ['a label that is no pattern', { subgoals: ['('] }, /games\/broken.*regular expression/],
  ])('%s is refused, saying where it is wrong', (_name, change, message) => {
    expect(load(change)).toThrow(
      expect.objectContaining({ code: 'invalid_request', message: expect.stringMatching(message) }),
    )
  })
})
