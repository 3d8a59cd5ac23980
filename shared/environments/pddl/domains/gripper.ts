import type { Language } from '../language.ts'

export const gripperText = `
(define (domain gripper)
  (:requirements :strips :typing)
  (:types room ball gripper)
  (:predicates
    (at-robby ?r - room)
    (at ?b - ball ?r - room)
    (carry ?b - ball ?g - gripper)
    (free ?g - gripper))

  (:action move
    :parameters (?from ?to - room)
    :precondition (at-robby ?from)
    :effect (and (at-robby ?to) (not (at-robby ?from))))

  (:action pick
    :parameters (?b - ball ?r - room ?g - gripper)
    :precondition (and (at-robby ?r) (at ?b ?r) (free ?g))
    :effect (and (carry ?b ?g) (not (at ?b ?r)) (not (free ?g))))

  (:action drop
    :parameters (?b - ball ?r - room ?g - gripper)
    :precondition (and (at-robby ?r) (carry ?b ?g))
    :effect (and (at ?b ?r) (free ?g) (not (carry ?b ?g)))))
`

export const gripperLanguage: Language = {
  sentences: {
    'at-robby': 'the robot is at {0}',
    at: '{0} is at {1}',
    carry: 'gripper {1} holds {0}',
    free: 'gripper {0} is free',
    room: '{0} is a room',
    ball: '{0} is a ball',
    gripper: '{0} is a gripper',
  },
  phrases: {
    move: 'move from {0} to {1}',
    pick: 'pick up {0} at {1} with {2}',
    drop: 'drop {0} at {1} from {2}',
  },
}

export const gripperRules = `You control a robot with grippers that brings balls to the rooms of the goal.

You can do one thing at a time:
- "move from <room> to <room>" brings the robot, and what it holds, from the room where it is to another.
- "pick up <ball> at <room> with <gripper>" takes a ball that is in the robot's room with a free gripper.
- "drop <ball> at <room> from <gripper>" leaves a ball in the robot's room.

A gripper holds one ball at most, so it pays to fill all grippers before moving.`
