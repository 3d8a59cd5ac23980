import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createAgentboardCore } from '../../shared/environments/pddl/agentboard/agentboard-core.ts'
import {
  agentboardPhrase,
  agentboardSentence,
} from '../../shared/environments/pddl/agentboard/agentboard-phrases.ts'
import { loadPddlFolder } from '../../shared/environments/pddl/load-pddl-folder.ts'
import { createPddl } from '../../shared/environments/pddl/pddl.ts'
import { createRobotProblems } from '../../shared/environments/pddl/robot-problems.ts'
import { parseDomain } from '../../shared/environments/planning/parse-domain.ts'
import { parseProblem } from '../../shared/environments/planning/parse-problem.ts'
import { createPlanningTask } from '../../shared/environments/planning/planning-task.ts'
import { conformanceFolder, describeWithConformance, readConformance } from './conformance-folder.ts'

/** AgentBoard's words for each action, recorded from its environment, and the operator with its objects that they stand for. */
const actions: readonly [domain: string, agentboard: string, pddl: string][] = [
  ['blockworld', 'Pickup b1.', 'pickup b1'],
  ['blockworld', 'Putdown b1.', 'putdown b1'],
  ['blockworld', 'Stack b1 on b2.', 'stack b1 b2'],
  ['blockworld', 'Unstack b1 from b2.', 'unstack b1 b2'],
  ['gripper', 'Move from rooma to roomb. ', 'move rooma roomb'],
  ['gripper', 'Pick up ball1 at rooma with arm left. ', 'pick ball1 rooma left'],
  ['gripper', 'drop ball1 rooma left', 'drop ball1 rooma left'],
  ['tyreworld', 'Open boot.', 'open boot'],
  ['tyreworld', 'Close boot.', 'close boot'],
  ['tyreworld', 'Fetch wrench from boot.', 'fetch wrench boot'],
  ['tyreworld', 'Put-away wrench in boot.', 'put-away wrench boot'],
  ['tyreworld', 'Loosen the nut nuts1 on the hub the-hub1.', 'loosen nuts1 the-hub1'],
  ['tyreworld', 'Tighten the nut nuts1 on the hub the-hub1.', 'tighten nuts1 the-hub1'],
  ['tyreworld', 'jack-up the hub the-hub1.', 'jack-up the-hub1'],
  ['tyreworld', 'Jack-down the hub the-hub1.', 'jack-down the-hub1'],
  ['tyreworld', 'Undo the fastening of the nut nuts1 on the hub the-hub1.', 'undo nuts1 the-hub1'],
  ['tyreworld', 'Do-up the nut nuts1 on the hub the-hub1.', 'do-up nuts1 the-hub1'],
  ['tyreworld', 'Remove-wheel w1 from the hub the-hub1.', 'remove-wheel w1 the-hub1'],
  ['tyreworld', 'put-on-wheel r1 on the hub the-hub1.', 'put-on-wheel r1 the-hub1'],
  ['tyreworld', 'Inflate the wheel r1.', 'inflate r1'],
  ['barman', 'left grasp shot1. ', 'grasp left shot1'],
  ['barman', 'left leave shot1. ', 'leave left shot1'],
  [
    'barman',
    'fill-shot glass shot1 with ingredient1 with left and right holding dispenser1. ',
    'fill-shot shot1 ingredient1 left right dispenser1',
  ],
  [
    'barman',
    'refill-shot shot1 with ingredient1 with left and right holding dispenser1. ',
    'refill-shot shot1 ingredient1 left right dispenser1',
  ],
  [
    'barman',
    'use hand left to empty-shot glass shot1 with beverage ingredient1. ',
    'empty-shot left shot1 ingredient1',
  ],
  [
    'barman',
    'clean-shot glass shot1 with ingredient1 with hand left holding shot glass and right. ',
    'clean-shot shot1 ingredient1 left right',
  ],
  [
    'barman',
    'pour-shot-to-clean-shaker from a shot glass shot1 with ingredient1 to a clean shaker shaker1 with hand left from level l0 to level l1',
    'pour-shot-to-clean-shaker shot1 ingredient1 shaker1 left l0 l1',
  ],
  [
    'barman',
    'pour-shot-to-used-shaker from a shot glass shot1 with ingredient1 to a used shaker shaker1 with hand left from level l1 to level l2',
    'pour-shot-to-used-shaker shot1 ingredient1 shaker1 left l1 l2',
  ],
  [
    'barman',
    'use hand left to empty-shaker shaker1 with ingredient cocktail1 from level l2 to level l0.',
    'empty-shaker left shaker1 cocktail1 l2 l0',
  ],
  ['barman', 'use hand left and hand right to clean-shaker shaker1', 'clean-shaker left right shaker1'],
  [
    'barman',
    'shake a cocktail cocktail1 with ingredient ingredient1 and ingredient ingredient2 in a shaker shaker1 with hand left and hand right',
    'shake cocktail1 ingredient1 ingredient2 shaker1 left right',
  ],
  [
    'barman',
    'pour-shaker-to-shot to a shot glass cocktail1 the ingredient shot1 with hand left from shaker shaker1 from level l2 to level l1',
    'pour-shaker-to-shot cocktail1 shot1 left shaker1 l2 l1',
  ],
]

