import type { Language } from '../language.ts'

export const blockworldText = `
(define (domain blockworld)
  (:requirements :strips :typing)
  (:types block)
  (:predicates
    (on ?upper ?lower - block)
    (on-table ?b - block)
    (clear ?b - block)
    (holding ?b - block)
    (arm-empty))

  (:action pickup
    :parameters (?b - block)
    :precondition (and (arm-empty) (clear ?b) (on-table ?b))
    :effect (and (holding ?b) (not (arm-empty)) (not (clear ?b)) (not (on-table ?b))))

  (:action putdown
    :parameters (?b - block)
    :precondition (holding ?b)
    :effect (and (on-table ?b) (clear ?b) (arm-empty) (not (holding ?b))))

  (:action stack
    :parameters (?upper ?lower - block)
    :precondition (and (holding ?upper) (clear ?lower))
    :effect (and (on ?upper ?lower) (clear ?upper) (arm-empty) (not (holding ?upper)) (not (clear ?lower))))

  (:action unstack
    :parameters (?upper ?lower - block)
    :precondition (and (arm-empty) (on ?upper ?lower) (clear ?upper))
    :effect (and (holding ?upper) (clear ?lower) (not (arm-empty)) (not (clear ?upper)) (not (on ?upper ?lower)))))
`

export const blockworldLanguage: Language = {
  sentences: {
    on: '{0} is on {1}',
    'on-table': '{0} is on the table',
    clear: '{0} is clear',
    holding: 'the arm holds {0}',
    'arm-empty': 'the arm is empty',
  },
  phrases: {
    pickup: 'pick up {0}',
    putdown: 'put down {0}',
    stack: 'stack {0} on {1}',
    unstack: 'unstack {0} from {1}',
  },
}

export const blockworldRules = `You control a robot arm over a table with blocks, and have to bring the blocks into the order of the goal.

You can do one thing at a time:
- "pick up <block>" takes a clear block from the table.
- "unstack <block> from <block>" takes a clear block off the block that it is on.
- "put down <block>" puts the block that the arm holds on the table.
- "stack <block> on <block>" puts the block that the arm holds on a clear block.

The arm holds one block at most, and takes a block only when it is empty. A block is clear when nothing is on it and it is not held.`
