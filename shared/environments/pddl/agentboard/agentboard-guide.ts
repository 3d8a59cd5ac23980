import type { EnvironmentGuide } from '../../environment.ts'
import type { Domain } from '../../planning/parse-domain.ts'
import type { Problem } from '../../planning/parse-problem.ts'
import { createPlanningTask } from '../../planning/planning-task.ts'
import { rootType } from '../../planning/typed-names.ts'
import { countPlaceholders } from '../language.ts'
import { createReadAction } from '../read-action.ts'
import type { RobotDomain } from '../robot-domain.ts'
import { type AgentboardManner, createAgentboardCore } from './agentboard-core.ts'
import { agentboardPhrase } from './agentboard-phrases.ts'

const common = `Name objects exactly as they are shown. No object can be used twice in one action.
- "check valid actions" lists every action that is possible now.
- "look around" shows all that is true.

An action that is not possible takes no effect, but takes a turn all the same. You have reached the goal when all its conditions are true at once.`

/**
 * The rules of a domain in AgentBoard's language.
 * @param known the matching robot-planning domain, whose rules and example are shown with AgentBoard's phrases; null
 * for any other
 */
export function agentboardGuide(
  domain: Domain,
  known: RobotDomain | null,
  manner: AgentboardManner,
): EnvironmentGuide {
  const example = known && playExample(domain, known, manner)
  if (known === null || example === null) return { rules: plainRules(domain), example: null }
  return {
    rules: `${withPhrases(known)}\n${common}`,
    example,
    program: known.example.agentboardProgram,
  }
}

function plainRules({ actions }: Domain): string {
  const listed = actions.map(({ name, parameters }) => {
    const places = parameters.map(({ types }) => `<${types.join(' or ')}>`)
    return `- "${agentboardPhrase(name, places).trim()}"`
  })
  return `You act in a world of objects and facts about them, and have to make the goal's facts true.

You can do one thing at a time:
${listed.join('\n')}

${common}`
}

function withPhrases({ rules, language }: RobotDomain): string {
  const known = Object.entries(language.phrases).map(([name, phrase]) => ({
    name,
    words: phrase.split(' '),
    places: countPlaceholders(phrase),
  }))
  return rules.replace(/"([^"]+)"/g, (quoted, phrase: string) => {
    const words = phrase.split(' ')
    const found = known.find(
      (each) =>
        each.words.length === words.length &&
        each.words.every((word, at) => word === words[at] || word.startsWith('{')),
    )
    if (found === undefined) return quoted
    const places = Array.from(
      { length: found.places },
      (_none, place) => words[found.words.indexOf(`{${place}}`)] ?? '',
    )
    return `"${agentboardPhrase(found.name, places).trim().replace(/\.$/, '')}"`
  })
}

function playExample(
  domain: Domain,
  { name, language, example }: RobotDomain,
  manner: AgentboardManner,
): EnvironmentGuide['example'] {
  const task = createPlanningTask(domain, fitted(example.problem, domain), { distinctArguments: true })
  const read = createReadAction(task, language)
  const core = createAgentboardCore(name, task, manner)
  const { state: start, observation } = core.reset(name, 0)
  let state = start
  const turns: { thought: string; action: string; observation: string }[] = []
  for (const [thought, text] of example.turns) {
    const action = read(text)
    if (action === null || typeof action === 'string') return null
    const objects = action.objects.map((object) => task.objects[object] ?? '')
    const phrase = agentboardPhrase(action.schema.name, objects).trim()
    const result = core.step(state, phrase)
    if (!result.valid) return null
    state = result.state
    turns.push({ thought, action: phrase, observation: result.observation })
  }
  return { observation, turns }
}

function fitted(problem: Problem, domain: Domain): Problem {
  const declared = new Set(domain.types.map(({ name }) => name))
  const isTyped = ({ types }: Problem['objects'][number]) => types.every((type) => declared.has(type))
  const untyped = problem.objects.filter((object) => !isTyped(object))
  return {
    ...problem,
    objects: problem.objects.map((object) => (isTyped(object) ? object : { ...object, types: [rootType] })),
    initial: [
      ...problem.initial,
      ...untyped.flatMap(({ name, types }) =>
        types
          .filter((type) => domain.predicates.get(type) === 1)
          .map((predicate) => ({ predicate, terms: [name] })),
      ),
    ],
  }
}