/** Facts with the sentences of AgentBoard's observations. Names that two domains share have one form in all of them. */
const sentences: readonly [fact: string, sentence: string][] = [
  ['on b1 b2', 'B1 is on b2.'],
  ['clear b1', 'The b1 is clear.'],
  ['arm-empty', 'Your arm is empty.'],
  ['holding b1', 'You are holding b1. '],
  ['on-table b1', 'B1 is on the table.'],
  ['ball ball1', 'Ball1 is a ball. '],
  ['gripper left', 'Left is a gripper. '],
  ['room rooma', 'Room rooma'],
  ['at-robby rooma', 'Robby is at rooma. '],
  ['at ball1 rooma', 'Ball1 is at rooma. '],
  ['free left', 'Left is free. '],
  ['carry ball1 left', 'Ball1 is carrying left. '],
  ['isopen boot', 'Boot is open.'],
  ['closed boot', 'Boot is closed.'],
  ['unlocked boot', 'Boot is unlocked.'],
  ['have wrench', 'You have wrench.'],
  ['in wrench boot', 'Wrench is in boot.'],
  ['loose nuts1 the-hub1', 'The nut nuts1 on the hub the-hub1 is loose.'],
  ['tight nuts1 the-hub1', 'The nut nuts1 on the hub the-hub1 is tight.'],
  ['on-ground the-hub1', 'Hub the-hub1 is on the ground.'],
  ['not-on-ground the-hub1', 'Hub the-hub1 is not on the ground.'],
  ['inflated r1', 'Wheel r1 is inflated.'],
  ['not-inflated r1', 'Wheel r1 is not inflated.'],
  ['fastened the-hub1', 'Hub the-hub1 is fastened.'],
  ['unfastened the-hub1', 'Hub the-hub1 is unfastened.'],
  ['free the-hub1', 'The-hub1 is free. '],
  ['on w1 the-hub1', 'W1 is on the-hub1.'],
  ['intact r1', 'Wheel r1 is intact.'],
  ['ontable shot1', 'Shot1 is on the table. '],
  ['holding left shot1', 'You are holding left. '],
  ['handempty left', 'Handempty left'],
  ['empty shot1', 'Shot1 is empty. '],
  ['contains shot1 ingredient1', 'Shot1 contains ingredient1. '],
  ['clean shot1', 'Shot1 is clean. '],
  ['used shot1 ingredient1', 'Pour shot1 from a shot glass to a used shaker ingredient1'],
  ['dispenses dispenser1 ingredient1', 'Dispenser1 dispenses ingredient1. '],
  ['shaker-empty-level shaker1 l0', 'Shaker1 is at empty level l0. '],
  ['shaker-level shaker1 l1', 'Shaker1 is at level l1. '],
  ['next l0 l1', 'Level l0 is next to level l1. '],
  ['unshaked shaker1', 'Shaker1 is unshaked. '],
  ['shaked shaker1', 'Shaker1 is shaked. '],
  ['cocktail-part1 cocktail1 ingredient1', 'Cocktail1 part1 ingredient is ingredient1. '],
  ['cocktail-part2 cocktail1 ingredient2', 'Cocktail1 part2 ingredient is ingredient2. '],
]

