import { EspalierError } from '../../core/contracts/errors.ts'
import type { PureCore } from '../environment.ts'
import type { Facts } from '../planning/facts.ts'
import { parseDomain } from '../planning/parse-domain.ts'
import { parseProblem } from '../planning/parse-problem.ts'
import { createPlanningTask, type PlanningTask } from '../planning/planning-task.ts'
import { createCommands } from './commands.ts'
import { type EntityNames, nameEntities } from './entity-names.ts'
import type { GameFile } from './game-file.ts'
import { type GoalBlock, goalBlocks } from './goal-blocks.ts'
import { parseGrammar } from './parse-grammar.ts'
import { GrammarError, parseSymbols } from './parse-symbols.ts'
import { renderText, type Scene } from './render-text.ts'
import { type AlfworldState, createStateFacts, negation } from './state.ts'
import { subGoals } from './sub-goals.ts'

export interface Game {
  reset(): ReturnType<PureCore<AlfworldState>['reset']>
  step: PureCore<AlfworldState>['step']
  validActions: NonNullable<PureCore<AlfworldState>['validActions']>
}

export const nothingHappens = 'Nothing happens.'

export function loadGame(file: GameFile, name: string): Game {
  try {
    return createGame(file, name)
  } catch (error) {
    if (!(error instanceof GrammarError)) throw error
    throw new EspalierError('invalid_request', `The game ${name} cannot be played. ${error.message}`, {
      cause: error,
    })
  }
}

function createGame(file: GameFile, name: string): Game {
  const domain = parseDomain(file.pddl_domain, `the domain of ${name}`)
  const problem = parseProblem(file.pddl_problem, `the problem of ${name}`)
  const task = createPlanningTask(domain, problem)
  const grammar = parseGrammar(file.grammar)
  const names = nameEntities(problem.initial.flatMap(({ terms }) => terms))
  const commands = createCommands(domain, task, grammar, names)
  const stateFacts = createStateFacts(domain, task, grammar)
  const sceneOf = createScenes(task, names)
  const blocks = goalBlocks(problem.goal)
  const solved = blocks?.map((block) => blockTest(task, block))
  const isWon = (facts: Facts) => (solved ? solved.every((test) => test(facts)) : task.reached(facts))
  const stations =
    file.subgoals?.map(patternTest) ??
    subGoals(blocks ?? [], task.isStatic).map((block) => blockTest(task, block))

  const progressOf = (reached: readonly number[], done: boolean) =>
    done ? 1 : reached.length / (stations.length + 1)
  const withReached = (state: AlfworldState, facts: Facts, observation: string): AlfworldState => {
    const fresh = stations.flatMap((isReached, index) =>
      !state.reached.includes(index) && isReached(facts, observation) ? [index] : [],
    )
    if (fresh.length === 0) return state
    return { ...state, reached: [...state.reached, ...fresh].sort((one, other) => one - other) }
  }

  return {
    reset() {
      const state: AlfworldState = { on: [], off: [], reached: [] }
      const text = renderText(
        grammar,
        parseSymbols('#intro#'),
        sceneOf(stateFacts.factsOf(state), []),
        new Map(),
      )
      const banner = text.indexOf('\n\n')
      return { state, observation: banner < 0 ? text : text.slice(banner + 2) }
    },

    step(state, action) {
      const before = stateFacts.factsOf(state)
      const command = commands.find(before, action)
      const after = command === null ? before : task.apply(before, command.action)
      const changes = after === before ? state : { ...state, ...stateFacts.changed(state, before, after) }
      const observation =
        command === null
          ? nothingHappens
          : renderText(grammar, command.feedback, sceneOf(after, changes.off), command.bindings)
      const next = withReached(changes, after, observation)
      const done = isWon(after)
      return {
        state: next,
        observation,
        reward: done ? 1 : 0,
        done,
        valid: command !== null,
        progress: progressOf(next.reached, done),
      }
    },

    validActions: (state) => commands.list(stateFacts.factsOf(state)),
  }
}

function blockTest(task: PlanningTask, { variables, conditions }: GoalBlock): (facts: Facts) => boolean {
  const query = task.query(variables, { kind: 'and', parts: conditions })
  return (facts) => query(facts).length > 0
}

function patternTest(pattern: string): (facts: Facts, observation: string) => boolean {
  try {
    const expression = new RegExp(pattern)
    return (_facts, observation) => expression.test(observation)
  } catch (error) {
    throw new GrammarError(`Its sub-goal "${pattern}" is no regular expression: ${String(error)}`)
  }
}

function createScenes(
  task: PlanningTask,
  names: EntityNames,
): (facts: Facts, off: readonly number[]) => Scene {
  const literals = new Map<number, { predicate: string; objects: readonly string[] }>()
  const literalOf = (fact: number) => {
    let known = literals.get(fact)
    if (known === undefined) {
      known = task.literal(fact)
      literals.set(fact, known)
    }
    return known
  }
  const statics = new Map<string, (readonly string[])[]>()
  const staticFactsOf = (predicate: string) => {
    let known = statics.get(predicate)
    if (known === undefined) {
      known = task.factsOf([], predicate).map((fact) => literalOf(fact).objects)
      statics.set(predicate, known)
    }
    return known
  }
  const members = new Map<string, ReadonlySet<string>>()
  const membersOf = (type: string) => {
    let known = members.get(type)
    if (known === undefined) {
      known = new Set(task.objectsOfType(type).map((object) => task.objects[object] ?? ''))
      members.set(type, known)
    }
    return known
  }
  return (facts, off) => ({
    nameOf: names.nameOf,
    isOfType: (object, type) => membersOf(type).has(object),
    factsOf(predicate) {
      if (predicate.startsWith(negation)) {
        const denied = predicate.slice(negation.length)
        return off
          .map(literalOf)
          .flatMap((literal) => (literal.predicate === denied ? [literal.objects] : []))
      }
      if (task.isStatic(predicate)) return staticFactsOf(predicate)
      return task.factsOf(facts, predicate).map((fact) => literalOf(fact).objects)
    },
  })
}
