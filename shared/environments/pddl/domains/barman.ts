import type { Language } from '../language.ts'

export const barmanText = `
(define (domain barman)
  (:requirements :strips :typing)
  (:types
    hand level beverage dispenser container - object
    ingredient cocktail - beverage
    shot shaker - container)
  (:predicates
    (ontable ?c - container)
    (holding ?h - hand ?c - container)
    (handempty ?h - hand)
    (empty ?c - container)
    (clean ?c - container)
    (used ?c - container ?b - beverage)
    (contains ?c - container ?b - beverage)
    (unshaked ?s - shaker)
    (shaked ?s - shaker)
    (shaker-level ?s - shaker ?l - level)
    (shaker-empty-level ?s - shaker ?l - level)
    (next ?lower ?upper - level)
    (dispenses ?d - dispenser ?i - ingredient)
    (cocktail-part1 ?c - cocktail ?i - ingredient)
    (cocktail-part2 ?c - cocktail ?i - ingredient))

  (:action grasp
    :parameters (?h - hand ?c - container)
    :precondition (and (handempty ?h) (ontable ?c))
    :effect (and (holding ?h ?c) (not (handempty ?h)) (not (ontable ?c))))

  (:action leave
    :parameters (?h - hand ?c - container)
    :precondition (holding ?h ?c)
    :effect (and (ontable ?c) (handempty ?h) (not (holding ?h ?c))))

  (:action fill-shot
    :parameters (?s - shot ?i - ingredient ?h ?other - hand ?d - dispenser)
    :precondition (and (holding ?h ?s) (handempty ?other) (dispenses ?d ?i) (empty ?s) (clean ?s))
    :effect (and (contains ?s ?i) (used ?s ?i) (not (empty ?s)) (not (clean ?s))))

  (:action refill-shot
    :parameters (?s - shot ?i - ingredient ?h ?other - hand ?d - dispenser)
    :precondition (and (holding ?h ?s) (handempty ?other) (dispenses ?d ?i) (empty ?s) (used ?s ?i))
    :effect (and (contains ?s ?i) (not (empty ?s))))

  (:action empty-shot
    :parameters (?h - hand ?s - shot ?b - beverage)
    :precondition (and (holding ?h ?s) (contains ?s ?b))
    :effect (and (empty ?s) (not (contains ?s ?b))))

  (:action clean-shot
    :parameters (?s - shot ?b - beverage ?h ?other - hand)
    :precondition (and (holding ?h ?s) (handempty ?other) (empty ?s) (used ?s ?b))
    :effect (and (clean ?s) (not (used ?s ?b))))

  (:action pour-shot-to-clean-shaker
    :parameters (?s - shot ?i - ingredient ?k - shaker ?h - hand ?from ?to - level)
    :precondition (and (holding ?h ?s) (contains ?s ?i) (empty ?k) (clean ?k)
                       (shaker-level ?k ?from) (next ?from ?to))
    :effect (and (empty ?s) (contains ?k ?i) (unshaked ?k) (shaker-level ?k ?to)
                 (not (contains ?s ?i)) (not (empty ?k)) (not (clean ?k)) (not (shaker-level ?k ?from))))

  (:action pour-shot-to-used-shaker
    :parameters (?s - shot ?i - ingredient ?k - shaker ?h - hand ?from ?to - level)
    :precondition (and (holding ?h ?s) (contains ?s ?i) (unshaked ?k) (shaker-level ?k ?from) (next ?from ?to))
    :effect (and (empty ?s) (contains ?k ?i) (shaker-level ?k ?to)
                 (not (contains ?s ?i)) (not (shaker-level ?k ?from))))

  (:action empty-shaker
    :parameters (?h - hand ?k - shaker ?c - cocktail ?from ?bottom - level)
    :precondition (and (holding ?h ?k) (contains ?k ?c) (shaked ?k)
                       (shaker-level ?k ?from) (shaker-empty-level ?k ?bottom))
    :effect (and (empty ?k) (shaker-level ?k ?bottom)
                 (not (contains ?k ?c)) (not (shaked ?k)) (not (shaker-level ?k ?from))))

  (:action clean-shaker
    :parameters (?h ?other - hand ?k - shaker)
    :precondition (and (holding ?h ?k) (handempty ?other) (empty ?k))
    :effect (clean ?k))

  (:action shake
    :parameters (?c - cocktail ?first ?second - ingredient ?k - shaker ?h ?other - hand)
    :precondition (and (holding ?h ?k) (handempty ?other) (unshaked ?k) (contains ?k ?first) (contains ?k ?second)
                       (cocktail-part1 ?c ?first) (cocktail-part2 ?c ?second))
    :effect (and (shaked ?k) (contains ?k ?c)
                 (not (unshaked ?k)) (not (contains ?k ?first)) (not (contains ?k ?second))))

  (:action pour-shaker-to-shot
    :parameters (?b - beverage ?s - shot ?h - hand ?k - shaker ?from ?to - level)
    :precondition (and (holding ?h ?k) (shaked ?k) (contains ?k ?b) (empty ?s) (clean ?s)
                       (shaker-level ?k ?from) (next ?to ?from))
    :effect (and (contains ?s ?b) (shaker-level ?k ?to)
                 (not (empty ?s)) (not (clean ?s)) (not (shaker-level ?k ?from)))))
`