const split = (text: string) => {
  const [name = '', ...objects] = text.split(' ')
  return [name, objects] as const
}

describe('AgentBoard’s phrases', () => {
  test.each(actions)('%s: "%s" is (%s)', (_domain, agentboard, pddl) => {
    expect(agentboardPhrase(...split(pddl))).toBe(agentboard)
  })

  test.each(sentences)('(%s) is "%s"', (fact, sentence) => {
    expect(agentboardSentence(...split(fact))).toBe(sentence)
  })
})

const blocks =
  parseDomain(`(define (domain blocks) (:predicates (clear ?x) (on-table ?x) (arm-empty) (holding ?x) (on ?x ?y))
  (:action pickup :parameters (?ob) :precondition (and (clear ?ob) (on-table ?ob) (arm-empty))
    :effect (and (holding ?ob) (not (clear ?ob)) (not (on-table ?ob)) (not (arm-empty))))
  (:action putdown :parameters (?ob) :precondition (holding ?ob)
    :effect (and (clear ?ob) (arm-empty) (on-table ?ob) (not (holding ?ob))))
  (:action stack :parameters (?ob ?underob) :precondition (and (clear ?underob) (holding ?ob))
    :effect (and (arm-empty) (clear ?ob) (on ?ob ?underob) (not (clear ?underob)) (not (holding ?ob))))
  (:action unstack :parameters (?ob ?underob) :precondition (and (on ?ob ?underob) (clear ?ob) (arm-empty))
    :effect (and (holding ?ob) (clear ?underob) (not (on ?ob ?underob)) (not (clear ?ob)) (not (arm-empty)))))`)
const problem = parseProblem(`(define (problem small) (:domain blocks) (:objects b1 b2 b3)
  (:init (on-table b1) (on-table b2) (on b3 b1) (clear b2) (clear b3) (arm-empty))
  (:goal (and (on b1 b2) (on b3 b1))))`)

const notUnderstood = 'The action is not valid and therefore takes no effect. Please check valid actions.'
const noEffect =
  'The action is not valid and therefore takes no effect. Please remember to satisfy the restriction of actions. You can also check valid actions.'

/** A session as AgentBoard's environment answers it: what is observed, and whether it was valid. */
const session: readonly [action: string, observation: string, valid: boolean][] = [
  ['fly to b1', notUnderstood, false],
  ['Putdown b1.', notUnderstood, false],
  ['Unstack b3', notUnderstood, false],
  ['Unstack b3 from b2.', noEffect, false],
  ['Pickup b1.', noEffect, false],
  ['check valid actions', 'Valid actions are: Pickup b2., Unstack b3 from b1., check valid actions', true],
  [
    'I had better check first',
    'Valid actions are: Pickup b2., Unstack b3 from b1., check valid actions',
    true,
  ],
  [
    'UNSTACK the block b3, which is on b1, and b2',
    'B1 is on the table. B2 is on the table. The b1 is clear. The b2 is clear. You are holding b3. ',
    true,
  ],
  [
    'Putdown b3',
    'B1 is on the table. B2 is on the table. B3 is on the table. The b1 is clear. The b2 is clear. The b3 is clear. Your arm is empty.',
    true,
  ],
  [
    '(pickup b1)',
    'B2 is on the table. B3 is on the table. The b2 is clear. The b3 is clear. You are holding b1. ',
    true,
  ],
  [
    'look around',
    'B2 is on the table. B3 is on the table. The b2 is clear. The b3 is clear. You are holding b1. ',
    true,
  ],
]

