import { describe, expect, test } from 'vitest'
import { notValid, wrapGame } from '../../../shared/environments/alfworld/agentboard-game.ts'
import { alfworldOptions } from '../../../shared/environments/alfworld/alfworld-options.ts'
import { alfworldGuide } from '../../../shared/environments/alfworld/guide.ts'
import { hotApple, play, smallGame } from './small-game.ts'

const agentboard = alfworldOptions.parse({ language: 'agentboard' })
const old = wrapGame(smallGame(hotApple, 'put'), agentboard)
const steps = (...commands: string[]) => play(old, commands).results
const observations = (...commands: string[]) => play(old, commands).observations

describe('ALFWorld in AgentBoard’s language', () => {
  test('drops the full stop behind an action', () => {
    expect(observations('go to countertop 1.')).toEqual(observations('go to countertop 1'))
    expect(steps('go to countertop 1. ').every(({ valid }) => valid)).toBe(true)
    expect(play(smallGame(), ['go to countertop 1.']).observations).toEqual(['Nothing happens.'])
  })

  test('reads "put … in" and "put … on" as the game’s "put … in/on"', () => {
    const [, , placed] = steps(
      'go to countertop 1',
      'take apple 1 from countertop 1',
      'put apple 1 on countertop 1',
    )
    expect(placed).toMatchObject({ valid: true, observation: 'You put the apple 1 in/on the countertop 1.' })
  })

  test('lists what is possible when asked to check valid actions, which changes nothing', () => {
    const [moved, checked] = steps('go to countertop 1', 'check valid actions.')
    const listed = old.validActions(moved?.state ?? { on: [], off: [], reached: [] })
    expect(checked?.observation).toBe(
      `Choose an action from these valid actions: ${listed.filter((action) => action !== 'check valid actions').join(', ')}, check valid actions`,
    )
    expect(checked).toMatchObject({ state: moved?.state, valid: true, done: false, reward: 0 })
    expect(checked?.progress).toBe(moved?.progress)
  })

  test('leaves out the number of a place, and shows again what was seen last on "look"', () => {
    const [first] = observations('look')
    expect(first).toBe(old.reset().observation.split('\n')[0])
    const [arrived, again] = observations('go to countertop 1', 'look')
    expect(arrived).toMatch(/^On the countertop 1, you see /)
    expect(again).toBe(arrived)
    const [, , afterRefusal] = observations('go to countertop 1', 'go to nowhere 1', 'look')
    expect(afterRefusal).toBe(arrived)
    expect(play(smallGame(hotApple, 'put'), ['go to countertop 1']).observations[0]).toMatch(
      /^You arrive at loc \d+\. On/,
    )
  })

  test('refuses in the game’s words, or in LearnAct’s where that is asked for', () => {
    expect(observations('fly')).toEqual(['Nothing happens.'])
    const learnact = wrapGame(smallGame(), { ...agentboard, refusal: 'not_valid' })
    expect(play(learnact, ['fly', 'go to countertop 1']).observations).toEqual([
      notValid,
      expect.stringContaining('On the countertop 1'),
    ])
  })

  test('is what the guide teaches agents', () => {
    expect(alfworldGuide('put').rules).not.toContain('check valid actions')
    const guide = alfworldGuide('put', { ...agentboard, refusal: 'not_valid' })
    expect(guide.rules).toContain('"check valid actions"')
    expect(guide.rules).toContain(notValid)
    expect(JSON.stringify(guide.example)).not.toContain('You arrive at loc')
    expect(JSON.stringify(alfworldGuide('put').example)).toContain('You arrive at loc')
  })
})

describe('ALFWorld in ETO’s language', () => {
  const eto = alfworldOptions.parse({ language: 'eto' })
  const commands = ['go to countertop 1', 'take apple 1 from countertop 1', 'look', 'go to nowhere 1']

  test('leaves out the number of a place in older games, and nothing else', () => {
    const plain = play(smallGame(hotApple, 'put'), commands).observations
    const told = play(wrapGame(smallGame(hotApple, 'put'), eto), commands).observations
    expect(plain[0]).toMatch(/^You arrive at loc \d+\. On the countertop 1, you see /)
    expect(told).toEqual(plain.map((text) => text.replace(/^You arrive at loc \d+\. /, '')))
    expect(alfworldGuide('put', eto).example?.turns[0]?.observation).toMatch(/^On the countertop 1/)
  })

  test('keeps the name of a place in later games', () => {
    const plain = play(smallGame(), commands).observations
    expect(plain[0]).toMatch(/^You arrive at countertop 1\. /)
    expect(play(wrapGame(smallGame(), eto), commands).observations).toEqual(plain)
    expect(alfworldGuide('move', eto).example?.turns[0]?.observation).toMatch(
      /^You arrive at countertop 1\. /,
    )
  })
})
