import { EspalierError } from '../../core/contracts/errors.ts'
import type { PureCore, StepResult } from '../environment.ts'
import type { Facts } from '../planning/facts.ts'
import type { PlanningTask } from '../planning/planning-task.ts'
import { goalText } from './goal-text.ts'
import { capitalized, type Language, say } from './language.ts'
import { createReadAction } from './read-action.ts'

export type PddlState = {
  facts: number[]
  best: number
}

const notUnderstood =
  'That is not an action here, so nothing happens. "check valid actions" lists what can be done now.'
const notPossible =
  'That is not possible now, so nothing happens: what the action needs is not given. "check valid actions" lists what can be done now.'
const nothingChanged = 'That was possible, but it changed nothing.'

/**
 * The rules of one task. After an action that takes effect, the observation lists all true facts that can change. The
 * first observation and `look around` add the objects, the static facts, and the goal. Reward and progress are the
 * best share so far of the goal's literals that held simultaneously (AgentBoard, section
 * 3.1). As there, literals that hold from the start count from the first possible action. A goal that is no list of
 * literals counts as one.
 */
export function createCore(id: string, task: PlanningTask, language: Language): PureCore<PddlState> {
  const readAction = createReadAction(task, language)
  const sentences = new Map<number, string>()
  const sentence = (fact: number): string => {
    let text = sentences.get(fact)
    if (text === undefined) {
      const { predicate, objects } = task.literal(fact)
      text = capitalized(`${say(language.sentences[predicate] as string, objects)}.`)
      sentences.set(fact, text)
    }
    return text
  }
  const stateText = (facts: Facts) => facts.map(sentence).join(' ')
  const { size, count } = goalParts(task)
  const background = [
    `Objects: ${objectList(task)}.`,
    ...(task.staticFacts.length > 0 ? [`Always true: ${stateText(task.staticFacts)}`] : []),
    `Goal: ${goalText(task.goal, language)}.`,
  ].join('\n')
  const overview = (facts: Facts) => `${background}\nState: ${stateText(facts)}`
  const validActions = ({ facts }: PddlState) =>
    task
      .applicableActions(facts)
      .map(({ schema, objects }) =>
        say(
          language.phrases[schema.name] as string,
          objects.map((object) => task.objects[object] as string),
        ),
      )
      .sort()
  const unchanged = (state: PddlState, observation: string, valid: boolean): StepResult<PddlState> => {
    const progress = state.best / size
    return { state, observation, reward: progress, done: false, valid, progress }
  }
  return {
    reset(asked) {
      if (asked !== id) {
        throw new EspalierError('unknown_task', `These rules are of the task "${id}", not of "${asked}".`)
      }
      return { state: { facts: [...task.initial], best: 0 }, observation: overview(task.initial) }
    },
    step(state, text) {
      const action = readAction(text)
      if (action === null) return unchanged(state, notUnderstood, false)
      if (action === 'look around') return unchanged(state, overview(state.facts), true)
      if (action === 'check valid actions') {
        return unchanged(state, `Valid actions:\n${validActions(state).join('\n')}`, true)
      }
      if (!task.applicable(state.facts, action)) return unchanged(state, notPossible, false)
      const facts = task.apply(state.facts, action) as number[]
      const best = Math.max(state.best, count(facts))
      const progress = best / size
      const done = task.reached(facts)
      const changed = facts !== state.facts || best !== state.best
      const observation =
        facts === state.facts
          ? nothingChanged
          : done
            ? `${stateText(facts)} The goal is reached.`
            : stateText(facts)
      return {
        state: changed ? { facts, best } : state,
        observation,
        reward: progress,
        done,
        valid: true,
        progress,
      }
    },
    validActions,
  }
}

export function goalParts(task: PlanningTask): { size: number; count(facts: Facts): number } {
  const goal = task.goalLiterals
  return {
    size: goal?.length || 1,
    count(facts) {
      if (goal === null) return task.reached(facts) ? 1 : 0
      let reached = 0
      for (const { fact, negated } of goal) if (task.holds(facts, fact) !== negated) reached += 1
      return goal.length === 0 ? 1 : reached
    },
  }
}

function objectList(task: PlanningTask): string {
  const byType = Map.groupBy(task.objects, (_name, number) => task.typeOf(number))
  const listed = [...byType].sort(([one], [other]) => (one < other ? -1 : 1))
  return listed
    .map(([type, names]) => (listed.length > 1 ? `${type}: ${names.join(', ')}` : names.join(', ')))
    .join('; ')
}
