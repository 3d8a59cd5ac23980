import type { Language } from '../language.ts'

export const tyreworldText = `
(define (domain tyreworld)
  (:requirements :strips :typing)
  (:types
    thing - object
    tool wheel nut - thing
    container hub - object)
  (:constants wrench pump jack - tool)
  (:predicates
    (isopen ?c - container)
    (closed ?c - container)
    (unlocked ?c - container)
    (in ?t - thing ?c - container)
    (have ?t - thing)
    (tight ?n - nut ?h - hub)
    (loose ?n - nut ?h - hub)
    (on-ground ?h - hub)
    (not-on-ground ?h - hub)
    (fastened ?h - hub)
    (unfastened ?h - hub)
    (on ?w - wheel ?h - hub)
    (free ?h - hub)
    (inflated ?w - wheel)
    (not-inflated ?w - wheel)
    (intact ?w - wheel))

  (:action open
    :parameters (?c - container)
    :precondition (and (closed ?c) (unlocked ?c))
    :effect (and (isopen ?c) (not (closed ?c))))

  (:action close
    :parameters (?c - container)
    :precondition (isopen ?c)
    :effect (and (closed ?c) (not (isopen ?c))))

  (:action fetch
    :parameters (?t - thing ?c - container)
    :precondition (and (isopen ?c) (in ?t ?c))
    :effect (and (have ?t) (not (in ?t ?c))))

  (:action put-away
    :parameters (?t - thing ?c - container)
    :precondition (and (isopen ?c) (have ?t))
    :effect (and (in ?t ?c) (not (have ?t))))

  (:action loosen
    :parameters (?n - nut ?h - hub)
    :precondition (and (tight ?n ?h) (on-ground ?h) (have wrench))
    :effect (and (loose ?n ?h) (not (tight ?n ?h))))

  (:action tighten
    :parameters (?n - nut ?h - hub)
    :precondition (and (loose ?n ?h) (on-ground ?h) (have wrench))
    :effect (and (tight ?n ?h) (not (loose ?n ?h))))

  (:action jack-up
    :parameters (?h - hub)
    :precondition (and (on-ground ?h) (have jack))
    :effect (and (not-on-ground ?h) (not (on-ground ?h)) (not (have jack))))

  (:action jack-down
    :parameters (?h - hub)
    :precondition (not-on-ground ?h)
    :effect (and (on-ground ?h) (have jack) (not (not-on-ground ?h))))

  (:action undo
    :parameters (?n - nut ?h - hub)
    :precondition (and (loose ?n ?h) (fastened ?h) (not-on-ground ?h) (have wrench))
    :effect (and (have ?n) (unfastened ?h) (not (fastened ?h)) (not (loose ?n ?h))))

  (:action do-up
    :parameters (?n - nut ?h - hub)
    :precondition (and (have ?n) (unfastened ?h) (not-on-ground ?h) (have wrench))
    :effect (and (loose ?n ?h) (fastened ?h) (not (unfastened ?h)) (not (have ?n))))

  (:action remove-wheel
    :parameters (?w - wheel ?h - hub)
    :precondition (and (on ?w ?h) (unfastened ?h) (not-on-ground ?h))
    :effect (and (have ?w) (free ?h) (not (on ?w ?h))))

  (:action put-on-wheel
    :parameters (?w - wheel ?h - hub)
    :precondition (and (have ?w) (free ?h) (unfastened ?h) (not-on-ground ?h))
    :effect (and (on ?w ?h) (not (have ?w)) (not (free ?h))))

  (:action inflate
    :parameters (?w - wheel)
    :precondition (and (not-inflated ?w) (intact ?w) (have pump))
    :effect (and (inflated ?w) (not (not-inflated ?w)))))
`

export const tyreworldLanguage: Language = {
  sentences: {
    isopen: '{0} is open',
    closed: '{0} is closed',
    unlocked: '{0} is unlocked',
    in: '{0} is in {1}',
    have: 'the robot has {0}',
    tight: '{0} is tight on {1}',
    loose: '{0} is loose on {1}',
    'on-ground': '{0} is on the ground',
    'not-on-ground': '{0} is jacked up',
    fastened: '{0} is fastened',
    unfastened: '{0} is unfastened',
    on: 'wheel {0} is on {1}',
    free: '{0} has no wheel',
    inflated: '{0} is inflated',
    'not-inflated': '{0} is not inflated',
    intact: '{0} is intact',
  },
  phrases: {
    open: 'open {0}',
    close: 'close {0}',
    fetch: 'fetch {0} from {1}',
    'put-away': 'put {0} away in {1}',
    loosen: 'loosen {0} on {1}',
    tighten: 'tighten {0} on {1}',
    'jack-up': 'jack up {0}',
    'jack-down': 'jack down {0}',
    undo: 'undo {0} on {1}',
    'do-up': 'do up {0} on {1}',
    'remove-wheel': 'remove {0} from {1}',
    'put-on-wheel': 'put {0} on {1}',
    inflate: 'inflate {0}',
  },
}

export const tyreworldRules = `You control a robot that changes the wheels of a car: flat wheels come off their hubs, spare wheels go on, tools are in a container such as the boot.

You can do one thing at a time:
- "open <container>" and "close <container>"; a container has to be unlocked to be opened.
- "fetch <thing> from <container>" and "put <thing> away in <container>"; the container has to be open.
- "loosen <nut> on <hub>" and "tighten <nut> on <hub>"; the hub has to be on the ground, and the robot needs the wrench.
- "jack up <hub>" takes the jack, which stays under the hub; "jack down <hub>" brings the hub to the ground and the jack back.
- "undo <nut> on <hub>" takes off a loose nut; "do up <nut> on <hub>" puts it on again, loose. The hub has to be jacked up, and the robot needs the wrench.
- "remove <wheel> from <hub>" and "put <wheel> on <hub>"; the hub has to be jacked up and unfastened.
- "inflate <wheel>" needs the pump, and a wheel that is intact.`
