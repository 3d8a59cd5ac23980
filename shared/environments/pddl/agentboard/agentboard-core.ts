import { EspalierError } from '../../../core/contracts/errors.ts'
import type { PureCore, StepResult } from '../../environment.ts'
import { type Facts, includesFact } from '../../planning/facts.ts'
import type { Domain } from '../../planning/parse-domain.ts'
import type { Action, PlanningTask } from '../../planning/planning-task.ts'
import { goalParts, type PddlState } from '../core.ts'
import type { PddlOptions } from '../pddl-options.ts'
import { robotDomainOf } from '../robot-domains.ts'
import { agentboardGoal, agentboardPhrase, agentboardSentence } from './agentboard-phrases.ts'

export interface AgentboardManner {
  readonly showsChanges: boolean
  readonly offersLook: boolean
  /**
   * True if objects' types are listed among the facts although the domain has types: AgentBoard's gripper has none.
   */
  readonly showsTypes: boolean
}

/** Domains so large that AgentBoard shows only the changes, and offers to look around. */
const longDomains: readonly string[] = ['barman', 'tyreworld']

export function mannerOf(domain: Domain, observations: PddlOptions['observations']): AgentboardManner {
  const name = robotDomainOf(domain)?.name ?? ''
  const isLong = longDomains.includes(name)
  return {
    offersLook: isLong,
    showsChanges: isLong && observations === 'usual',
    showsTypes: name === 'gripper' && !domain.predicates.has('ball'),
  }
}

const notUnderstood = 'The action is not valid and therefore takes no effect. Please check valid actions.'
const noEffect =
  'The action is not valid and therefore takes no effect. Please remember to satisfy the restriction of actions. You can also check valid actions.'

/**
 * The rules of one task as in AgentBoard's PDDL environment: its sentences, its parsing of actions and its feedback.
 * Facts are listed in the order of their sentences, even if AgentBoard's order changes between processes (the actions
 * of `check valid actions`, the facts of `look around`). An action without effect is refused like an impossible one.
 * The reward is the best share of the goal's literals so far, counted after actions that took effect.
 * @see Ma et al. 2024, AgentBoard (arXiv 2401.13178), section 3.1, and its code, whose environment LearnAct copied
 */
export function createAgentboardCore(
  id: string,
  task: PlanningTask,
  { showsChanges, offersLook, showsTypes }: AgentboardManner,
): PureCore<PddlState> {
  const { size, count } = goalParts(task)
  const sentence = (fact: number) => {
    const { predicate, objects } = task.literal(fact)
    return agentboardSentence(predicate, objects)
  }
  const kinds = showsTypes
    ? task.objects.map((name, object) => agentboardSentence(task.typeOf(object), [name]))
    : []
  const listed = (sentences: readonly string[]) => sentences.toSorted().join(' ')
  const constant = [...kinds, ...task.staticFacts.map(sentence)]
  const everything = (facts: Facts) => listed([...constant, ...facts.map(sentence)])
  const changed = (before: Facts, after: Facts) =>
    showsChanges
      ? listed(after.filter((fact) => !includesFact(before, fact)).map(sentence))
      : everything(after)
  const phrases = ({ facts }: PddlState) =>
    task.applicableActions(facts).map(({ schema, objects }) =>
      agentboardPhrase(
        schema.name,
        objects.map((object) => task.objects[object] as string),
      ),
    )
  const helpers = ['check valid actions', ...(offersLook ? ['look around'] : [])]
  const unchanged = (state: PddlState, observation: string, valid: boolean): StepResult<PddlState> => {
    const progress = state.best / size
    return { state, observation, reward: progress, done: false, valid, progress }
  }
  return {
    reset(asked) {
      if (asked !== id) {
        throw new EspalierError('unknown_task', `These rules are of the task "${id}", not of "${asked}".`)
      }
      const observation = `${agentboardGoal(task.goal)}\n${everything(task.initial)}`
      return { state: { facts: [...task.initial], best: 0 }, observation }
    },
    step(state, text) {
      const action = readAgentboardAction(task, state.facts, text)
      if (action === 'check valid actions') {
        const offered = [...phrases(state).sort(), ...helpers]
        return unchanged(state, `Valid actions are: ${offered.join(', ')}`, true)
      }
      if (action === 'look around') return unchanged(state, everything(state.facts), true)
      if (action === 'not understood') return unchanged(state, notUnderstood, false)
      const isPossible = action !== 'not possible' && task.applicable(state.facts, action)
      const facts = isPossible ? (task.apply(state.facts, action) as number[]) : state.facts
      if (facts === state.facts) return unchanged(state, noEffect, false)
      const best = Math.max(state.best, count(facts))
      const progress = best / size
      const done = task.reached(facts)
      const seen = changed(state.facts, facts)
      return {
        state: { facts, best },
        observation: done ? `${seen} The goal is satisfied.` : seen,
        reward: progress,
        done,
        valid: true,
        progress,
      }
    },
    validActions: (state) => [...new Set(phrases(state).map((phrase) => phrase.trim()))].sort(),
  }
}

const longestAction = 1000

/**
 * Parses an agent's text as AgentBoard does: `check` anywhere in it requests the valid actions. Otherwise it takes
 * the first word that names a possible action, and the first objects in order, as many as the action takes. Other
 * words are ignored.
 * @returns `not understood` without such a name or with too few objects; `not possible` if the objects do not fit the
 * action
 * @example
 * readAgentboardAction(task, facts, 'Stack b1 on b2.') // the action (stack b1 b2)
 */
function readAgentboardAction(
  task: PlanningTask,
  facts: Facts,
  text: string,
): Action | 'check valid actions' | 'look around' | 'not understood' | 'not possible' {
  if (text.length > longestAction) return 'not understood'
  const lower = text.toLowerCase()
  if (lower.includes('check')) return 'check valid actions'
  if (lower.includes('look around')) return 'look around'
  const words = lower.split(/[\s()[\]{}<>,;:!?"'`]+/).map((word) => word.replace(/\.+$/, ''))
  const schema = words
    .map((word) => task.schemas.find(({ name }) => name === word))
    .find((named) => named !== undefined && task.applicableActions(facts, named.name).length > 0)
  if (schema === undefined) return 'not understood'
  const objects = words.filter((word) => task.objectNumber(word) !== undefined)
  const needed = schema.parameters.length
  if (objects.length < needed) return 'not understood'
  return task.action(schema.name, objects.slice(0, needed)) ?? 'not possible'
}