export const barmanLanguage: Language = {
  sentences: {
    ontable: '{0} is on the table',
    holding: 'hand {0} holds {1}',
    handempty: 'hand {0} is empty',
    empty: '{0} is empty',
    clean: '{0} is clean',
    used: '{0} was used for {1}',
    contains: '{0} contains {1}',
    unshaked: '{0} is not shaken',
    shaked: '{0} is shaken',
    'shaker-level': '{0} is filled to level {1}',
    'shaker-empty-level': '{0} is at level {1} when empty',
    next: 'level {0} comes before level {1}',
    dispenses: '{0} dispenses {1}',
    'cocktail-part1': 'the first part of {0} is {1}',
    'cocktail-part2': 'the second part of {0} is {1}',
  },
  phrases: {
    grasp: 'grasp {1} with {0}',
    leave: 'put down {1} with {0}',
    'fill-shot': 'fill {0} with {1} from {4} using {2} and {3}',
    'refill-shot': 'refill {0} with {1} from {4} using {2} and {3}',
    'empty-shot': 'empty {2} out of {1} with {0}',
    'clean-shot': 'clean {0} of {1} using {2} and {3}',
    'pour-shot-to-clean-shaker': 'pour {1} from {0} into clean {2} with {3} from level {4} to {5}',
    'pour-shot-to-used-shaker': 'pour {1} from {0} into used {2} with {3} from level {4} to {5}',
    'empty-shaker': 'empty {2} out of {1} with {0} from level {3} to {4}',
    'clean-shaker': 'clean {2} using {0} and {1}',
    shake: 'shake {0} of {1} and {2} in {3} using {4} and {5}',
    'pour-shaker-to-shot': 'pour {0} from {3} into {1} with {2} from level {4} to {5}',
  },
}

export const barmanRules = `You control a barman with two hands who serves ingredients and cocktails in shot glasses, with one shaker.

You can do one thing at a time. Where two hands are named, the first holds the glass or the shaker and the second has to be empty:
- "grasp <container> with <hand>" and "put down <container> with <hand>".
- "fill <shot> with <ingredient> from <dispenser> using <hand> and <hand>" fills an empty, clean shot; it is no longer clean then.
- "refill <shot> with <ingredient> from <dispenser> using <hand> and <hand>" fills an empty shot that was used for the same ingredient.
- "empty <beverage> out of <shot> with <hand>" empties a shot.
- "clean <shot> of <beverage> using <hand> and <hand>" cleans an empty shot that was used for the beverage.
- "pour <ingredient> from <shot> into clean <shaker> with <hand> from level <level> to <level>" pours a first ingredient into the shaker, which is empty and clean, and stays where it is; the hand holds the shot.
- "pour <ingredient> from <shot> into used <shaker> with <hand> from level <level> to <level>" pours another ingredient into it.
- "shake <cocktail> of <ingredient> and <ingredient> in <shaker> using <hand> and <hand>" makes the cocktail of its first and second part.
- "pour <cocktail> from <shaker> into <shot> with <hand> from level <level> to <level>" serves a shaken cocktail in an empty, clean shot; the hand holds the shaker.
- "empty <cocktail> out of <shaker> with <hand> from level <level> to <level>" empties the shaker, to its lowest level.
- "clean <shaker> using <hand> and <hand>" cleans an empty shaker.

Levels say how full the shaker is: each pouring goes one level up or down.`
