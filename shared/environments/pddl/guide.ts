import type { EnvironmentGuide } from '../environment.ts'
import { type Domain, parseDomain } from '../planning/parse-domain.ts'
import { createPlanningTask } from '../planning/planning-task.ts'
import { type ActionTool, verbTool } from '../tools/action-tool.ts'
import { createCore } from './core.ts'
import { type Language, languageOf, say } from './language.ts'
import type { RobotDomain } from './robot-domain.ts'

const common = `Name objects exactly as they are shown. No object can be used twice in one action.
- "look around" shows the objects, the goal and all that is true.
- "check valid actions" lists every action that is possible now.

An action that is not possible does nothing, but takes a turn all the same. You have reached the goal when all its parts are true at once.`

function pddlTools(domain: Domain, language: Language): ActionTool[] {
  const actions = domain.actions.map(({ name, parameters }) => {
    const slots = parameters.map((_, place) => `{object_${place + 1}}`)
    const types = parameters.map(({ types: of }, place) => `object_${place + 1}: ${of.join(' or ')}`)
    const phrase = say(language.phrases[name] as string, slots)
    return verbTool(
      phrase,
      `Takes the action ${name}. ${types.join(', ')}`.trim(),
      name.replace(/[^\w-]/g, '_'),
    )
  })
  return [
    ...actions,
    verbTool('look around', 'Shows the objects, the goal and all that is true.'),
    verbTool('check valid actions', 'Lists every action that is possible now.'),
  ]
}

export function robotGuide(domain: RobotDomain): EnvironmentGuide {
  const { problem, turns, program } = domain.example
  const parsed = parseDomain(domain.text)
  const id = 'example'
  const language = languageOf(parsed)
  const core = createCore(id, createPlanningTask(parsed, problem, { distinctArguments: true }), language)
  const { state: start, observation } = core.reset(id, 0)
  let state = start
  return {
    tools: pddlTools(parsed, language),
    rules: `${domain.rules}\n${common}`,
    example: {
      observation,
      turns: turns.map(([thought, action]) => {
        const result = core.step(state, action)
        state = result.state
        return { thought, action, observation: result.observation }
      }),
    },
    program,
  }
}

export function plainGuide(domain: Domain, language: Language): EnvironmentGuide {
  const actions = domain.actions.map(({ name, parameters }) => {
    const places = parameters.map(({ types }) => `<${types.join(' or ')}>`)
    return `- "${say(language.phrases[name] as string, places)}"`
  })
  return {
    tools: pddlTools(domain, language),
    rules: `You act in a world of objects and facts about them, and have to make the goal's facts true.

You can do one thing at a time:
${actions.join('\n')}

${common}`,
    example: null,
  }
}