describe('AgentBoard’s environment', () => {
  const core = createAgentboardCore(
    'small',
    createPlanningTask(blocks, problem, { distinctArguments: true }),
    {
      offersLook: false,
      showsChanges: false,
      showsTypes: false,
    },
  )

  test('begins with the goal and all that is true', () => {
    expect(core.reset('small', 0).observation).toBe(
      'The goal is to satisfy the following conditions: b1 is on b2., b3 is on b1.\nB1 is on the table. B2 is on the table. B3 is on b1. The b2 is clear. The b3 is clear. Your arm is empty.',
    )
  })

  test('answers a session as recorded', () => {
    let { state } = core.reset('small', 0)
    const answered = session.map(([action]) => {
      const result = core.step(state, action)
      state = result.state
      // The part of the goal that holds at first is taken apart by the first step, so it never counts.
      expect(result.progress).toBe(0)
      return [action, result.observation, result.valid]
    })
    expect(answered).toEqual(session)
    const stacked = core.step(state, 'Stack b1 on b2.')
    expect(stacked.progress).toBe(0.5)
    const last = ['Pickup b3', 'Stack b3 on b1'].reduce(
      (result, action) => core.step(result.state, action),
      stacked,
    )
    expect(last).toMatchObject({ done: true, reward: 1 })
    expect(last.observation).toMatch(/Your arm is empty\. The goal is satisfied\.$/)
  })

  test('shows in barman and tyreworld what has become true, and offers to look around', async () => {
    const problems = createRobotProblems(30)
    const usual = createPddl(problems, { language: 'agentboard', observations: 'usual' })
    const full = createPddl(problems, { language: 'agentboard', observations: 'full' })
    for (const [id, action] of [
      ['barman-000', 'left grasp shot1'],
      ['tyreworld-000', 'Close boot.'],
    ] as const) {
      const [short, long] = await Promise.all([usual, full].map((each) => each.open(id)))
      const { state, observation } = short?.reset(id, 0) ?? { state: { facts: [], best: 0 }, observation: '' }
      expect(long?.reset(id, 0).observation).toBe(observation)
      const changed = short?.step(state, action).observation
      expect(changed).toBe(id === 'barman-000' ? 'You are holding left. ' : 'Boot is closed.')
      const whole = long?.step(state, action).observation
      expect(whole).toContain(changed)
      expect(whole).toContain(id === 'barman-000' ? 'Handempty right' : 'Boot is unlocked.')
      expect(short?.step(state, 'check valid actions').observation).toMatch(
        /, check valid actions, look around$/,
      )
    }
  })
})

interface Episode {
  problem: string
  steps: { validActions: string[]; action: string; applicable: boolean; progress: number }[]
}

const load = () => readConformance<Record<string, Episode[]>>('pddl/transcripts.json')

describeWithConformance('pddl/transcripts.json', load, (byFolder) => {
  test('AgentBoard’s problem files play the recorded actions in AgentBoard’s words', async () => {
    const environment = await loadPddlFolder(join(conformanceFolder, 'pddl'), {
      language: 'agentboard',
      observations: 'full',
    })
    for (const [folder, episodes] of Object.entries(byFolder)) {
      for (const { problem: file, steps } of episodes) {
        const id = `${folder}-${basename(file, '.pddl')}`
        const core = await environment.open(id)
        let { state } = core.reset(id, 0)
        for (const { action, applicable, validActions } of steps) {
          const phrase = (pddl: string) => agentboardPhrase(...split(pddl.slice(1, -1))).trim()
          expect(core.validActions?.(state)).toEqual(validActions.map(phrase).sort())
          const result = core.step(state, phrase(action))
          expect([id, action, result.valid]).toEqual([id, action, applicable])
          state = result.state
        }
      }
    }
  })

  test('and are shown with the rules and an example in those words', async () => {
    const environment = await loadPddlFolder(join(conformanceFolder, 'pddl'), {
      language: 'agentboard',
      observations: 'usual',
    })
    for (const folder of Object.keys(byFolder)) {
      const task = environment.tasks().find(({ type }) => type === folder)
      if (task === undefined) throw new Error(`no task of ${folder}`)
      const { example, rules } = environment.describe(task)
      expect(rules).toContain('check valid actions')
      expect(example?.turns.at(-1)?.observation).toMatch(/The goal is satisfied\.$/)
    }
  })
})
