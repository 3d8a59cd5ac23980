import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { loadPddlFolder } from '../../shared/environments/pddl/load-pddl-folder.ts'
import { parseDomain } from '../../shared/environments/planning/parse-domain.ts'
import { parseProblem } from '../../shared/environments/planning/parse-problem.ts'
import { createPlanningTask, type PlanningTask } from '../../shared/environments/planning/planning-task.ts'
import { conformanceFolder, describeWithConformance, readConformance } from './conformance-folder.ts'

interface Step {
  validActions: string[]
  action: string
  applicable: boolean
  state: string[]
  progress: number
  goalSatisfied: boolean
}

interface Episode {
  domain: string
  problem: string
  goal: string[]
  init: string[]
  steps: Step[]
}

const read = (...path: string[]) => readFileSync(join(conformanceFolder, 'pddl', ...path), 'utf8')

function open(folder: string, { domain, problem }: Pick<Episode, 'domain' | 'problem'>): PlanningTask {
  return createPlanningTask(parseDomain(read('domains', domain)), parseProblem(read(folder, problem)), {
    distinctArguments: true,
  })
}

const load = () => readConformance<Record<string, Episode[]>>('pddl/transcripts.json')

describeWithConformance('pddl/transcripts.json', load, (byFolder) => {
  const episodes = Object.entries(byFolder).flatMap(([folder, list]) =>
    list.map((episode) => [folder, episode.problem, episode] as const),
  )

  test('holds episodes', () => {
    expect(episodes.length).toBeGreaterThan(0)
  })

  test.each(episodes)('%s %s gives the same actions, states and progress', (folder, _problem, episode) => {
    const task = open(folder, episode)
    const texts = (facts: readonly number[]) => [...task.staticFacts, ...facts].map(task.factText).sort()
    const goal = (task.goalLiterals ?? []).map(({ fact }) => fact)
    expect(goal.map(task.factText).sort()).toEqual(episode.goal.toSorted())
    expect(texts(task.initial)).toEqual(episode.init.toSorted())

    let facts = task.initial
    const played = episode.steps.map(({ action }): Step => {
      const possible = new Map(task.applicableActions(facts).map((each) => [task.actionText(each), each]))
      const chosen = possible.get(action)
      const next = chosen === undefined ? facts : task.apply(facts, chosen)
      const applicable = next !== facts
      facts = next
      return {
        validActions: [...possible.keys()].sort(),
        action,
        applicable,
        state: texts(facts),
        progress: goal.filter((fact) => task.holds(facts, fact)).length / goal.length,
        goalSatisfied: task.reached(facts),
      }
    })
    const recorded = episode.steps.map((step) => ({
      ...step,
      validActions: step.validActions.toSorted(),
      state: step.state.toSorted(),
      progress: expect.closeTo(step.progress, 9),
    }))
    expect(played).toEqual(recorded)
  })

  test('every file parses and every problem fits its domain', () => {
    const problems = globSync('*/*.pddl', { cwd: join(conformanceFolder, 'pddl') }).filter(
      (file) => !file.startsWith('domains'),
    )
    expect(problems.length).toBeGreaterThan(0)
    for (const file of problems) {
      const [folder = ''] = file.split(/[\\/]/)
      const task = open(folder, { domain: `${folder}.pddl`, problem: basename(file) })
      expect(task.goalLiterals?.length).toBeGreaterThan(0)
      expect(task.applicableActions(task.initial).length).toBeGreaterThan(0)
    }
  })

  test('the folder opens as an environment, in words, and plays the recorded actions', async () => {
    const environment = await loadPddlFolder(join(conformanceFolder, 'pddl'))
    for (const [folder, problem, { steps }] of episodes) {
      const id = `${folder}-${basename(problem, '.pddl')}`
      const core = await environment.open(id)
      let { state } = core.reset(id, 0)
      let best = 0
      for (const { action, applicable, validActions, progress, goalSatisfied } of steps) {
        expect(core.validActions?.(state)).toHaveLength(validActions.length)
        const result = core.step(state, action)
        if (applicable) best = Math.max(best, progress)
        expect(result.valid).toBe(validActions.includes(action))
        expect(result.progress).toBeCloseTo(best, 9)
        if (applicable) expect(result.done).toBe(goalSatisfied)
        expect(result.observation).not.toMatch(/ontable|at-robby|jack-up/)
        state = result.state
      }
    }
  })
})
